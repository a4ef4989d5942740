/** Numbers from 0 up to 1 that a seed determines (mulberry32). */
export type Dice = () => number;

export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const below = (dice: Dice, bound: number): number => Math.floor(dice() * bound);

/** One of a list that has some. */
export const pick = <T>(dice: Dice, list: readonly T[]): T => list[below(dice, list.length)] as T;

export const shuffle = <T>(dice: Dice, list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, at: dice() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);
