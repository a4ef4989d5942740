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
import { decide } from '../access/decide.js';
import { enforce, enforceTeam } from '../access/enforce.js';
import { record } from '../audit/audit-entries.repository.js';
import { onWorkspace } from '../audit/audit-entry.js';
import { Database } from '../database/database.js';
import { notFound } from '../errors/domain-error.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import { takeMembershipLock } from '../teams/membership-lock.repository.js';
import { TeamUsageRepository } from '../teams/team-usage.repository.js';
import { assertSameTeam, TeamsService } from '../teams/teams.service.js';
import { WorkspaceMembersRepository } from './members/workspace-members.repository.js';
import { slugsFor } from './slug.js';
import { WorkspaceTrashRepository } from './trash/workspace-trash.repository.js';
import { accessIn, asSeenIn, newWorkspace, updateEntries, } from './workspace.js';
import { lockWorkspace } from './workspace-lock.repository.js';
import { WorkspaceReadsRepository } from './workspace-reads.repository.js';
import { WorkspacesRepository } from './workspaces.repository.js';
let WorkspacesService = class WorkspacesService {
    database;
    reads;
    workspaces;
    members;
    teams;
    usage;
    trash;
    constructor(database, reads, workspaces, members, teams, usage, trash) {
        this.database = database;
        this.reads = reads;
        this.workspaces = workspaces;
        this.members = members;
        this.teams = teams;
        this.usage = usage;
        this.trash = trash;
    }
    /**
     * Loads a workspace for an action: this and readForAction() are the only ways to a workspace from
     * outside.
     * @throws DomainError not_found, forbidden; bad_request where teamId and team_slug differ
     */
    async forAction(actor, ref, action) {
        const [row] = await this.readForAction(actor, ref, action);
        return asSeenIn({ record: row, context: row });
    }
    /**
     * Reads something of a workspace for an action, in one statement with what decides on it.
     * @param read one of inWorkspace(), and its values from $5 on
     * @returns its rows, at least one
     * @throws DomainError as forAction()
     */
    async readForAction(actor, ref, action, read) {
        const found = await this.reads.find(ref, actor.id, read);
        if (!found)
            throw notFound('team');
        enforceTeam('team.read', found.teamRole);
        assertSameTeam(ref.team, found.teamId);
        const [first, ...others] = found.workspaces;
        if (!first)
            throw notFound('workspace');
        enforce(action, first, 'workspace');
        return [first, ...others];
    }
    /**
     * The same, of a workspace that is known by its id.
     * @throws DomainError not_found, forbidden
     */
    async forActionById(actor, workspace, action) {
        return asSeenIn(authorized(await this.reads.findById(workspace, actor.id), action));
    }
    /**
     * Takes the membership lock of the team and loads the workspace for an action as it is then:
     * what was read before the lock may have changed since.
     * @throws DomainError not_found, forbidden
     */
    async lockForAction(tx, actor, workspace, action) {
        takeMembershipLock(tx, workspace.teamId);
        return authorized(await this.reads.findIn(tx, workspace, actor.id), action);
    }
    /** The workspaces that the caller can see, oldest first. @throws DomainError as forAction() */
    async list(actor, team) {
        const found = await this.reads.list(team, actor.id);
        if (!found)
            throw notFound('team');
        enforceTeam('workspace.list', found.teamRole);
        assertSameTeam(team, found.teamId);
        return found.workspaces
            .filter((workspace) => decide('workspace.read', workspace) === 'allow')
            .map((workspace) => ({ json: workspace.json, access: accessIn(workspace) }));
    }
    /**
     * Makes a workspace whose first editor is the caller.
     * @throws DomainError forbidden: role, or plan limit; not_found: team
     */
    async create(actor, ref, given, write) {
        const { id } = await this.teams.forAction(actor, ref, 'team.read');
        const work = withIdempotencyKey(write, { teamId: id }, async (tx) => {
            const [team, slug] = await Promise.all([
                this.teams.lockForAction(tx, actor, id, 'workspace.create'),
                this.freeSlug(tx, id, given.name),
            ]);
            const workspace = newWorkspace(team, slug, given);
            this.workspaces.create(tx, workspace);
            this.members.setRoles(tx, workspace, [{ userId: actor.id, role: 'editor' }]);
            const { visibility, defaultAccess } = workspace;
            const details = { slug, visibility, defaultAccess };
            record(tx, id, actor, { action: 'workspace.created', ...onWorkspace(workspace), details });
            this.usage.grow(tx, team, 'workspaces');
            const workspaceRole = 'editor';
            const context = { teamRole: team.role, workspaceRole, visibility, defaultAccess };
            return asSeenIn({ record: workspace, context });
        });
        return this.database.transaction(work, { callerId: actor.id, teamId: id });
    }
    /**
     * Changes what `changes` names. Whoever makes a workspace private becomes an editor of it.
     * @throws DomainError forbidden, not_found; conflict: slug taken
     */
    async update(actor, ref, changes) {
        const workspace = await this.forAction(actor, ref, 'workspace.update');
        const by = { callerId: actor.id, teamId: workspace.teamId };
        return this.database.transaction(async (tx) => {
            const found = await this.lockForAction(tx, actor, workspace, 'workspace.update');
            const named = Object.entries(changes).filter(([, value]) => value !== undefined);
            if (named.length === 0)
                return asSeenIn(found);
            const updated = { ...found.record, ...Object.fromEntries(named), updatedAt: new Date() };
            // The change of a setting may change what the caller can do.
            const { visibility, defaultAccess } = updated;
            const context = { ...found.context, visibility, defaultAccess };
            if (changes.visibility === 'private') {
                this.members.setRoles(tx, workspace, [{ userId: actor.id, role: 'editor' }]);
                context.workspaceRole = 'editor';
            }
            this.workspaces.update(tx, workspace, changes, updated.updatedAt);
            record(tx, workspace.teamId, actor, ...updateEntries(found, updated));
            return asSeenIn({ record: updated, context });
        }, by);
    }
    /**
     * Moves the workspace to the trash of its team: one row and the counters, however much it holds.
     * @throws DomainError forbidden, not_found
     */
    async delete(actor, ref) {
        const workspace = await this.forAction(actor, ref, 'workspace.delete');
        const by = { callerId: actor.id, teamId: workspace.teamId };
        await this.database.transaction(async (tx) => {
            takeMembershipLock(tx, workspace.teamId);
            lockWorkspace(tx, workspace);
            const [found, items] = await Promise.all([
                this.reads.findIn(tx, workspace, actor.id),
                this.workspaces.countItems(tx, workspace),
            ]);
            const { record: workspaceNow } = authorized(found, 'workspace.delete');
            this.trash.moveToTrash(tx, workspace, actor.id, items);
            const action = 'workspace.deleted';
            record(tx, workspace.teamId, actor, {
                action,
                ...onWorkspace(workspaceNow),
                details: items,
            });
            this.usage.shrink(tx, workspace.teamId, { ...items, workspaces: 1 });
        }, by);
    }
    /** Behind the membership lock nobody else takes the slug. */
    async freeSlug(tx, teamId, name) {
        for (;;) {
            const { wanted, fallback } = slugsFor(name);
            const slugs = [wanted, fallback];
            const taken = await this.workspaces.takenSlugs(tx, teamId, slugs);
            const free = slugs.find((slug) => !taken.includes(slug));
            if (free !== undefined)
                return free;
        }
    }
};
WorkspacesService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        WorkspaceReadsRepository,
        WorkspacesRepository,
        WorkspaceMembersRepository,
        TeamsService,
        TeamUsageRepository,
        WorkspaceTrashRepository])
], WorkspacesService);
export { WorkspacesService };
/** @throws DomainError not_found, forbidden */
function authorized(found, action) {
    if (!found)
        throw notFound('workspace');
    enforce(action, found.context, 'workspace');
    return found;
}
//# sourceMappingURL=workspaces.service.js.map