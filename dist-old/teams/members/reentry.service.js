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
import { canManage } from '../../access/decide.js';
import { TEAM_ROLES } from '../../access/roles.js';
import { onInvite } from '../../audit/audit-entry.js';
import { InvitesRepository } from '../invites/invites.repository.js';
import { newInviteCode } from '../team.js';
import { TeamsRepository } from '../teams.repository.js';
/** What keeps people from coming back, or from regaining a role, after somebody else took it away. */
let ReentryService = class ReentryService {
    teams;
    invites;
    constructor(teams, invites) {
        this.teams = teams;
        this.invites = invites;
    }
    /**
     * The pending invites that somebody sent and could not send with the role that is left, and those to
     * their own email. To be called behind the membership lock.
     * @param role what is left; null: they are not in the team any more
     * @returns their ids
     */
    invitesToRevoke(tx, teamId, userId, role) {
        const kept = TEAM_ROLES.filter((invited) => role !== null && canManage(role, [invited]));
        return this.invites.pendingOf(tx, teamId, userId, kept);
    }
    /**
     * Renews the team's invite code, which the person may know, and revokes invites. To be called in the
     * transaction that removes or demotes them.
     * @param inviteIds from invitesToRevoke()
     * @returns what is to be recorded about the invites
     */
    prevent(tx, teamId, inviteIds, because) {
        this.teams.setInviteCode(tx, teamId, newInviteCode());
        this.invites.revoke(tx, teamId, inviteIds);
        return inviteIds.map((id) => ({
            action: 'invite.revoked',
            ...onInvite(id),
            details: { because },
        }));
    }
};
ReentryService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [TeamsRepository,
        InvitesRepository])
], ReentryService);
export { ReentryService };
//# sourceMappingURL=reentry.service.js.map