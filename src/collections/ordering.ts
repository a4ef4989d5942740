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

/** Stand in a rewrite of positions for the start and the end of a list; no position is either. */
export const START = '';
export const END = '~';

/**
 * Carries a list cursor over a rewrite of positions: behind the same items as before. `from` and
 * `to` are in order and `to[i]` replaced `from[i]`; the outermost two are the neighbours, which
 * stayed (START and END where there were none). What lies outside of them is not concerned.
 */
export function carryOver(
  position: string,
  from: readonly string[],
  to: readonly string[],
): string {
  const index = from.findLastIndex((old) => old <= position);
  return index === from.length - 1 ? position : (to[index] ?? position);
}
