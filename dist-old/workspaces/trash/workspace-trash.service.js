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
import { decide } from '../../access/decide.js';
import { record } from '../../audit/audit-entries.repository.js';
import { onWorkspace } from '../../audit/audit-entry.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import { readPage } from '../../teams/page.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { TeamsService } from '../../teams/teams.service.js';
import { withSuffix } from '../slug.js';
import { asSeenIn } from '../workspace.js';
import { lockWorkspace } from '../workspace-lock.repository.js';
import { PurgeRequests } from './purge-requests.js';
import { WorkspaceTrashRepository, } from './workspace-trash.repository.js';
/**
 * The workspaces in the trash of a team. Whoever could delete one if it were not there may see,
 * restore and purge it; for all others it does not exist.
 */
let WorkspaceTrashService = class WorkspaceTrashService {
    database;
    teams;
    trash;
    usage;
    purgeRequests;
    constructor(database, teams, trash, usage, purgeRequests) {
        this.database = database;
        this.teams = teams;
        this.trash = trash;
        this.usage = usage;
        this.purgeRequests = purgeRequests;
    }
    /** Those that the caller may restore, newest first. @throws DomainError not_found, forbidden: team */
    async list(actor, ref, page) {
        const { items, next } = await readPage(page, (values, many) => this.teams.readForAction(actor, ref, 'workspace.list', this.trash.list(values, many)));
        return { items: items.map((row) => this.toListed(row)), next };
    }
    /**
     * Brings a workspace back with its content, its members and its own trash, under its slug or, if that
     * is taken, with a suffix.
     * @throws DomainError not_found: team or workspace; forbidden: not in the team, or the limits of
     *   the plan
     */
    async restore(actor, ref, id, write) {
        const key = await this.find(actor, ref, id);
        const scope = { teamId: key.teamId, workspaceId: key.id };
        const work = withIdempotencyKey(write, scope, async (tx) => {
            const [team, found] = await this.lock(tx, actor, key);
            const slug = found.isSlugTaken ? withSuffix(found.slug) : found.slug;
            const updatedAt = new Date();
            this.trash.restore(tx, key, slug, updatedAt);
            const { pages, collections } = found;
            const details = { pages, collections, slug };
            const restored = { action: 'workspace.restored', ...onWorkspace(found), details };
            record(tx, key.teamId, actor, restored);
            this.usage.grow(tx, team, 'workspaces');
            this.usage.growItems(tx, team, found);
            const workspace = { ...found, id: key.id, teamId: key.teamId, slug, updatedAt };
            return asSeenIn({ record: workspace, context: found });
        });
        return this.database.transaction(work, { callerId: actor.id, teamId: key.teamId });
    }
    /** Deletes a workspace for good. @throws DomainError not_found: team or workspace; forbidden */
    async purge(actor, ref, id) {
        const key = await this.find(actor, ref, id);
        const by = { callerId: actor.id, teamId: key.teamId };
        await this.database.transaction(async (tx) => {
            const [, found] = await this.lock(tx, actor, key);
            this.trash.purge(tx, key);
            const { pages, collections, visibility } = found;
            const details = { pages, collections, visibility };
            record(tx, key.teamId, actor, {
                action: 'workspace.purged',
                ...onWorkspace(found),
                details,
            });
        }, by);
        this.purgeRequests.add();
    }
    /** A workspace in the trash that the caller may delete. @throws DomainError not_found, forbidden */
    async find(actor, ref, id) {
        const [row] = await this.teams.readForAction(actor, ref, 'team.read', this.trash.byId(id));
        return deletable(row ?? null);
    }
    /** The same as it is behind the locks of the team and of the workspace. */
    async lock(tx, actor, key) {
        const lockAndFind = () => {
            lockWorkspace(tx, key);
            return this.trash.findIn(tx, key, actor.id);
        };
        const [team, found] = await Promise.all([
            this.teams.lockForAction(tx, actor, key.teamId, 'team.read'),
            lockAndFind(),
        ]);
        return [team, deletable(found)];
    }
    toListed({ at, deletedBy, deletedByName, ...row }) {
        return {
            ...row,
            deletedAt: at,
            deletedBy: deletedBy === null || deletedByName === null
                ? null
                : { id: deletedBy, name: deletedByName },
            expiresAt: new Date(at.getTime() + this.trash.ttlSeconds * 1000),
        };
    }
};
WorkspaceTrashService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TeamsService,
        WorkspaceTrashRepository,
        TeamUsageRepository,
        PurgeRequests])
], WorkspaceTrashService);
export { WorkspaceTrashService };
/** @throws DomainError not_found: it is not there, or the caller may not delete it */
function deletable(found) {
    if (!found || decide('workspace.delete', found) !== 'allow')
        throw notInTeamTrash();
    return found;
}
/** One that the caller may not delete is as good as none. */
export const notInTeamTrash = () => notFound('workspace');
//# sourceMappingURL=workspace-trash.service.js.map