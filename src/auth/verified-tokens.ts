import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { CLOCK, type Clock } from '../config/clock.js';
import type { Claims } from './claims.js';

/** Seconds by which the clocks of provider and service may differ. */
export const CLOCK_TOLERANCE = 30;

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
    const known = this.tokens.get(keyOf(header));
    // Also verified again if the clock was set back: the token may not be valid yet.
    return known && known.from <= now && now < known.until ? known.claims : null;
  }

  /**
   * Whether a token was verified at any time and has not expired: its bearer is not an unknown
   * caller.
   */
  wasVerified(header: string): boolean {
    return this.clock.date() < (this.tokens.get(keyOf(header))?.expires ?? 0);
  }

  /** @param exp the token's: seconds since 1970 */
  remember(header: string, claims: Claims, exp: number): void {
    const from = this.clock.date();
    const expires = (exp + CLOCK_TOLERANCE) * 1000;
    const until = Math.min(from + MAX_AGE, expires);
    this.tokens.set(keyOf(header), { claims, from, until, expires });
  }
}

const keyOf = (header: string): string => hash('sha256', header, 'base64url');
