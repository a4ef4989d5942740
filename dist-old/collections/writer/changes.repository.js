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
import { recordStatement } from '../../audit/audit-entries.repository.js';
import { onItem } from '../../audit/audit-entry.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { timedOut, violatedConstraint } from '../../database/database-errors.js';
import { columns } from '../../database/pipelined-transaction.js';
import { notFound } from '../../errors/domain-error.js';
import { isAboutKeys, keyBusy } from '../../idempotency/idempotency-keys.repository.js';
import { limitReached } from '../../teams/team.js';
import * as sql from './change-statements.js';
import * as trash from './trash-statements.js';
/** The tree writer's writes: the changes of commands, and the removal of a subtree. */
let ChangesRepository = class ChangesRepository {
    database;
    config;
    pageLimits;
    constructor(database, config) {
        this.database = database;
        this.config = config;
        const limits = Object.entries(config.planLimits).map(([plan, { pages }]) => [plan, pages]);
        this.pageLimits = JSON.stringify(Object.fromEntries(limits));
    }
    /** Writes and logs what commands changed, the counter last: it is shared by the whole team. */
    statements(slice, changes, removed = NONE) {
        const statements = [...removed.statements, ...rowStatements(slice, changes)];
        const changed = idsOf(changes);
        if (changed.length > 0)
            statements.push(this.log(slice, changed));
        const made = countsOf(changes.inserts);
        const pages = made.pages - removed.pages;
        const collections = made.collections - removed.collections;
        if (pages !== 0 || collections !== 0) {
            statements.push(this.count(slice, { pages, collections }));
        }
        return statements;
    }
    /** Logs items as changed by this commit; none: it changed no item, but its version has a row. */
    log({ teamId, workspaceId, treeStamp }, ids) {
        const logged = ids.length > 0 ? ids : [workspaceId];
        return [sql.LOG, [teamId, workspaceId, logged, treeStamp]];
    }
    /** Counts items that came; past the plan's limit, violates a constraint: see explain(). */
    count({ teamId, workspaceId }, { pages, collections }) {
        return [sql.COUNT_ITEMS, [teamId, workspaceId, pages, collections, this.pageLimits]];
    }
    /**
     * Writes what one command changed, and gives the tree a new stamp; violates NOT NULL where the tree
     * is not as the slice has it any more.
     * @returns false where the workspace is gone, and nothing was written
     */
    async writeGuarded(slice, changes, stamp) {
        const { treeStamp } = slice;
        const { inserts, updates, repositioned } = changes;
        const rows = rowStatements(slice, changes);
        const [[statement, values]] = rows;
        const isOneStatement = !(await this.database.isDistributed());
        if (isOneStatement && updates.length + repositioned.length === 0) {
            const { pages, collections } = countsOf(inserts);
            const counted = [treeStamp, stamp, pages, collections, this.pageLimits];
            const statement = [sql.INSERT_GUARDED, [...values, ...counted]];
            return (await this.database.write({ teamId: slice.teamId }, statement)).length > 0;
        }
        if (isOneStatement && statement === sql.UPDATE && rows.length === 1) {
            const guarded = [sql.UPDATE_GUARDED, [...values, treeStamp, stamp]];
            return (await this.database.write({ teamId: slice.teamId }, guarded)).length > 0;
        }
        const guard = [sql.GUARD, [slice.teamId, slice.workspaceId, treeStamp, stamp]];
        const by = { teamId: slice.teamId };
        const written = [guard, ...this.statements(slice, changes)];
        const [guarded] = await this.database.pipelined(by, (tx) => tx.commit(written));
        return guarded?.length === 1;
    }
    /** Reads what a removal takes: its statements are those of the commit. */
    async remove(run, slice, { id, trashedBy }, author) {
        const ids = [slice.teamId, slice.workspaceId];
        const reads = [[sql.SUBTREE, [...ids, id]]];
        if (trashedBy !== null)
            reads.push([trash.NEIGHBOURS, [...ids, id]]);
        const [[subtree], [neighbours] = []] = (await run(reads));
        const { pages, collections } = subtree;
        const statements = [[sql.LOG, [...ids, subtree.ids, slice.treeStamp]]];
        const item = slice.items.get(id);
        if (trashedBy !== null && neighbours) {
            const { parentId, object, name, position } = item;
            const { before_id, after_id } = neighbours;
            const place = [parentId, object, name, position, before_id, after_id];
            const size = [subtree.height, pages, collections];
            statements.push([trash.INSERT_DELETION, [...ids, id, ...place, ...size, slice.now, trashedBy]], [trash.COPY_TO_TRASH, [...ids, id, subtree.ids]]);
        }
        const details = { pages, collections, permanent: trashedBy === null };
        const about = onItem(slice.workspaceId, item);
        statements.push([sql.DELETE, [...ids, subtree.ids]], recordStatement(slice.teamId, author, [{ action: 'item.deleted', ...about, details }]));
        return { pages, collections, statements };
    }
    /** What a refusal of the database means to the caller, or the error itself. */
    async explain({ teamId }, error) {
        if (isAboutKeys(error) && timedOut(error))
            return keyBusy(error);
        const constraint = violatedConstraint(error);
        if (constraint === 'collections_workspace_fkey')
            return notFound('workspace');
        const resource = LIMITED_BY[constraint ?? ''];
        if (resource === undefined)
            return error;
        const [team] = await this.database.query(sql.PLAN, [teamId]);
        if (!team)
            return notFound('team');
        return limitReached({ ...team, limit: this.config.planLimits[team.plan] }, resource);
    }
};
ChangesRepository = __decorate([
    Injectable(),
    __param(1, Inject(CONFIG)),
    __metadata("design:paramtypes", [Database, Object])
], ChangesRepository);
export { ChangesRepository };
/** The ids of the items that changed. */
const idsOf = ({ inserts, updates, repositioned }) => [
    ...inserts.map(({ id }) => id),
    ...updates.map(({ row }) => row.id),
    ...repositioned.map(({ id }) => id),
];
/** Writes rows, updates before inserts. */
function rowStatements({ teamId, workspaceId, now }, { inserts, updates, repositioned, isRebalanced }) {
    const ids = [teamId, workspaceId];
    const statements = [];
    if (isRebalanced)
        statements.push([sql.COUNT_REBALANCE, ids]);
    if (updates.length + repositioned.length > 0) {
        const rows = [
            ...updates.map(({ row, savesContent }) => (savesContent ? row : withoutContent(row))),
            ...repositioned.map((row) => ({ ...row, name: null, content: null, version: null })),
        ];
        statements.push([
            sql.UPDATE,
            [
                ...ids,
                now,
                ...plainColumns(rows, ['id', 'parentId', 'position']),
                ...columns(rows, ['name', 'content', 'version']),
            ],
        ]);
    }
    if (inserts.length > 0) {
        const names = ['id', 'parentId', 'object', 'name', 'slug', 'position', 'content'];
        statements.push([sql.INSERT, [...ids, now, ...columns(inserts, names)]]);
    }
    return statements;
}
/**
 * Columns as the text of arrays, of ids and positions: none has quotes or backslashes. node-postgres
 * looks for them in each value, which takes longer than all else that is done for a long order.
 */
const plainColumns = (rows, names) => names.map((name) => {
    const values = rows.map((row) => (row[name] === null ? 'NULL' : `"${row[name]}"`));
    return `{${values.join(',')}}`;
});
/** Only what is written of a row, field by field: to copy the others is slow, and orders are long. */
const withoutContent = ({ id, parentId, position, name, version }) => ({
    id,
    parentId,
    position,
    name,
    version,
    content: null,
});
const NONE = { pages: 0, collections: 0, statements: [] };
function countsOf(items) {
    const pages = items.filter(({ object }) => object === 'item').length;
    return { pages, collections: items.length - pages };
}
/** What is past the plan's limit, by the constraint that says so. */
const LIMITED_BY = {
    team_usage_check: 'pages',
    team_usage_collections_check: 'collections',
};
//# sourceMappingURL=changes.repository.js.map