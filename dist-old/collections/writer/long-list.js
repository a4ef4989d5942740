import { END } from './positions.js';
/** A larger index would not fit the database's integer. */
const FARTHEST = 2_000_000_000;
/**
 * The slack for a single command. It meets no change but that its own item goes, which is 1; with 8 the
 * run from the beginning of a list of up to 17 siblings is the whole list.
 */
export const SINGLE_COMMAND_SLACK = 8;
/**
 * How to read a list for commands that want these indexes: runs of `length` positions from each of
 * `starts` on, which ascend, and the last `tail` ones.
 * @param slack how many items come and go before a place is looked for, and do no harm
 */
export function runsFor(indexes, slack) {
    const starts = indexes
        .filter((index) => index !== END)
        .map((index) => Math.min(Math.max(index - slack - 1, 0), FARTHEST));
    const ascending = [...new Set(starts)].sort((a, b) => a - b);
    return { starts: ascending, length: 2 * slack + 2, tail: slack + 1 };
}
/** @param runs what was read from each start on @param backwards the last positions, the last first */
export const longListOf = ({ starts, length }, runs, backwards) => ({
    runs: starts.map((start, n) => {
        const positions = runs[n] ?? [];
        return { start, positions, isLast: positions.length < length };
    }),
    tail: backwards.toReversed(),
    removed: [],
    added: [],
});
/**
 * The positions on both sides of an index, null for an end of the list.
 * @param own the position of the item that moves within this list, which does not count; else null
 * @returns null where that was not read
 */
export function neighboursIn(list, index, own) {
    const { runs, tail, removed, added } = own === null ? list : without(list, own);
    for (const { start, positions, isLast } of runs) {
        // What was put ahead of the first run is part of it.
        const from = start === 0 ? '' : positions[0];
        if (from === undefined)
            continue;
        const isAhead = (position) => position < from;
        const shift = added.filter(isAhead).length - removed.filter(isAhead).length;
        const at = index - start - shift;
        // Far off: there may be a hundred runs, and each takes as long as all else.
        if (at < 0 || (!isLast && at >= positions.length + added.length))
            continue;
        const isWithin = (position) => position >= from && (isLast || position < positions.at(-1));
        const present = [
            ...positions.filter((each) => !removed.includes(each)),
            ...added.filter(isWithin),
        ].sort();
        if (isLast && at >= present.length)
            return [lastOf(tail, removed, added), null];
        const isKnown = at < present.length && (at > 0 || (start === 0 && at === 0));
        if (isKnown)
            return [present[at - 1] ?? null, present[at] ?? null];
    }
    const ended = runs.find(({ positions }) => positions.length === 0)?.start ?? END - 1;
    return index > ended ? [lastOf(tail, removed, added), null] : null;
}
/** The tail is empty where the list was: without a lock, all may have gone before it was read. */
function lastOf(tail, removed, added) {
    const [first = ''] = tail;
    const present = tail.filter((each) => !removed.includes(each));
    return [...present, ...added.filter((each) => each > first)].sort().at(-1) ?? null;
}
/** The list without a position: its item left it. */
export const without = (list, position) => list.added.includes(position)
    ? { ...list, added: list.added.filter((each) => each !== position) }
    : { ...list, removed: [...list.removed, position] };
//# sourceMappingURL=long-list.js.map