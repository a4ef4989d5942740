import { notFound, stale } from '../../errors/domain-error.js';
import { MAX_COPIED, MAX_DEPTH } from '../collection.js';
import { etagOf, matches } from '../etag.js';
import * as errors from '../tree-errors.js';
import { areShort, END, indexOf, positionsBetween } from './positions.js';
import { IncompleteSlice, placeIn } from './sibling-order.js';
import { assertValidParent, depthOf, freeOf } from './tree-checks.js';
import { NO_CHANGE } from './tree-slice.js';
/** A deletion comes back. */
export function restore(slice, { deletion, parentId, index }) {
    const hadParent = deletion.parentId;
    const isParentGone = parentId === undefined && hadParent !== null && !slice.items.has(hadParent);
    const target = isParentGone ? null : parentId === undefined ? hadParent : parentId;
    assertRoomBelow(slice, target, deletion.height);
    const isBack = !isParentGone && target === hadParent && index === undefined;
    const { position, rebalanced } = isBack
        ? formerPlace(slice, deletion)
        : newPlace(slice, target, isParentGone ? END : (index ?? END));
    return { ...NO_CHANGE, restored: { deletion, parentId: target, position }, rebalanced };
}
/**
 * The slice's subtree comes in.
 * @param copy null: it is transferred
 */
export function arrive(slice, command, copy) {
    const { from, parentId, index, ifMatch } = command;
    const { subtree } = slice;
    if (!subtree)
        throw notFound('collection or page');
    if (copy === null && from === null)
        throw errors.ownWorkspace();
    const { root, childVersions, height, next, pages, collections } = subtree;
    if (ifMatch !== undefined && !matches(ifMatch, etagOf(root, childVersions)))
        throw stale();
    if (copy !== null && pages + collections > MAX_COPIED)
        throw errors.tooLargeToCopy();
    const isBeside = from === null && parentId === undefined;
    const target = isBeside ? root.parentId : (parentId ?? null);
    assertRoomBelow(slice, target, height);
    const { position, rebalanced } = isBeside && index === undefined
        ? placeBetween(slice, target, root.position, next)
        : newPlace(slice, target, index ?? END);
    const named = copy?.named
        ? { name: copy.named.name, slug: freeOf(slice, copy.named.slugs) }
        : null;
    const arrived = { isCopy: copy !== null, named, parentId: target, position };
    return { ...NO_CHANGE, arrived, rebalanced };
}
/** A parent must be a collection, and not so deep that a subtree grows too deep. */
function assertRoomBelow(slice, parentId, height) {
    const parent = assertValidParent(slice, parentId, 'parent');
    const depth = parent ? depthOf(slice, parent) : 0;
    if (depth + height > MAX_DEPTH)
        throw errors.tooDeep('parent');
}
/** The place that an item had: its very position, if nobody has it now. */
function formerPlace(slice, { parentId, position }) {
    const { before, after, isPositionValid } = slice.formerPlace;
    if (isPositionValid && after !== position)
        return { position, rebalanced: null };
    return placeBetween(slice, parentId, before, after);
}
/** A place between two siblings that have none between them; null: no sibling on that side. */
function placeBetween(slice, parentId, before, after) {
    const between = positionsBetween(before, after, 1);
    if (areShort(between))
        return { position: between[0], rebalanced: null };
    const positions = slice.lists.get(parentId)?.positions;
    if (!positions)
        throw new IncompleteSlice(parentId, 'ids');
    return newPlace(slice, parentId, after === null ? END : indexOf(positions, after));
}
function newPlace(slice, parentId, index) {
    const list = slice.lists.get(parentId);
    const { positions, rebalanced } = placeIn(list, parentId, index, 1, null);
    return { position: positions[0], rebalanced };
}
//# sourceMappingURL=subtree-rules.js.map