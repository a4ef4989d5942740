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
import { enforceCanManage } from '../../access/enforce.js';
import { isAtLeast } from '../../access/roles.js';
import { record } from '../../audit/audit-entries.repository.js';
import { onUser } from '../../audit/audit-entry.js';
import { UsersRepository } from '../../auth/users.repository.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { readPage } from '../page.js';
import { MEMBERS } from '../team-reads.repository.js';
import { TeamsService } from '../teams.service.js';
import { Ownership } from './ownership.js';
import { ReentryService } from './reentry.service.js';
import { lastOwner } from './team-member.js';
import { TeamMembersRepository } from './team-members.repository.js';
/** The people of a team and their roles. */
let TeamMembersService = class TeamMembersService {
    database;
    teams;
    members;
    users;
    ownership;
    reentry;
    constructor(database, teams, members, users, ownership, reentry) {
        this.database = database;
        this.teams = teams;
        this.members = members;
        this.users = users;
        this.ownership = ownership;
        this.reentry = reentry;
    }
    /** The longest-standing first. @throws DomainError not_found, forbidden */
    async list(actor, ref, page) {
        const read = (values, many) => this.teams.readForAction(actor, ref, 'team.listMembers', [
            { ...MEMBERS, many },
            values,
        ]);
        return readPage(page, read);
    }
    /**
     * Gives a member another role. Whoever is demoted by another loses what would lead back: see
     * ReentryService.
     * @throws DomainError forbidden: role, or the person owns too many teams; not_found: team or
     *   member; conflict: the last owner
     */
    async changeRole(actor, ref, userId, role) {
        const { id, role: own } = await this.teams.forAction(actor, ref, 'team.managePeople');
        enforceCanManage(own, [role]);
        const by = { callerId: actor.id, teamId: id };
        await this.database.transaction(async (tx) => {
            if (role === 'owner' && (await this.members.roleOf(tx, id, userId)) === null) {
                throw notFound('member');
            }
            const [, team, before, otherOwner, inviteIds] = await Promise.all([
                // Users come before teams in the order of locks.
                role === 'owner' && this.users.holdAlone(tx, userId),
                this.teams.lockForAction(tx, actor, id, 'team.managePeople'),
                this.members.roleOf(tx, id, userId),
                this.members.otherOwner(tx, id, userId),
                // Nobody is demoted to owner.
                role === 'owner' ? [] : this.reentry.invitesToRevoke(tx, id, userId, role),
            ]);
            if (before === null)
                throw notFound('member');
            enforceCanManage(team.role, [before, role]);
            if (role === before)
                return;
            if (role === 'owner')
                await this.ownership.assertRoom(tx, userId);
            else if (otherOwner === null)
                throw lastOwner();
            this.members.setRole(tx, id, userId, role);
            const action = 'member.role_changed';
            const isDemoted = userId !== actor.id && isAtLeast(before, role);
            const revoked = isDemoted ? this.reentry.prevent(tx, id, inviteIds, action) : [];
            const details = { from: before, to: role, inviteCodeRenewed: isDemoted };
            record(tx, id, actor, { action, ...onUser(userId), details }, ...revoked);
        }, by);
    }
};
TeamMembersService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TeamsService,
        TeamMembersRepository,
        UsersRepository,
        Ownership,
        ReentryService])
], TeamMembersService);
export { TeamMembersService };
//# sourceMappingURL=team-members.service.js.map