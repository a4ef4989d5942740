var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Inject, Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeProtectedHeader } from 'jose';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { CLOCK } from '../config/clock.js';
import { CONFIG } from '../config/config.module.js';
import { DomainError, EXPIRED, NO_TOKEN, NOT_VALID, UnauthorizedError, } from '../errors/domain-error.js';
import { readClaims } from './claims.js';
import { verificationKeys } from './keys.js';
import { UsersService } from './users.service.js';
import { CLOCK_TOLERANCE, VerifiedTokens } from './verified-tokens.js';
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
let JwtStrategy = class JwtStrategy extends PassportStrategy(Strategy, NAME) {
    config;
    users;
    tokens;
    constructor(config, users, tokens, clock) {
        const keys = verificationKeys(config, clock);
        super({
            jwtFromRequest: ({ headers }) => bearerToken(headers.authorization),
            secretOrKeyProvider: (_request, token, done) => {
                keyOf(token, keys)
                    // jsonwebtoken accepts a KeyObject; the types of passport-jwt are older than that.
                    .then((key) => done(null, key))
                    // Includes what jsonwebtoken throws instead of passing it to its callback.
                    .catch((error) => done(error));
            },
            algorithms: keys.algorithms,
            passReqToCallback: true,
            jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE },
            ...(config.issuer && { issuer: config.issuer }),
            ...(config.audience && { audience: config.audience }),
        });
        this.config = config;
        this.users = users;
        this.tokens = tokens;
    }
    /**
     * Called by the constructor of PassportStrategy. Not the instance that a whole process shares:
     * there, the latest application would verify the tokens of the others.
     */
    getPassportInstance() {
        this.passport ??= new passport.Passport();
        return this.passport;
    }
    /**
     * Identifies the caller by the token.
     * @throws UnauthorizedError without a valid token; DomainError internal_server_error where the
     *   provider's keys cannot be fetched
     */
    authenticated(request, reply) {
        return new Promise((resolve, reject) => {
            const done = (error, user, info) => user ? resolve(user) : reject(error ?? refusal(info));
            const options = { session: false };
            this.getPassportInstance().authenticate(NAME, options, done)(request, reply, reject);
        });
    }
    /** Called by Passport, for a token whose signature, times, issuer and audience are right. */
    validate(request, payload) {
        const { claims, expires } = readClaims(payload, this.config);
        this.tokens.remember(request.headers.authorization, claims, expires);
        return this.users.identify(claims);
    }
};
JwtStrategy = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __param(3, Inject(CLOCK)),
    __metadata("design:paramtypes", [Object, UsersService,
        VerifiedTokens, Object])
], JwtStrategy);
export { JwtStrategy };
/** @throws UnauthorizedError if the header holds anything but one bearer token */
function bearerToken(header) {
    if (!header) {
        throw new UnauthorizedError(NO_TOKEN, false);
    }
    if (/^Bearer +Bearer\b/i.test(header)) {
        throw new UnauthorizedError('the header Authorization holds the word Bearer twice: send Bearer <token>', true);
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
async function keyOf(token, keys) {
    const parts = token.split('.');
    if (parts.length !== 3 || !parts.every(isCanonical))
        throw refused('its form is wrong');
    const header = decodeProtectedHeader(token);
    const { alg, typ = 'JWT' } = header;
    if (!keys.algorithms.includes(alg))
        throw refused(`its alg is ${alg}`);
    if (Object.hasOwn(header, 'crit'))
        throw refused('its header has crit');
    if (typeof typ !== 'string' || !TYPES.includes(typ.toLowerCase())) {
        throw refused(`its typ is ${typ}`);
    }
    return keys.find(header);
}
/** True for base64url as encoders write it: decoders accept other spellings of the same bytes. */
const isCanonical = (part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
/** What Passport says about a token: an error of ours, or one of jsonwebtoken. */
function refusal(info) {
    if (info instanceof DomainError)
        return info;
    const isExpired = info instanceof Error && info.name === 'TokenExpiredError';
    return new UnauthorizedError(isExpired ? EXPIRED : NOT_VALID, true, { cause: info });
}
const refused = (reason) => new UnauthorizedError(NOT_VALID, true, { cause: new Error(reason) });
//# sourceMappingURL=jwt.strategy.js.map