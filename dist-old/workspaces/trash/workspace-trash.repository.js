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
import { CONFIG } from '../../config/config.module.js';
import { isUuid } from '../../database/ids.js';
/** The workspaces in the trash. One that has expired, or was purged, is as good as gone. */
let WorkspaceTrashRepository = class WorkspaceTrashRepository {
    ttlSeconds;
    constructor(config) {
        this.ttlSeconds = config.trashTtlSeconds;
    }
    /**
     * Reads those that the caller may delete, newest first, for TeamsService.readForAction().
     * @param page as readPage() gives it
     */
    list(page, many) {
        return [{ ...LIST, many }, [...page, this.ttlSeconds]];
    }
    /** Reads one, for TeamsService.readForAction(). */
    byId(id) {
        return [FIND, [isUuid(id) ? id : null, this.ttlSeconds]];
    }
    /** One in a transaction; null: there is none of this id. */
    async findIn(tx, { id, teamId }, userId) {
        const values = [teamId, null, userId, id, this.ttlSeconds];
        const [row] = await tx.query(FIND, values);
        return row && row.id !== null ? row : null;
    }
    /** Moves a workspace to the trash: its row, and none of its items. */
    moveToTrash(tx, { id, teamId }, deletedBy, { pages, collections }) {
        tx.write(MOVE_TO_TRASH, [teamId, id, deletedBy, pages, collections]);
    }
    /** Brings a workspace back whose row the transaction has locked. */
    restore(tx, { id, teamId }, slug, now) {
        tx.write(RESTORE, [teamId, id, slug, now]);
    }
    /** Marks a workspace as purged whose row the transaction has locked. */
    purge(tx, { id, teamId }) {
        tx.write(PURGE, [teamId, id]);
    }
};
WorkspaceTrashRepository = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __metadata("design:paramtypes", [Object])
], WorkspaceTrashRepository);
export { WorkspaceTrashRepository };
const isThere = (ttl) => `w.purged_at IS NULL AND w.deleted_at > now() - ${ttl}::int * interval '1 second'`;
const statement = (name, columns, condition, order = '', joins = '') => ({
    name,
    text: `
    SELECT t.id AS "teamId", tm.role AS "teamRole", t.plan, w.*
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN LATERAL (
      SELECT w.id, w.slug, w.name, w.description, w.visibility,
        w.default_access AS "defaultAccess", wm.role AS "workspaceRole",
        w.deleted_pages AS pages, ${columns}
      FROM workspaces w
      LEFT JOIN workspace_members wm
        ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3${joins}
      WHERE w.team_id = $1 AND ${condition}
    ) w ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)${order}`,
});
/** decide() says the same; here it makes the pages of the list as long as they were asked for. */
const MAY_DELETE = `(wm.role = 'editor'
        OR w.visibility = 'public' AND tm.role IN ('moderator', 'owner'))`;
const LIST = statement('workspaceTrash.list', 'w.deleted_at AS at, w.deleted_by AS "deletedBy", p.name AS "deletedByName"', `${isThere('$7')} AND ${MAY_DELETE}
        AND ($4::timestamptz IS NULL OR (w.deleted_at, w.id) < ($4, $5::uuid))
      ORDER BY w.deleted_at DESC, w.id DESC LIMIT $6`, `
    ORDER BY w.at DESC, w.id DESC`, `
      LEFT JOIN users p ON p.id = w.deleted_by`);
const FIND = statement('workspaceTrash.find', `w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt",
        w.updated_at AS "updatedAt", w.deleted_collections AS collections, EXISTS (
          SELECT FROM workspaces o
          WHERE o.team_id = $1 AND o.slug = w.slug AND o.deleted_at IS NULL
        ) AS "isSlugTaken"`, `w.id = $4 AND ${isThere('$5')}`);
const MOVE_TO_TRASH = {
    name: 'workspaceTrash.moveToTrash',
    text: `
    UPDATE workspaces SET deleted_at = now(), deleted_by = $3, deleted_pages = $4,
      deleted_collections = $5
    WHERE team_id = $1 AND id = $2`,
};
const RESTORE = {
    name: 'workspaceTrash.restore',
    text: `
    UPDATE workspaces SET slug = $3, updated_at = $4, deleted_at = NULL, deleted_by = NULL,
      deleted_pages = NULL, deleted_collections = NULL
    WHERE team_id = $1 AND id = $2`,
};
const PURGE = {
    name: 'workspaceTrash.purge',
    text: 'UPDATE workspaces SET purged_at = now() WHERE team_id = $1 AND id = $2',
};
//# sourceMappingURL=workspace-trash.repository.js.map