import { MAX_RETRY_AFTER, MIN_PAUSE } from '../limits.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds after each failed attempt; the last one repeats. */
const PAUSES = [
  ...[MIN_PAUSE, 5 * MINUTE, 30 * MINUTE],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
];

/**
 * Milliseconds until the next attempt: the receiver's Retry-After, up to an hour, otherwise by PAUSES and up
 * to a fifth longer, so that many receivers of one host are not called at once.
 * @param attempts how many have failed, at least one
 * @param retryAfter milliseconds; null: the receiver has not said
 */
export function pauseAfter(attempts: number, retryAfter: number | null): number {
  if (retryAfter !== null) return Math.min(Math.max(retryAfter, MIN_PAUSE), MAX_RETRY_AFTER);
  const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] as number;
  return pause * (1 + Math.random() / 5);
}

/**
 * Milliseconds that a Retry-After header asks for: seconds, or a date; null: absent or malformed.
 * @param now milliseconds since 1970
 */
export function retryAfterOf(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
