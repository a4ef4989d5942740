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
import { Database, } from '../database/database.js';
import { isPossibleSlug } from '../database/ids.js';
import { jsonTime } from '../database/json-time.js';
import { TeamIds } from '../teams/team-ids.repository.js';
/** A row is both, as it is. */
const asBoth = (row) => ({ record: row, context: row });
/** The reads of workspaces that are called all the time: prepared SQL, roles included. */
let WorkspaceReadsRepository = class WorkspaceReadsRepository {
    database;
    ids;
    constructor(database, ids) {
        this.database = database;
        this.ids = ids;
    }
    /**
     * The workspace, all that decides on access to it, and what the statement reads of it, in one
     * round trip (two if the slug of the team is new to this process); null: no such team.
     * @param statement one of inWorkspace(), and its values from $5 on
     * @returns a row for each that the statement finds in the workspace, at least one
     */
    find({ team, slug }, userId, [statement, values] = [FIND, []]) {
        // The slug '' is no workspace's: what cannot exist is looked up as what does not.
        const workspaceSlug = isPossibleSlug(slug) ? slug : '';
        return this.ids.resolve(team, async (id, teamSlug) => {
            const all = [id, teamSlug, userId, workspaceSlug, ...values];
            const by = { callerId: userId, teamId: id };
            return toFound(await this.database.query(statement, all, by));
        });
    }
    /** The same within a transaction, where slugs may change: by id. @returns null: it is gone */
    async findIn(tx, { teamId, id }, userId) {
        return firstOf(await tx.query(FIND_BY_ID, [teamId, null, userId, id]));
    }
    /** The same outside a transaction. */
    async findById({ teamId, id }, userId) {
        return firstOf(await this.database.query(FIND_BY_ID, [teamId, null, userId, id]));
    }
    /**
     * The workspaces of a team, oldest first, without the private ones that the user has no role in;
     * null: no such team.
     */
    list(team, userId) {
        return this.ids.resolve(team, async (id, teamSlug) => toFound(await this.database.query(LIST, [id, teamSlug, userId])));
    }
};
WorkspaceReadsRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TeamIds])
], WorkspaceReadsRepository);
export { WorkspaceReadsRepository };
function firstOf(rows) {
    const [row] = toFound(rows)?.workspaces ?? [];
    return row ? asBoth(row) : null;
}
function toFound(rows) {
    const [first] = rows;
    if (!first)
        return null;
    const workspaces = [];
    for (const row of rows)
        if (row.id !== null)
            workspaces.push(row);
    return { teamId: first.teamId, teamRole: first.teamRole, workspaces };
}
const TEAM = 't.id AS "teamId", tm.role AS "teamRole", w.id';
const CONTEXT = 'w.visibility, w.default_access AS "defaultAccess"';
/**
 * A statement for find(). $1 is compared in every table: it runs on the one node that has the team.
 * @param columns to read beside the access to the workspace `w`
 * @param joins where they come from; parameters from $5 on
 */
export const inWorkspace = (name, columns, joins = '', order = '', by = 'slug') => ({
    name,
    text: `
    SELECT ${TEAM}, ${CONTEXT}, wm.role AS "workspaceRole", ${columns}
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.${by} = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3${joins}
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});
const RECORD = `t.plan, w.slug, w.name, w.description, w.tree_stamp AS "treeStamp", w.rebalances,
      w.created_at AS "createdAt", w.updated_at AS "updatedAt"`;
const FIND = inWorkspace('workspaces.find', RECORD);
const FIND_BY_ID = inWorkspace('workspaces.findById', RECORD, '', '', 'id');
/** A page of the members, the longest-standing first, as readPage() asks for it. */
export const MEMBERS = inWorkspace('workspaces.members', 'm."userId", m.at, p.name, p.email, p.image, m.role', `
    LEFT JOIN LATERAL (
      SELECT user_id AS "userId", created_at AS at, role FROM workspace_members
      WHERE team_id = $1 AND workspace_id = w.id
        AND ($5::timestamptz IS NULL OR (created_at, user_id) > ($5, $6::uuid))
      ORDER BY created_at, user_id LIMIT $7
    ) m ON true
    LEFT JOIN users p ON p.id = m."userId"`, ' ORDER BY m.at, m."userId"');
const JSON_TEXT = `
  '{"_id":"' || w.id || '","name":' || to_json(w.name) || ',"description":'
    || to_json(w.description) || ',"defaultAccess":"' || w.default_access
    || '","meta":{"title":' || to_json(w.name) || ',"description":' || to_json(w.description)
    || ',"slug":"' || w.slug || '"},"Visibility":"' || w.visibility
    || '","version":"' || w.tree_stamp
    || '","createdAt":"' || ${jsonTime('w.created_at')}
    || '","updatedAt":"' || ${jsonTime('w.updated_at')} || '"'`;
const LIST = {
    name: 'workspaces.list',
    text: `
    SELECT ${TEAM}, ${CONTEXT}, w."workspaceRole", ${JSON_TEXT} AS json
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (
      SELECT w.*, wm.role AS "workspaceRole"
      FROM workspaces w
      LEFT JOIN workspace_members wm
        ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
      WHERE w.team_id = $1 AND w.deleted_at IS NULL
        AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY w.created_at, w.id`,
};
//# sourceMappingURL=workspace-reads.repository.js.map