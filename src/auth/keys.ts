import { createSecretKey, KeyObject } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, errors, type JWSHeaderParameters } from 'jose';
import type { Algorithm } from 'jsonwebtoken';
import type { Config } from '../config/config.js';
import type { Clock } from '../config/config.module.js';
import { DomainError, NOT_VALID, UnauthorizedError } from '../errors/domain-error.js';

/** What tokens are verified with; the algorithms follow from the kind of key, never from a token. */
export interface VerificationKeys {
  readonly algorithms: Algorithm[];
  /**
   * The key that verifies a token with this header.
   * @throws UnauthorizedError if there is none; DomainError internal_server_error if the provider cannot be reached
   */
  find(header: JWSHeaderParameters): Promise<KeyObject>;
}

/** The shared secret, or the provider's key set, as configured. */
export function verificationKeys(config: Config, clock: Clock): VerificationKeys {
  if (config.jwksUrl !== null) return new ProviderKeys(new URL(config.jwksUrl), clock.now);
  if (config.jwtSecret === null) throw new Error('createApp() needs a secret or a key set');
  // A KeyObject made once: jsonwebtoken tries to parse a string as a public key on every call.
  const key = createSecretKey(Buffer.from(config.jwtSecret));
  return { algorithms: ['HS256'], find: async () => key };
}

const MINUTE = 60_000;

/** All in milliseconds. */
const TIMES = {
  /** Timeout of a fetch. Shorter than `pause`: nobody waits twice. */
  timeout: 4_000,
  /** Between two fetches: unknown key ids cause no more of them. A rotated key waits no longer. */
  pause: 5_000,
  /** Keys of this age are fetched again while callers continue with the old ones. */
  refreshAfter: 5 * MINUTE,
  /** Keys of this age verify nothing before another fetch; a withdrawn key stops working here. */
  askAfter: 8 * MINUTE,
  /** For this long after a failed fetch nobody waits for the next one: the last good keys are used. */
  outage: 30_000,
  /** How long the last good keys are used while the provider does not respond. */
  keep: 24 * 60 * MINUTE,
};

/** Bits of an RSA key that verifies tokens, at least (RFC 7518, 3.3). */
const MIN_RSA_BITS = 2048;

/**
 * The key set of the identity provider. jose fetches it, checks its shape, keeps the last good one
 * and selects the key; this class decides when to fetch. The set is fetched when the first token
 * needs it: the start of the service does not wait for the provider.
 */
export class ProviderKeys implements VerificationKeys {
  readonly algorithms: Algorithm[] = [
    ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
    ...(['ES256', 'ES384', 'ES512'] as const),
  ];
  private readonly logger = new Logger('keys');
  private readonly set: ReturnType<typeof createRemoteJWKSet>;
  /** When the last good fetch, and the last fetch at all, began; when one failed last. */
  private loadedAt = Number.NEGATIVE_INFINITY;
  private triedAt = Number.NEGATIVE_INFINITY;
  private failedAt = Number.NEGATIVE_INFINITY;
  private pending: Promise<void> | null = null;
  /** Each is reported once; a set that was fetched again has new ones. */
  private readonly reported = new WeakSet<object>();

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    url: URL,
    private readonly now: () => number,
  ) {
    this.set = createRemoteJWKSet(url, {
      timeoutDuration: TIMES.timeout,
      // Infinity: jose never fetches by itself once it has a set.
      cooldownDuration: Number.POSITIVE_INFINITY,
      cacheMaxAge: Number.POSITIVE_INFINITY,
    });
  }

  async find(header: JWSHeaderParameters): Promise<KeyObject> {
    const age = this.now() - this.loadedAt;
    if (age >= TIMES.refreshAfter) {
      const refreshed = this.refresh();
      const isOutage = this.now() - this.failedAt < TIMES.outage;
      if (age >= TIMES.askAfter && !isOutage) await refreshed;
    }
    const known = await this.select(header);
    if (known) return known;
    await this.refresh();
    const rotated = await this.select(header);
    if (rotated) return rotated;
    // Without a response of the provider it is not known whether the key is a new one.
    if (this.failedAt >= this.loadedAt) throw this.outage();
    throw refused(new Error('the provider has no such key'));
  }

  /** The key among the last good ones, or null. */
  private async select(header: JWSHeaderParameters): Promise<KeyObject | null> {
    if (this.now() - this.loadedAt >= TIMES.keep) return null;
    try {
      const found = await this.set(header);
      const key = KeyObject.from(found);
      if (!isWeak(key)) return key;
      this.reportWeak(found, header);
      return null;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return null;
      throw refused(error);
    }
  }

  private reportWeak(key: object, { kid }: JWSHeaderParameters): void {
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.logger.warn(
      `The key set holds an RSA key of less than ${MIN_RSA_BITS} bits, which verifies nothing: kid ${kid}`,
    );
  }

  /** Fetches the set, unless a fetch was attempted just now. Never rejects. */
  private refresh(): Promise<void> {
    if (this.pending) return this.pending;
    if (this.now() - this.triedAt < TIMES.pause) return Promise.resolve();
    const begun = this.now();
    this.triedAt = begun;
    this.pending = this.set
      .reload()
      .then(
        () => {
          this.loadedAt = begun;
        },
        (error: unknown) => {
          this.failedAt = this.now();
          this.logger.warn(`The key set could not be fetched: ${reason(error)}`);
        },
      )
      .finally(() => {
        this.pending = null;
      });
    return this.pending;
  }

  private outage(): DomainError {
    const wait = Math.ceil((this.triedAt + TIMES.pause - this.now()) / 1000);
    return new DomainError(
      'internal_server_error',
      'the keys of the identity provider cannot be fetched now: try again',
      { retryAfterSeconds: Math.max(1, wait) },
    );
  }
}

function isWeak({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  const isRsa = asymmetricKeyType?.startsWith('rsa') ?? false;
  return isRsa && (asymmetricKeyDetails?.modulusLength ?? 0) < MIN_RSA_BITS;
}

const refused = (cause: unknown) => new UnauthorizedError(NOT_VALID, true, { cause });

/** fetch reports only that it failed; its cause has the reason. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
