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
import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLOCK } from '../config/clock.js';
/** Seconds by which the clocks of provider and service may differ. */
export const CLOCK_TOLERANCE = 30;
/** Tokens remembered by each process. */
const MAX_TOKENS = 10_000;
/** How long a token is remembered, in milliseconds; then its signature is verified again. */
const MAX_AGE = 60_000;
/**
 * The claims of recently verified tokens: a token does not change, only the time does. Kept under a
 * hash of the header, so that no token stays in memory. Who the user is and what they may do is not
 * remembered here.
 */
let VerifiedTokens = class VerifiedTokens {
    clock;
    tokens = new LRUCache({ max: MAX_TOKENS });
    constructor(clock) {
        this.clock = clock;
    }
    /** @param header the Authorization header, unchanged */
    recall(header) {
        if (header === undefined)
            return null;
        const now = this.clock.date();
        const known = this.tokens.get(keyOf(header));
        // Also verified again if the clock was set back: the token may not be valid yet.
        return known && known.from <= now && now < known.until ? known.claims : null;
    }
    /**
     * Whether a token was verified at any time and has not expired: its bearer is not an unknown
     * caller.
     */
    wasVerified(header) {
        return this.clock.date() < (this.tokens.get(keyOf(header))?.expires ?? 0);
    }
    /** @param exp the token's: seconds since 1970 */
    remember(header, claims, exp) {
        const from = this.clock.date();
        const expires = (exp + CLOCK_TOLERANCE) * 1000;
        const until = Math.min(from + MAX_AGE, expires);
        this.tokens.set(keyOf(header), { claims, from, until, expires });
    }
};
VerifiedTokens = __decorate([
    Injectable(),
    __param(0, Inject(CLOCK)),
    __metadata("design:paramtypes", [Object])
], VerifiedTokens);
export { VerifiedTokens };
const keyOf = (header) => hash('sha256', header, 'base64url');
//# sourceMappingURL=verified-tokens.js.map