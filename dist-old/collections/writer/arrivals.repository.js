var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { recordStatement } from '../../audit/audit-entries.repository.js';
import { onItem } from '../../audit/audit-entry.js';
import { newId } from '../../database/ids.js';
import { MAX_COPIED } from '../collection.js';
import * as sql from './arrival-statements.js';
import { COUNT_REBALANCE, SUBTREE } from './change-statements.js';
import { ChangesRepository } from './changes.repository.js';
import { sourceReadSet } from './read-set.js';
import { toResult } from './restorations.repository.js';
import { lockToChange, lockToRead, SliceRepository, } from './slice.repository.js';
import { SHOWN } from './trash-statements.js';
/** The tree writer's copies and transfers of subtrees. */
let ArrivalsRepository = class ArrivalsRepository {
    slices;
    changes;
    constructor(slices, changes) {
        this.slices = slices;
        this.changes = changes;
    }
    /**
     * Locks the workspace that a subtree comes from, too, and reads the subtree. Two workspaces are locked in
     * the order of their ids, so that transfers in opposite directions do not deadlock.
     * @param loadTarget locks the workspace that the subtree goes to, and reads its slice
     * @returns that slice, with the subtree
     * @throws DomainError not_found: one of the workspaces is gone
     */
    async load(run, { teamId, workspaceId }, command, loadTarget) {
        const { id, from, kind } = command;
        const ids = { teamId, workspaceId: from ?? workspaceId };
        const lock = (kind === 'copy' ? lockToRead : lockToChange)(ids);
        const loadSource = () => this.slices.load(run, ids, sourceReadSet(command), lock, []);
        let source = null;
        if (from !== null && from < workspaceId)
            source = await loadSource();
        const slice = await loadTarget();
        if (from !== null && from > workspaceId)
            source = await loadSource();
        slice.subtree = await readSubtree(run, source ?? slice, id, kind === 'copy');
        return slice;
    }
    /**
     * Copies or transfers the slice's subtree, and logs it on both sides.
     * @param rebalancing what makes room for it
     * @returns the item with its direct children, without their content; of a copy, the id of each copied
     *   item by that of its original; and what is to be counted
     */
    async carryOut(run, slice, rebalancing, { isCopy, named, parentId, position }, author) {
        const { teamId, workspaceId, now } = slice;
        const { root, ids, parentIds, treeStamp, pages, collections } = slice.subtree;
        const place = [teamId, workspaceId, root.id, parentId, position, now, randomUUID(), ids];
        if (!isCopy) {
            const from = { teamId, workspaceId: root.workspaceId, treeStamp };
            const answers = await run([
                ...rebalancing,
                // Positions below it may have been spread anew since it was here before.
                [COUNT_REBALANCE, [teamId, workspaceId]],
                [sql.TRANSFER, place],
                this.changes.log(from, ids),
                this.changes.log(slice, ids),
                [SHOWN, [teamId, workspaceId, root.id]],
            ]);
            const details = { pages, collections };
            const entries = [
                ['out', root.workspaceId],
                ['in', workspaceId],
            ].map(([direction, id]) => ({
                action: 'item.transferred',
                ...onItem(id, root),
                details: { ...details, direction },
            }));
            return {
                result: toResult(teamId, answers.at(-1)),
                statements: [recordStatement(teamId, author, entries)],
            };
        }
        const copies = new Map([ids].flat().map((id) => [id, newId()]));
        const newIds = [...copies.values()];
        const newParentIds = parentIds.map((id) => copies.get(id ?? '') ?? null);
        const { name = null, slug = null } = named ?? {};
        const answers = await run([
            ...rebalancing,
            [sql.COPY, [...place, newIds, newParentIds, name, slug]],
            this.changes.log(slice, newIds),
            [SHOWN, [teamId, workspaceId, copies.get(root.id)]],
        ]);
        return {
            result: { ...toResult(teamId, answers.at(-1)), copies },
            statements: [this.changes.count(slice, { pages, collections })],
        };
    }
};
ArrivalsRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [SliceRepository,
        ChangesRepository])
], ArrivalsRepository);
export { ArrivalsRepository };
/** @returns null: the item is not there */
async function readSubtree(run, { teamId, workspaceId, treeStamp, items, childVersions }, id, isToBeCopied) {
    const root = items.get(id);
    if (!root)
        return null;
    const values = [teamId, workspaceId, id];
    const [[subtree], [beside]] = (await run([
        // One more than may be copied: it is refused then.
        isToBeCopied ? [sql.SUBTREE_WITH_PARENTS, [...values, MAX_COPIED + 1]] : [SUBTREE, values],
        [sql.NEXT, values],
    ]));
    const { parent_ids: parentIds = [], ...size } = subtree;
    const versions = childVersions.get(id) ?? '';
    return { root, treeStamp, childVersions: versions, next: beside.next, parentIds, ...size };
}
//# sourceMappingURL=arrivals.repository.js.map