import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Claims } from './claims.js';

/** Seconds by which the clocks of provider and service may differ. */
export const CLOCK_TOLERANCE = 30;

/** Tokens remembered by each process. */
const MAX_TOKENS = 10_000;

/** How long a token is remembered, in milliseconds; then its signature is verified again. */
const MAX_AGE = 60_000;

/**
 * The claims of tokens that were verified just now: a token does not change, only the time does.
 * Kept under a hash of the header, so that no token stays in memory. Who the user is and what they
 * may do is not remembered here.
 */
@Injectable()
export class VerifiedTokens {
  private readonly tokens = new LRUCache<string, { claims: Claims; from: number; until: number }>({
    max: MAX_TOKENS,
  });

  /** @param header the Authorization header, to the letter */
  recall(header: string | undefined, now = Date.now()): Claims | null {
    if (header === undefined) return null;
    const known = this.tokens.get(keyOf(header));
    // A clock that was put back ends it, too: the token may not be valid yet.
    return known && known.from <= now && now < known.until ? known.claims : null;
  }

  /** @param expires the token's `exp`: seconds since 1970 */
  remember(header: string, claims: Claims, expires: number, now = Date.now()): void {
    const until = Math.min(now + MAX_AGE, (expires + CLOCK_TOLERANCE) * 1000);
    this.tokens.set(keyOf(header), { claims, from: now, until });
  }
}

const keyOf = (header: string): string => hash('sha256', header, 'base64url');
