import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Portions } from '@teamspaces/json-text/json-grammar';

/** Milliseconds of processor time for which one request may hold the event loop (decisions 8.2). */
export const MAX_TURN = 100;

/** One try below the bound is enough: the compiler and the garbage collector run in the others. */
const TRIES = 4;

/** What processor-sample.js prints on a quiet core of 2.6 GHz. */
const QUIET_SAMPLE = 4.2;

/** Milliseconds of processor time that this process has used. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures until a turn is short enough, a few times at most. Where others slow the machine down, the same work takes
 * more processor time: a turn that is too long is counted as what it would take on a quiet machine, in relation to a
 * sample that is taken right after it.
 * @param measure milliseconds of processor time of the longest turn
 * @param bound what is short enough
 * @returns the shortest of the measured ones
 */
export async function shortestTurn(
  measure: () => number | Promise<number>,
  bound = MAX_TURN,
): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES && shortest >= bound; n++) {
    const turn = await measure();
    shortest = Math.min(shortest, turn < bound ? turn : turn / slowness());
  }
  return shortest;
}

/**
 * The longest portion of a piece of work, measured as shortestTurn does. Of each portion the shortest measurement
 * counts: some portions collect the garbage of all, each time others.
 * @param measure what portionTimes returns, always for the same work
 */
export function longestPortion(measure: () => number[], bound = MAX_TURN): Promise<number> {
  const shortest: number[] = [];
  return shortestTurn(() => {
    for (const [n, time] of measure().entries())
      shortest[n] = Math.min(time, shortest[n] ?? Number.POSITIVE_INFINITY);
    return Math.max(...shortest);
  }, bound);
}

/** Does the work. @returns milliseconds of processor time of each portion */
export function portionTimes(portions: Portions<unknown>): number[] {
  for (const times: number[] = []; ; ) {
    const before = processorTime();
    const { done } = portions.next();
    times.push(processorTime() - before);
    if (done) return times;
  }
}

/** How many times as long as on a quiet machine the same work takes here and now; at least 1. */
function slowness(): number {
  const file = join(import.meta.dirname, 'processor-sample.js');
  const sample = Number(execFileSync(process.execPath, [file], { env: {}, encoding: 'utf8' }));
  return Math.max(1, sample / QUIET_SAMPLE);
}
