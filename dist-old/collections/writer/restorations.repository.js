var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordStatement } from '../../audit/audit-entries.repository.js';
import { onItem } from '../../audit/audit-entry.js';
import { etagOf } from '../etag.js';
import { toItem } from '../item-row.js';
import { notInTrash } from '../tree-errors.js';
import * as sql from './trash-statements.js';
/** The tree writer's way back from the trash. */
let RestorationsRepository = class RestorationsRepository {
    /**
     * Moves the rows of a deletion back into the tree and logs them; every one has a new version.
     * Counting them is the caller's.
     * @param rebalancing what makes room for it
     * @returns the item and its direct children, without their content, as they are now; of more than
     *   MOST_CHILDREN, the first ones, one more than that
     * @throws DomainError not_found: it was restored or purged meanwhile
     */
    async restore(run, { teamId, workspaceId, now, treeStamp }, rebalancing, { deletion, parentId, position }) {
        const key = [teamId, workspaceId, deletion.id];
        const answers = await run([
            [sql.LOCK_DELETION, [...key, deletion.deletedAt]],
            ...rebalancing,
            [sql.COPY_FROM_TRASH, [...key, parentId, position, now, randomUUID(), deletion.deletedAt]],
            [sql.LOG_RESTORED, [...key, treeStamp]],
            [sql.DELETE_FROM_TRASH, key],
            [sql.SHOWN, key],
        ]);
        if (answers[0]?.length === 0)
            throw notInTrash();
        return toResult(teamId, answers.at(-1));
    }
    /** Records that an item came back. */
    record({ deletion }, { items }, author) {
        const [item] = items;
        const { pages, collections } = deletion;
        const about = onItem(item.workspaceId, item);
        const details = { pages, collections };
        return recordStatement(item.teamId, author, [{ action: 'item.restored', ...about, details }]);
    }
};
RestorationsRepository = __decorate([
    Injectable()
], RestorationsRepository);
export { RestorationsRepository };
/** What SHOWN returned, as a result. */
export function toResult(teamId, rows) {
    const [item, ...children] = rows.map((row) => toItem(row, teamId));
    if (!item)
        throw new Error('the item that was written is not there');
    return { items: [item, ...children], etag: etagOf(item, rows[0]?.versions ?? '') };
}
//# sourceMappingURL=restorations.repository.js.map