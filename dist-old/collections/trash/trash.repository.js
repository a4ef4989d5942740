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
import { Inject, Injectable } from '@nestjs/common';
import { record } from '../../audit/audit-entries.repository.js';
import { onItem, onWorkspace } from '../../audit/audit-entry.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { pageOf } from '../../teams/page.js';
import { findIn } from '../item-statements.js';
import { ALL } from '../tree-answer.js';
/** Deletions that are held for one response, about 2 MiB of JSON; more are streamed. */
const HELD = 5000;
/** Deletions that one statement marks as purged. */
const PORTION = 5000;
/** The trash of workspaces. A deletion that has expired, or was purged, is as good as gone. */
let TrashRepository = class TrashRepository {
    database;
    ttlSeconds;
    constructor(database, config) {
        this.database = database;
        this.ttlSeconds = config.trashTtlSeconds;
    }
    /**
     * The deletions of a workspace, newest first.
     * @returns null: no limit was given, and they are too many to be held: see stream()
     */
    async list(callerId, { teamId, workspaceId }, page) {
        const { limit, after } = page;
        const from = [after?.at ?? null, after?.id ?? null];
        const values = [teamId, workspaceId, this.ttlSeconds, ...from, (limit ?? HELD) + 1];
        const rows = await this.database.query(LIST, values, { callerId, teamId });
        if (limit === undefined && rows.length > HELD)
            return null;
        const listed = rows.map((row) => this.toListed(row));
        return pageOf(listed, page, ({ deletedAt, id }) => ({ at: deletedAt, id }));
    }
    /**
     * All deletions of a workspace as fast as their caller takes them, of one moment, in portions.
     * @throws DomainError rate_limit_exceeded: too many large responses to this caller are under way
     */
    async *stream(callerId, { teamId, workspaceId }, { after }) {
        const from = [after?.at ?? null, after?.id ?? null];
        const values = [teamId, workspaceId, this.ttlSeconds, ...from, ALL];
        for await (const rows of this.database.large.forCaller(callerId, [LIST, values])) {
            yield rows.map((row) => this.toListed(row));
        }
    }
    toListed(row) {
        const { deletedBy, deletedByName, deletedAt } = row;
        const isKnown = deletedBy !== null && deletedByName !== null;
        return {
            ...row,
            deletedBy: isKnown ? { id: deletedBy, name: deletedByName } : null,
            expiresAt: new Date(deletedAt.getTime() + this.ttlSeconds * 1000),
        };
    }
    /** The place of a deletion that no workspace was named for; null: there is none of this id. */
    async findPlace(id, userId) {
        if (!isUuid(id))
            return null;
        const [row] = await this.database.query(FIND_PLACE, [id, userId]);
        return row ?? null;
    }
    /** A deletion of a workspace; null: there is none of this id. */
    async find({ teamId, workspaceId }, id) {
        if (!isUuid(id))
            return null;
        const values = [teamId, workspaceId, id, this.ttlSeconds];
        const [row] = await this.database.query(FIND, values);
        if (!row)
            return null;
        const { plan, usedPages, usedCollections, ...deletion } = row;
        return { deletion, plan, usage: { pages: usedPages, collections: usedCollections } };
    }
    /** Purges a deletion, and records it. @returns false: there is none of this id */
    async purge(caller, ids, id) {
        if (!isUuid(id))
            return false;
        const { teamId, workspaceId } = ids;
        const values = [teamId, workspaceId, id, this.ttlSeconds];
        return this.database.transaction(async (tx) => {
            const [purged] = await tx.query(PURGE, values);
            if (!purged)
                return false;
            const { pages, collections } = purged;
            const details = { pages, collections };
            const about = onItem(workspaceId, purged);
            record(tx, teamId, caller, { action: 'item.purged', ...about, details });
            return true;
        }, { callerId: caller.id, teamId });
    }
    /** Purges all deletions of a workspace that are there now, in portions, and records each portion. */
    async empty(caller, workspace) {
        const { id, teamId } = workspace;
        const [row] = await this.database.query(NOW, []);
        const values = [teamId, id, row?.now, PORTION];
        const purgePortion = () => this.database.transaction(async (tx) => {
            const [emptied] = await tx.query(EMPTY, values);
            if (!emptied || emptied.deletions === 0)
                return false;
            const about = onWorkspace(workspace);
            record(tx, teamId, caller, { action: 'trash.emptied', ...about, details: emptied });
            return true;
        }, { callerId: caller.id, teamId });
        while (await purgePortion())
            ;
    }
};
TrashRepository = __decorate([
    Injectable(),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [Database, Object])
], TrashRepository);
export { TrashRepository };
const NOW = { name: 'trash.now', text: 'SELECT clock_timestamp() AS now' };
const isThere = (ttl) => `d.purged_at IS NULL AND d.deleted_at > now() - ${ttl}::int * interval '1 second'`;
const LIST = {
    name: 'trash.list',
    text: `
    SELECT d.id, d.name, d.object, d.parent_id AS "parentId", d.pages, d.collections,
      d.deleted_at AS "deletedAt", d.deleted_by AS "deletedBy", u.name AS "deletedByName"
    FROM trash_deletions d
    LEFT JOIN users u ON u.id = d.deleted_by
    WHERE d.team_id = $1 AND d.workspace_id = $2 AND ${isThere('$3')}
      AND ($4::timestamptz IS NULL OR (d.deleted_at, d.id) < ($4::timestamptz, $5::uuid))
    ORDER BY d.deleted_at DESC, d.id DESC LIMIT $6`,
    many: true,
};
const FIND_PLACE = findIn('trash.findPlace', 'trash_deletions');
const FIND = {
    name: 'trash.find',
    text: `
    SELECT d.id, d.deleted_at AS "deletedAt", d.parent_id AS "parentId", d.position, d.rebalances,
      d.before_id AS "beforeId", d.after_id AS "afterId", d.height, d.pages, d.collections,
      t.plan, u.pages AS "usedPages", u.collections AS "usedCollections"
    FROM trash_deletions d
    JOIN teams t ON t.id = d.team_id
    JOIN team_usage u ON u.team_id = d.team_id
    WHERE d.team_id = $1 AND d.workspace_id = $2 AND d.id = $3 AND ${isThere('$4')}`,
};
const PURGE = {
    name: 'trash.purge',
    text: `
    UPDATE trash_deletions d SET purged_at = now()
    WHERE d.team_id = $1 AND d.workspace_id = $2 AND d.id = $3 AND ${isThere('$4')}
    RETURNING d.id, d.name, d.object, d.pages, d.collections`,
};
/** What others restore or purge just now is waited for. */
const EMPTY = {
    name: 'trash.empty',
    text: `
    WITH purged AS (
      UPDATE trash_deletions SET purged_at = now()
      WHERE team_id = $1 AND workspace_id = $2 AND purged_at IS NULL AND id = ANY (ARRAY (
        SELECT id FROM trash_deletions
        WHERE team_id = $1 AND workspace_id = $2 AND purged_at IS NULL AND deleted_at <= $3
        ORDER BY deleted_at LIMIT $4
      )) RETURNING pages, collections
    )
    SELECT count(*)::int AS deletions, coalesce(sum(pages), 0)::int AS pages,
      coalesce(sum(collections), 0)::int AS collections
    FROM purged`,
};
//# sourceMappingURL=trash.repository.js.map