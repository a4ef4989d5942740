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
import { onUser } from '../../audit/audit-entry.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { ReentryService } from '../../teams/members/reentry.service.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { TeamsService } from '../../teams/teams.service.js';
import { MemberRemoval } from './member-removal.js';
/** Takes people out of a team, and with that out of its workspaces. */
let MemberRemovalService = class MemberRemovalService {
    database;
    teams;
    teamMembers;
    removal;
    reentry;
    constructor(database, teams, teamMembers, removal, reentry) {
        this.database = database;
        this.teams = teams;
        this.teamMembers = teamMembers;
        this.removal = removal;
        this.reentry = reentry;
    }
    /**
     * Takes someone out of a team and all its workspaces; everyone may leave. What becomes of private
     * workspaces: see MemberRemoval. Whoever is removed by another loses what would lead back: see
     * ReentryService.
     * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
     */
    async remove(actor, ref, userId) {
        const leaves = userId === actor.id;
        const action = leaves ? 'team.leave' : 'team.managePeople';
        const { id } = await this.teams.forAction(actor, ref, action);
        const by = { callerId: actor.id, teamId: id };
        await this.database.transaction(async (tx) => {
            const [team, role, rest, inviteIds] = await Promise.all([
                this.teams.lockForAction(tx, actor, id, action),
                this.teamMembers.roleOf(tx, id, userId),
                this.removal.restOf(tx, id, userId),
                leaves ? [] : this.reentry.invitesToRevoke(tx, id, userId, null),
            ]);
            if (role === null)
                throw notFound('member');
            if (!leaves)
                enforceCanManage(team.role, [role]);
            const about = onUser(userId);
            if (leaves) {
                const left = { action: 'member.left', ...about, details: { role } };
                return this.removal.remove(tx, id, userId, rest, actor, [left]);
            }
            const details = { role, inviteCodeRenewed: true };
            const removed = { action: 'member.removed', ...about, details };
            const revoked = this.reentry.prevent(tx, id, inviteIds, removed.action);
            this.removal.remove(tx, id, userId, rest, actor, [removed, ...revoked]);
        }, by);
    }
};
MemberRemovalService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TeamsService,
        TeamMembersRepository,
        MemberRemoval,
        ReentryService])
], MemberRemovalService);
export { MemberRemovalService };
//# sourceMappingURL=member-removal.service.js.map