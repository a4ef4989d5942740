var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { COUNT, DELETE_WORKSPACE, MARK, MARK_DELETIONS, NEXT, NEXT_WORKSPACE, OVERDUE, REMOVE_CHANGES, REMOVE_DELETIONS, REMOVE_FROM_TREE, REMOVE_ITEMS, TAKE_TURN, } from './trash-purge-statements.js';
const BY_ITSELF = { purpose: 'trash purge' };
/** What the purge does in the database: each method is one short transaction. */
let TrashPurgeRepository = class TrashPurgeRepository {
    database;
    config;
    constructor(database, config) {
        this.database = database;
        this.config = config;
    }
    /**
     * Marks deletions and workspaces as purged: those that have expired, and the oldest ones of teams whose
     * trash holds more than their plan allows.
     * @param teams at most
     * @param each deletions and workspaces of a team, at most
     * @returns how many teams there were; null: another process is purging just now
     */
    markOverdue(teams, each) {
        const { planLimits, trashTtlSeconds } = this.config;
        return this.inTurn(async (tx) => {
            const values = [trashTtlSeconds, JSON.stringify(planLimits), teams];
            const [found] = (await tx.run([[OVERDUE, values]]));
            await tx.commit(found.map(({ team_id, plan }) => {
                const { pages, workspaces } = planLimits[plan];
                return [MARK, [team_id, trashTtlSeconds, pages, workspaces, randomUUID(), each]];
            }));
            return found.length;
        });
    }
    /**
     * Removes up to `most` items of what was purged in one team, and what has none left.
     * @returns how many items; null: nothing is purged, or another process is purging
     */
    removePortion(most) {
        return this.inTurn(async (tx) => {
            const [[next], [workspace]] = (await tx.run([
                [NEXT, []],
                [NEXT_WORKSPACE, []],
            ]));
            if (!next)
                return workspace ? this.removeFromWorkspace(tx, workspace, most) : null;
            const values = [next.team_id, most];
            const [removed] = await tx.commit([
                [REMOVE_ITEMS, values],
                [REMOVE_DELETIONS, values],
            ]);
            return Number(removed?.[0]?.items);
        });
    }
    /**
     * Removes items of its tree that have none below them, and rows of its log of changes, and marks its
     * deletions as purged: they are removed next. At the end it deletes the workspace.
     */
    async removeFromWorkspace(tx, { team_id, id }, most) {
        const [removed] = await tx.commit([
            [REMOVE_FROM_TREE, [team_id, id, most]],
            [MARK_DELETIONS, [team_id, id, most]],
            [REMOVE_CHANGES, [team_id, id, most]],
            [DELETE_WORKSPACE, [team_id, id]],
        ]);
        return Number(removed?.[0]?.items);
    }
    async count() {
        const [row] = await this.database.query(COUNT, []);
        return { restorable: Number(row?.restorable), purged: Number(row?.purged) };
    }
    /** Runs work in a transaction, if no other process does; null: one does. */
    inTurn(work) {
        return this.database.pipelined(BY_ITSELF, async (tx) => {
            const [[turn]] = (await tx.run([[TAKE_TURN, []]]));
            return turn?.taken ? work(tx) : null;
        });
    }
};
TrashPurgeRepository = __decorate([
    Injectable(),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [Database, Object])
], TrashPurgeRepository);
export { TrashPurgeRepository };
//# sourceMappingURL=trash-purge.repository.js.map