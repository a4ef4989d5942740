var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
const BY_ITSELF = { purpose: 'purge of changes' };
/** Held to the end of the transaction. The number is the name of the lock. */
const TAKE_TURN = {
    name: 'changesPurge.takeTurn',
    text: 'SELECT pg_try_advisory_xact_lock(7263515) AS taken',
};
/** The oldest row of all that are older than $1 seconds; an index serves now(), not clock_timestamp(). */
const NEXT = {
    name: 'changesPurge.next',
    text: `
    SELECT team_id, workspace_id, version FROM tree_changes
    WHERE created_at <= now() - $1::int * interval '1 second' ORDER BY created_at LIMIT 1`,
};
/**
 * Whole versions of a workspace, the oldest first, $3 rows and the rest of the last version: those that
 * are older than $5 seconds, and all up to the version $4.
 */
const REMOVE = {
    name: 'changesPurge.remove',
    text: `
    WITH removed AS (
      DELETE FROM tree_changes WHERE team_id = $1 AND workspace_id = $2 AND version <= (
        SELECT max(version) FILTER (
          WHERE version <= $4::bigint OR created_at <= now() - $5::int * interval '1 second'
        ) FROM (
          SELECT version, created_at FROM tree_changes WHERE team_id = $1 AND workspace_id = $2
          ORDER BY team_id, workspace_id, version, id LIMIT $3
        ) AS oldest
      ) RETURNING 1
    )
    SELECT count(*) AS rows FROM removed`,
};
/** What the purge of the log of changes does in the database. */
let ChangesPurgeRepository = class ChangesPurgeRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /**
     * Removes old versions of one workspace from the log, in one short transaction.
     * @param age in seconds, from which on a row is old
     * @param most rows, and the rest of their last version
     * @returns how many rows; null: there are no old ones, or another process removes them
     */
    removePortion(age, most) {
        return this.database.pipelined(BY_ITSELF, async (tx) => {
            const [turn, found] = (await tx.run([
                [TAKE_TURN, []],
                [NEXT, [age]],
            ]));
            const [next] = found;
            if (!turn[0]?.taken || !next)
                return null;
            const values = [next.team_id, next.workspace_id, most, next.version, age];
            const [removed] = await tx.commit([[REMOVE, values]]);
            return Number(removed?.[0]?.rows);
        });
    }
};
ChangesPurgeRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], ChangesPurgeRepository);
export { ChangesPurgeRepository };
//# sourceMappingURL=changes-purge.repository.js.map