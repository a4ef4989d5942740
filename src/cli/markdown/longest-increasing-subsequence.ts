/**
 * The longest part of a list, gaps allowed, whose ranks grow. All others are the fewest that have to
 * move for the list to be in order.
 */
export function longestIncreasingSubsequence<T>(
  list: readonly T[],
  rankOf: (one: T) => number,
): T[] {
  const ranks = list.map(rankOf);
  /** Where the best run of each length ends: the one that can be continued most easily. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, rank] of ranks.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranks[ends[middle] as number] as number) < rank) low = middle + 1;
      else high = middle;
    }
    before[at] = ends[low - 1];
    ends[low] = at;
  }
  const run: T[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) run.push(list[at] as T);
  return run.reverse();
}
