import { insertInto, removeFrom } from './sibling-order.js';
export const NO_CHANGE = {
    inserts: [],
    updates: [],
    rebalanced: null,
    removed: null,
    restored: null,
    arrived: null,
};
/** Folds changes, in their order, into one: an item that several of them touch ends in one row. */
export function foldChanges(slice, changes) {
    const inserted = new Set();
    const updated = new Map();
    const repositioned = new Map();
    let removed = null;
    let restored = null;
    let arrived = null;
    for (const change of changes) {
        const { parentId, ids, positions, from, to } = change.rebalanced ?? NOTHING_REBALANCED;
        for (const [n, id] of ids.slice(from, to).entries()) {
            repositioned.set(id, { id, parentId, position: positions[from + n] });
        }
        for (const { id } of change.inserts)
            inserted.add(id);
        for (const { row, savesContent } of change.updates) {
            updated.set(row.id, savesContent || updated.get(row.id) === true);
        }
        removed ??= change.removed;
        restored ??= change.restored;
        arrived ??= change.arrived;
    }
    const final = (id) => slice.items.get(id);
    return {
        inserts: [...inserted].map(final),
        updates: [...updated]
            .filter(([id]) => !inserted.has(id))
            .map(([id, savesContent]) => ({ row: final(id), savesContent })),
        repositioned: [...repositioned.values()].filter(({ id }) => !inserted.has(id) && !updated.has(id)),
        isRebalanced: changes.some(({ rebalanced }) => rebalanced !== null),
        removed,
        restored,
        arrived,
    };
}
const NOTHING_REBALANCED = { parentId: null, ids: [], positions: [], from: 0, to: 0 };
/**
 * Brings a slice up to what a change makes of it, for the next command of the same batch.
 * @param isLast no command follows: only the rows are brought up
 */
export function applyChange(slice, change, isLast = false) {
    const { rebalanced } = change;
    if (rebalanced) {
        const list = slice.lists.get(rebalanced.parentId);
        list.ids = [...rebalanced.ids];
        list.positions = [...rebalanced.positions];
        list.last = rebalanced.positions.at(-1) ?? null;
        for (const [n, id] of rebalanced.ids.entries()) {
            const row = slice.items.get(id);
            if (row)
                slice.items.set(id, { ...row, position: rebalanced.positions[n] });
        }
    }
    for (const row of change.inserts) {
        slice.items.set(row.id, row);
        if (isLast)
            continue;
        slice.takenSlugs.add(row.slug);
        insertInto(slice.lists.get(row.parentId), row.id, row.position);
        deepen(slice, row, 1);
        forgetVersions(slice, row);
    }
    for (const { row } of change.updates) {
        const before = slice.items.get(row.id);
        slice.items.set(row.id, row);
        if (isLast)
            continue;
        forgetVersions(slice, before);
        forgetVersions(slice, row);
        if (before.parentId === row.parentId && before.position === row.position)
            continue;
        removeFrom(slice.lists.get(before.parentId), before.position);
        insertInto(slice.lists.get(row.parentId), row.id, row.position);
        deepen(slice, row, slice.heights.get(row.id) ?? 1);
    }
}
function forgetVersions({ childVersions }, { parentId }) {
    if (parentId !== null)
        childVersions.delete(parentId);
}
/** A subtree of `height` levels came below its ancestors: those that are to move grow with it. */
function deepen(slice, row, height) {
    let level = height;
    for (let id = row.parentId; id !== null; id = slice.items.get(id)?.parentId ?? null) {
        level++;
        const known = slice.heights.get(id);
        if (known !== undefined && known < level)
            slice.heights.set(id, level);
    }
}
//# sourceMappingURL=tree-slice.js.map