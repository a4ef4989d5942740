import { hash, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { Config } from '../config/config.js';
import { CLOCK, type Clock, CONFIG } from '../config/config.module.js';
import {
  DomainError,
  EXPIRED,
  NO_TOKEN,
  NOT_VALID,
  UnauthorizedError,
} from '../errors/domain-error.js';
import type { User } from './actor.js';
import { type Claims, readClaims } from './claims.js';
import { type VerificationKeys, verificationKeys } from './keys.js';
import { UsersService } from './users.service.js';

/** Seconds by which the clocks of provider and service may differ. */
const CLOCK_TOLERANCE = 30;

/** Tokens remembered by each process. */
const MAX_TOKENS = 10_000;

/** How long a token is remembered, in milliseconds; then its signature is verified again. */
const MAX_AGE = 60_000;

/** Times are milliseconds since 1970. */
interface Verified {
  claims: Claims;
  from: number;
  until: number;
  expires: number;
}

/**
 * The claims of recently verified tokens: a token does not change, only the time does. Kept under a
 * hash of the header, so that no token stays in memory. Who the user is and what they may do is not
 * remembered here.
 */
@Injectable()
export class VerifiedTokens {
  private readonly tokens = new LRUCache<string, Verified>({ max: MAX_TOKENS });

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** @param header the Authorization header, unchanged */
  recall(header: string | undefined): Claims | null {
    if (header === undefined) return null;
    const now = this.clock.date();
    const known = this.tokens.get(digestOf(header));
    // Also verified again if the clock was set back: the token may not be valid yet.
    return known && known.from <= now && now < known.until ? known.claims : null;
  }

  /**
   * Whether a token was verified at any time and has not expired: its bearer is not an unknown
   * caller.
   */
  wasVerified(header: string): boolean {
    return this.clock.date() < (this.tokens.get(digestOf(header))?.expires ?? 0);
  }

  /** @param exp the token's: seconds since 1970 */
  remember(header: string, claims: Claims, exp: number): void {
    const from = this.clock.date();
    const expires = (exp + CLOCK_TOLERANCE) * 1000;
    const until = Math.min(from + MAX_AGE, expires);
    this.tokens.set(digestOf(header), { claims, from, until, expires });
  }
}

const digestOf = (header: string): string => hash('sha256', header, 'base64url');

/** Characters of a token; a proxy or a browser would rarely let a longer one pass. */
const MAX_TOKEN_LENGTH = 15 * 1024;

/** What Passport calls it. */
const NAME = 'token';

/** Media types of a JWT in a header's `typ`, lower case (RFC 7519, RFC 9068). */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Verifies bearer tokens. passport-jwt checks signature, times, issuer and audience; the form of
 * the header and of the token is checked before.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, NAME) {
  declare private passport: passport.Authenticator | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly users: UsersService,
    private readonly tokens: VerifiedTokens,
    @Inject(CLOCK) clock: Clock,
  ) {
    const keys = verificationKeys(config, clock);
    super({
      jwtFromRequest: ({ headers }: FastifyRequest) => bearerToken(headers.authorization),
      secretOrKeyProvider: (_request, token: string, done) => {
        keyOf(token, keys)
          // jsonwebtoken accepts a KeyObject; the types of passport-jwt are older than that.
          .then((key) => done(null, key as unknown as Buffer))
          // Includes what jsonwebtoken throws instead of passing it to its callback.
          .catch((error: unknown) => done(error));
      },
      algorithms: keys.algorithms,
      passReqToCallback: true,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE },
      ...(config.issuer && { issuer: config.issuer }),
      ...(config.audience && { audience: config.audience }),
    });
  }

  /**
   * Called by the constructor of PassportStrategy. Not the instance that a whole process shares:
   * there, the latest application would verify the tokens of the others.
   */
  getPassportInstance(): passport.Authenticator {
    this.passport ??= new passport.Passport();
    return this.passport;
  }

  /**
   * Identifies the caller by the token.
   * @throws UnauthorizedError without a valid token; DomainError internal_server_error where the
   *   provider's keys cannot be fetched
   */
  authenticated(request: FastifyRequest, reply: FastifyReply): Promise<User> {
    return new Promise((resolve, reject) => {
      const done = (error: unknown, user: User | false | null, info: unknown) =>
        user ? resolve(user) : reject(error ?? refusal(info));
      const options = { session: false };
      this.getPassportInstance().authenticate(NAME, options, done)(request, reply, reject);
    });
  }

  /** Called by Passport, for a token whose signature, times, issuer and audience are right. */
  validate(request: FastifyRequest, payload: Record<string, unknown>): Promise<User> {
    const { claims, expires } = readClaims(payload, this.config);
    this.tokens.remember(request.headers.authorization as string, claims, expires);
    return this.users.identify(claims);
  }
}

/** @throws UnauthorizedError if the header holds anything but one bearer token */
function bearerToken(header: string | undefined): string {
  if (!header) {
    throw new UnauthorizedError(NO_TOKEN, false);
  }
  if (/^Bearer +Bearer\b/i.test(header)) {
    throw new UnauthorizedError(
      'the header Authorization holds the word Bearer twice: send Bearer <token>',
      true,
    );
  }
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (token === undefined) {
    throw new UnauthorizedError('the header Authorization must be Bearer <token>', true);
  }
  if (token.length > MAX_TOKEN_LENGTH) {
    throw new UnauthorizedError(`the token must be at most ${MAX_TOKEN_LENGTH} characters`, true);
  }
  return token;
}

/** The key for a token with a valid header. Checks nothing else of the token. */
async function keyOf(token: string, keys: VerificationKeys): Promise<KeyObject> {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every(isCanonical)) throw refused('its form is wrong');
  const header = decodeProtectedHeader(token);
  const { alg, typ = 'JWT' } = header;
  if (!(keys.algorithms as unknown[]).includes(alg)) throw refused(`its alg is ${alg}`);
  if (Object.hasOwn(header, 'crit')) throw refused('its header has crit');
  if (typeof typ !== 'string' || !TYPES.includes(typ.toLowerCase())) {
    throw refused(`its typ is ${typ}`);
  }
  return keys.find(header);
}

/** True for base64url as encoders write it: decoders accept other spellings of the same bytes. */
const isCanonical = (part: string): boolean =>
  part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;

/** What Passport says about a token: an error of ours, or one of jsonwebtoken. */
function refusal(info: unknown): DomainError {
  if (info instanceof DomainError) return info;
  const isExpired = info instanceof Error && info.name === 'TokenExpiredError';
  return new UnauthorizedError(isExpired ? EXPIRED : NOT_VALID, true, { cause: info });
}

const refused = (reason: string) =>
  new UnauthorizedError(NOT_VALID, true, { cause: new Error(reason) });
