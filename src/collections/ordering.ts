import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** Positions grow no longer than this; past it, some neighbours get new ones. */
export const LONGEST_POSITION = 48;

/** A position behind `before` and ahead of `after`; null stands for an end. */
export const positionBetween = (before: string | null, after: string | null): string =>
  generateKeyBetween(before, after);

/** `count` positions, in order, between two others. */
export const positionsBetween = (
  before: string | null,
  after: string | null,
  count: number,
): string[] => generateNKeysBetween(before, after, count);

/**
 * Carries a list cursor over a rewrite of positions: behind the same items as before. `from` and
 * `to` are in order, `to[i]` replaced `from[i]`, and nothing else lay between `from`'s ends.
 */
export function carryOver(
  position: string,
  from: readonly string[],
  to: readonly string[],
): string {
  const last = from.at(-1);
  if (last === undefined || position > last) return position;
  const index = from.findLastIndex((old) => old <= position);
  return index === -1 ? position : (to[index] ?? position);
}
