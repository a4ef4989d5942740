const SECOND = 1000;
const HOUR = 3_600_000;

/**
 * Milliseconds to wait after a 429 or 409: what its Retry-After says in seconds or as a date, but
 * at least a second, so that no answer starts a loop, and at most an hour.
 * @param header null: the answer has none; like one that cannot be read, that is a second
 * @param now Unix epoch milliseconds
 */
export function waitFor(header: string | null, now: number): number {
  const text = header?.trim() ?? '';
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(wait) ? SECOND : Math.min(Math.max(wait, SECOND), HOUR);
}
