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
import { onUser } from '../../audit/audit-entry.js';
import { UsersService } from '../../auth/users.service.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import { asSeenBy } from '../team.js';
import { TeamReadsRepository } from '../team-reads.repository.js';
import { TeamUsageRepository } from '../team-usage.repository.js';
import { TeamsRepository } from '../teams.repository.js';
import { memberAlready } from './team-member.js';
import { TeamMembersRepository } from './team-members.repository.js';
/** How people become members of a team. */
let JoinService = class JoinService {
    database;
    reads;
    teams;
    members;
    usage;
    users;
    constructor(database, reads, teams, members, usage, users) {
        this.database = database;
        this.reads = reads;
        this.teams = teams;
        this.members = members;
        this.usage = usage;
        this.users = users;
    }
    /**
     * Makes the caller a member of the team that has this invite code.
     * @throws DomainError not_found: no such code; conflict: a member already; forbidden: plan limit
     */
    byCode(actor, inviteCode, write) {
        const work = withIdempotencyKey(write, {}, async (tx) => {
            const [, id] = await Promise.all([
                this.users.hold(tx, actor),
                this.teams.lockByInviteCode(tx, inviteCode),
            ]);
            const team = id === null ? null : await this.reads.findIn(tx, id, actor.id);
            if (team === null)
                throw notFound('team with this invite code');
            const details = { role: 'member', by: 'code' };
            record(tx, team.id, actor, { action: 'member.joined', ...onUser(actor.id), details });
            return this.admit(tx, actor, team, 'member');
        });
        // All who come by one code wait for the lock of one team.
        return this.database.transaction(work, { callerId: actor.id, purpose: inviteCode });
    }
    /**
     * Adds the caller to a team, in a transaction that holds the caller's record and has the membership
     * lock.
     * @param team as it was read behind the lock
     * @throws DomainError conflict: a member already; forbidden: plan limit
     */
    admit(tx, actor, team, role) {
        if (team.role !== null)
            throw memberAlready();
        this.members.add(tx, team.id, actor.id, role);
        this.usage.grow(tx, team, 'users');
        const usage = { ...team.usage, users: team.usage.users + 1 };
        return asSeenBy(actor, { ...team, role, usage });
    }
};
JoinService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TeamReadsRepository,
        TeamsRepository,
        TeamMembersRepository,
        TeamUsageRepository,
        UsersService])
], JoinService);
export { JoinService };
//# sourceMappingURL=join.service.js.map