import { createHash } from 'node:crypto';
import { isUuid } from '../database/ids.js';
import { badRequest, notFound } from '../errors/domain-error.js';
import { listEtagOf } from './etag.js';
import { expiredCursor } from './tree-errors.js';
import { assertCollection } from './writer/tree-checks.js';
/** Stands for no bound where a statement takes a number. */
export const ALL = 2_000_000_000;
export const isWhole = ({ parentId, depth, limit, cursor }) => parentId === null && [depth, limit, cursor].every((part) => part === undefined);
/** @throws DomainError bad_request: the cursor is of another list; not_found: no such parent */
export function assertPossible({ workspace, query: { cursor, parentId } }) {
    if (cursor && cursor.list !== listOf(workspace.id, parentId)) {
        throw badRequest('cursor must be one that a Link header of this very list gave');
    }
    if (parentId !== null && !isUuid(parentId))
        throw notFound('parent');
}
/** Where a list begins, its length and its depth, as parameters of the statements. */
export const boundsOf = ({ depth = ALL, limit = ALL, cursor }) => [
    cursor?.position ?? null,
    limit,
    depth,
];
/** @throws DomainError not_found, unprocessable_entity: the parent; bad_request: the cursor */
export function readUnder(head, { cursor }) {
    const [treeStamp = '', rebalances = '', parentObject = ''] = head.split(' ');
    if (parentObject === '')
        throw notFound('parent');
    assertCollection({ object: parentObject }, 'parent');
    if (cursor && cursor.rebalances !== Number(rebalances)) {
        throw expiredCursor();
    }
    return { treeStamp, rebalances: Number(rebalances) };
}
/** @param last the position of the last item shown, where the list goes on; null: it does not */
export const headersOf = ({ workspace, query }, { treeStamp, rebalances }, last) => ({
    treeStamp,
    etag: listEtagOf(treeStamp, query),
    next: last === null
        ? null
        : { list: listOf(workspace.id, query.parentId), position: last, rebalances },
});
/** Eight characters that tell a list from others. */
export const listOf = (workspaceId, parentId) => createHash('sha256')
    .update(`${workspaceId}:${parentId ?? ''}`)
    .digest('base64url')
    .slice(0, 8);
//# sourceMappingURL=tree-answer.js.map