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
import { onInvite, onUser } from '../../audit/audit-entry.js';
import { UsersService } from '../../auth/users.service.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import { JoinService } from '../members/join.service.js';
import { Ownership } from '../members/ownership.js';
import { takeMembershipLock } from '../membership-lock.repository.js';
import { TeamReadsRepository } from '../team-reads.repository.js';
import { assertOpen, emailNotVerified } from './invite.js';
import { InvitesRepository } from './invites.repository.js';
import { InvitesByEmailRepository } from './invites-by-email.repository.js';
/** What an invited person does with their invites. */
let MyInvitesService = class MyInvitesService {
    database;
    teams;
    invites;
    byEmail;
    users;
    ownership;
    join;
    constructor(database, teams, invites, byEmail, users, ownership, join) {
        this.database = database;
        this.teams = teams;
        this.invites = invites;
        this.byEmail = byEmail;
        this.users = users;
        this.ownership = ownership;
        this.join = join;
    }
    /** The caller's invites that can be accepted; none where the email is not known to be theirs. */
    async list(actor, page) {
        if (!actor.emailVerified)
            return { items: [], next: null };
        return this.byEmail.list(actor.email, page);
    }
    /**
     * Makes the caller a member of the team, in the role of the invite.
     * @throws DomainError forbidden: email not verified, plan limit, or too many owned teams; not_found;
     *   invite_expired; conflict: accepted already, or a member already
     */
    async accept(actor, inviteId, write) {
        const { teamId } = await this.findMine(actor, inviteId);
        const work = withIdempotencyKey(write, {}, async (tx) => {
            const [, invite, team] = await Promise.all([
                // Alone, since the invite may make them the owner of one more team.
                this.users.holdAlone(tx, actor),
                this.lockMine(tx, actor, teamId, inviteId),
                this.teams.findIn(tx, teamId, actor.id),
            ]);
            if (!team)
                throw notFound('team');
            if (invite.role === 'owner')
                await this.ownership.assertRoom(tx, actor.id);
            this.invites.setState(tx, invite, 'accepted');
            const { id, role } = invite;
            record(tx, teamId, actor, { action: 'invite.accepted', ...onInvite(id), details: { role } }, {
                action: 'member.joined',
                ...onUser(actor.id),
                details: { role, by: 'invite', inviteId: id },
            });
            return this.join.admit(tx, actor, team, role);
        });
        return this.database.transaction(work, { callerId: actor.id, teamId });
    }
    /** @throws DomainError as accept(), of the invite */
    async decline(actor, inviteId, write) {
        const { teamId } = await this.findMine(actor, inviteId);
        const work = withIdempotencyKey(write, {}, async (tx) => {
            const invite = await this.lockMine(tx, actor, teamId, inviteId);
            this.invites.setState(tx, invite, 'declined');
            const details = { role: invite.role };
            record(tx, teamId, actor, { action: 'invite.declined', ...onInvite(invite.id), details });
        });
        return this.database.transaction(work, { callerId: actor.id, teamId });
    }
    /** The invite as it is before the lock: nobody locks a team that has not invited them. */
    async findMine(actor, inviteId) {
        if (!actor.emailVerified)
            throw emailNotVerified();
        const invite = await this.byEmail.find(actor.email, inviteId);
        if (!invite)
            throw notFound('invite');
        return invite;
    }
    /** Takes the membership lock of the inviting team. @returns the invite as it is then */
    async lockMine(tx, actor, teamId, inviteId) {
        takeMembershipLock(tx, teamId);
        const invite = await this.byEmail.findIn(tx, actor.email, inviteId);
        assertOpen(invite);
        return invite;
    }
};
MyInvitesService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TeamReadsRepository,
        InvitesRepository,
        InvitesByEmailRepository,
        UsersService,
        Ownership,
        JoinService])
], MyInvitesService);
export { MyInvitesService };
//# sourceMappingURL=my-invites.service.js.map