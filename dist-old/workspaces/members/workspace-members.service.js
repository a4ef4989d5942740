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
import { enforceGivingUpRole } from '../../access/enforce.js';
import { record } from '../../audit/audit-entries.repository.js';
import { onUser } from '../../audit/audit-entry.js';
import { isSameEmail } from '../../auth/email.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import { findMembersByEmail } from '../../teams/members/members-by-email.repository.js';
import { ownsEmail } from '../../teams/members/team-member.js';
import { readPage } from '../../teams/page.js';
import { MEMBERS } from '../workspace-reads.repository.js';
import { WorkspacesService } from '../workspaces.service.js';
import { lastEditor, unclearEmails, } from './workspace-member.js';
import { WorkspaceMembersRepository, } from './workspace-members.repository.js';
/** Who has a role of their own in a workspace. */
let WorkspaceMembersService = class WorkspaceMembersService {
    database;
    workspaces;
    members;
    constructor(database, workspaces, members) {
        this.database = database;
        this.workspaces = workspaces;
        this.members = members;
    }
    /** The longest-standing first. @throws DomainError not_found, forbidden */
    async list(actor, ref, page) {
        return readPage(page, async (values, many) => {
            const rows = await this.workspaces.readForAction(actor, ref, 'workspace.listMembers', [{ ...MEMBERS, many }, values]);
            return rows.flatMap(({ userId, at, name, email, image, role }) => userId === null ? [] : [{ id: userId, at, name, email, image, role }]);
        });
    }
    /**
     * Gives roles to team members, to all or to none; those who have one get the new one.
     * @param people no email twice, letter case aside
     * @returns everyone who has a role afterwards
     * @throws DomainError not_found, forbidden; unprocessable_entity: an email is not that of exactly
     *   one team member; conflict: it would take the last editor of a private workspace
     */
    async add(actor, ref, people, write) {
        const { id, teamId } = await this.workspaces.forAction(actor, ref, 'workspace.read');
        const work = withIdempotencyKey(write, { teamId, workspaceId: id }, async (tx) => {
            const workspace = { id, teamId };
            const emails = people.map(({ email }) => email);
            const [found, members, before] = await Promise.all([
                this.workspaces.lockForAction(tx, actor, workspace, 'workspace.manageMembers'),
                findMembersByEmail(tx, teamId, emails),
                this.members.rolesByEmail(tx, workspace, emails),
            ]);
            const roles = identify(members, people);
            this.members.setRoles(tx, workspace, roles);
            record(tx, teamId, actor, ...roles.flatMap((role) => roleEntries(id, role, before)));
            const [all] = await Promise.all([
                this.members.all(tx, workspace),
                this.assertKeepsEditor(tx, found),
            ]);
            return all;
        });
        return this.database.transaction(work, { callerId: actor.id, teamId });
    }
    /** @throws DomainError not_found: workspace or member; forbidden; conflict: the last editor */
    async changeRole(actor, ref, userId, role) {
        const workspace = await this.workspaces.forAction(actor, ref, 'workspace.manageMembers');
        const by = { callerId: actor.id, teamId: workspace.teamId };
        await this.database.transaction(async (tx) => {
            const [found, before] = await Promise.all([
                this.workspaces.lockForAction(tx, actor, workspace, 'workspace.manageMembers'),
                this.members.roleOf(tx, workspace, userId),
            ]);
            if (before === null)
                throw notFound('member');
            this.members.setRoles(tx, workspace, [{ userId, role }]);
            const entries = roleEntries(workspace.id, { userId, role }, [{ userId, role: before }]);
            record(tx, workspace.teamId, actor, ...entries);
            await this.assertKeepsEditor(tx, found);
        }, by);
    }
    /**
     * Everyone may give up their own role, unless they could do more without it: that requires somebody
     * who manages the workspace.
     * @throws DomainError as changeRole()
     */
    async remove(actor, ref, userId) {
        const action = userId === actor.id ? 'workspace.leave' : 'workspace.manageMembers';
        const workspace = await this.workspaces.forAction(actor, ref, action);
        const by = { callerId: actor.id, teamId: workspace.teamId };
        await this.database.transaction(async (tx) => {
            const [found, before] = await Promise.all([
                this.workspaces.lockForAction(tx, actor, workspace, action),
                this.members.roleOf(tx, workspace, userId),
            ]);
            if (before === null)
                throw notFound('member');
            if (userId === actor.id)
                enforceGivingUpRole(found.context);
            this.members.remove(tx, workspace, userId);
            record(tx, workspace.teamId, actor, {
                action: 'workspace_member.removed',
                ...onUser(userId, workspace.id),
                details: { role: before },
            });
            await this.assertKeepsEditor(tx, found);
        }, by);
    }
    /** To be called after the change. @throws DomainError conflict: it took the last editor */
    async assertKeepsEditor(tx, { record }) {
        if (record.visibility === 'public' || (await this.members.hasEditor(tx, record)))
            return;
        throw lastEditor();
    }
};
WorkspaceMembersService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        WorkspacesService,
        WorkspaceMembersRepository])
], WorkspaceMembersService);
export { WorkspaceMembersService };
/** What the audit log says of a role that somebody is given in a workspace; nothing if they have it. */
function roleEntries(workspaceId, { userId, role }, before) {
    const about = onUser(userId, workspaceId);
    const former = before.find((known) => known.userId === userId)?.role;
    if (former === role)
        return [];
    if (former === undefined) {
        return [{ action: 'workspace_member.added', ...about, details: { role } }];
    }
    const details = { from: former, to: role };
    return [{ action: 'workspace_member.role_changed', ...about, details }];
}
/**
 * The users with these emails. An email that a token only claims is nobody's.
 * @throws DomainError unprocessable_entity naming the emails of nobody, or of several
 */
function identify(members, people) {
    const owners = members.filter(ownsEmail);
    const unclear = [];
    const roles = people.flatMap(({ email, role }) => {
        const [member, ...others] = owners.filter((owner) => isSameEmail(owner.email, email));
        if (member && others.length === 0)
            return [{ userId: member.id, role }];
        unclear.push(email);
        return [];
    });
    if (unclear.length > 0)
        throw unclearEmails(unclear);
    return roles;
}
//# sourceMappingURL=workspace-members.service.js.map