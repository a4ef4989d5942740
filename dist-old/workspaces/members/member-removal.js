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
import { record } from '../../audit/audit-entries.repository.js';
import { byService, onUser } from '../../audit/audit-entry.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { WorkspaceMembersRepository } from './workspace-members.repository.js';
/** What happens to a team when a member is gone, whoever decided that. */
let MemberRemoval = class MemberRemoval {
    teamMembers;
    members;
    usage;
    constructor(teamMembers, members, usage) {
        this.teamMembers = teamMembers;
        this.members = members;
        this.usage = usage;
    }
    /** What remove() depends on, in a transaction that has the membership lock. */
    async restOf(tx, teamId, userId) {
        const [otherOwner, successions] = await Promise.all([
            this.teamMembers.otherOwner(tx, teamId, userId),
            this.members.successors(tx, teamId, userId),
        ]);
        return { otherOwner, successions };
    }
    /**
     * Takes a member out of a team and all its workspaces. A private workspace that loses its last editor
     * gets another one: its longest-standing other member, else the team's longest-standing owner.
     * @param rest from restOf(), in the same transaction
     * @param entries what is recorded about it
     * @throws DomainError conflict: the last owner
     */
    remove(tx, teamId, userId, { otherOwner, successions }, author, entries) {
        if (otherOwner === null)
            throw lastOwner();
        const action = 'workspace_member.promoted';
        const role = 'editor';
        const promotions = successions.map((succession) => {
            const { workspaceId, userId: successor } = succession;
            const promoted = successor ?? otherOwner;
            this.members.setRoles(tx, { id: workspaceId, teamId }, [{ userId: promoted, role }]);
            return { action, ...onUser(promoted, workspaceId), details: { role } };
        });
        this.teamMembers.remove(tx, teamId, userId);
        record(tx, teamId, author, ...entries);
        record(tx, teamId, byService(author), ...promotions);
        this.usage.shrink(tx, teamId, { users: 1 });
    }
};
MemberRemoval = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [TeamMembersRepository,
        WorkspaceMembersRepository,
        TeamUsageRepository])
], MemberRemoval);
export { MemberRemoval };
//# sourceMappingURL=member-removal.js.map