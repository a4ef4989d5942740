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
import { enforceTeam } from '../access/enforce.js';
import { record } from '../audit/audit-entries.repository.js';
import { onTeam } from '../audit/audit-entry.js';
import { UsersService } from '../auth/users.service.js';
import { CONFIG } from '../config/config.module.js';
import { Database } from '../database/database.js';
import { notFound } from '../errors/domain-error.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import { Ownership } from './members/ownership.js';
import { takeMembershipLock } from './membership-lock.repository.js';
import { asSeenBy, newInviteCode, newTeam, otherTeam, updateEntries, } from './team.js';
import { TeamReadsRepository } from './team-reads.repository.js';
import { TeamsRepository } from './teams.repository.js';
let TeamsService = class TeamsService {
    database;
    reads;
    teams;
    users;
    ownership;
    config;
    constructor(database, reads, teams, users, ownership, config) {
        this.database = database;
        this.reads = reads;
        this.teams = teams;
        this.users = users;
        this.ownership = ownership;
        this.config = config;
    }
    /**
     * Loads a team for an action: this and readForAction() are the only ways to a team from outside.
     * @throws DomainError not_found, forbidden; bad_request where slug and id name two teams
     */
    async forAction(actor, ref, action) {
        const team = authorized(actor, await this.reads.find(ref, actor.id), action);
        assertSameTeam(ref, team.id);
        return team;
    }
    /**
     * Reads a list of a team's for an action, in one statement with what decides on it.
     * @param read one of TeamReadsRepository, and its values from $4 on
     * @throws DomainError as forAction()
     */
    async readForAction(actor, ref, action, read) {
        const rows = await this.reads.read(ref, actor.id, read);
        if (!rows)
            throw notFound('team');
        enforceTeam(action, rows[0].teamRole);
        assertSameTeam(ref, rows[0].teamId);
        return rows.filter((row) => row.id !== null);
    }
    /**
     * Takes the membership lock and loads the team for an action as it is then: what was read before
     * the lock may have changed since.
     * @throws DomainError not_found, forbidden
     */
    async lockForAction(tx, actor, teamId, action) {
        takeMembershipLock(tx, teamId);
        return authorized(actor, await this.reads.findIn(tx, teamId, actor.id), action);
    }
    /** The teams of the caller, oldest first. */
    async list(actor, page) {
        const { items, next } = await this.reads.list(actor.id, page);
        return { items: items.map((team) => asSeenBy(actor, team)), next };
    }
    /**
     * Makes a team whose owner is the caller.
     * @throws DomainError conflict: slug taken; forbidden: the caller owns too many teams
     */
    create(actor, given, write) {
        const work = withIdempotencyKey(write, {}, async (tx) => {
            await Promise.all([this.users.holdAlone(tx, actor), this.ownership.assertRoom(tx, actor.id)]);
            const team = newTeam(given, this.config.planLimits);
            this.teams.create(tx, team, actor.id);
            const details = { slug: team.slug };
            record(tx, team.id, actor, { action: 'team.created', ...onTeam(team), details });
            return asSeenBy(actor, team);
        });
        return this.database.transaction(work, { callerId: actor.id });
    }
    /** @throws DomainError forbidden, not_found; conflict: slug taken */
    async update(actor, ref, changes) {
        const { id } = await this.forAction(actor, ref, 'team.update');
        const by = { callerId: actor.id, teamId: id };
        return this.database.transaction(async (tx) => {
            const team = await this.lockForAction(tx, actor, id, 'team.update');
            if (changes.slug !== undefined && changes.slug !== team.slug) {
                enforceTeam('team.changeSlug', team.role);
            }
            if (Object.values(changes).every((value) => value === undefined))
                return team;
            const { name = team.name, slug = team.slug, description = team.description } = changes;
            const updatedAt = new Date();
            this.teams.update(tx, id, changes, updatedAt);
            const updated = { ...team, name, slug, description, updatedAt };
            record(tx, id, actor, ...updateEntries(team, updated));
            return updated;
        }, by);
    }
    /** Gives the team a new invite code; the old one opens nothing. @throws DomainError not_found, forbidden */
    async renewInviteCode(actor, ref, write) {
        const { id } = await this.forAction(actor, ref, 'team.read');
        const work = withIdempotencyKey(write, { teamId: id }, async (tx) => {
            const team = await this.lockForAction(tx, actor, id, 'team.renewInviteCode');
            const renewed = { ...team, inviteCode: newInviteCode(), updatedAt: new Date() };
            this.teams.setInviteCode(tx, id, renewed.inviteCode, renewed.updatedAt);
            const action = 'team.invite_code_renewed';
            record(tx, id, actor, { action, ...onTeam(team), details: {} });
            return asSeenBy(actor, renewed);
        });
        return this.database.transaction(work, { callerId: actor.id, teamId: id });
    }
};
TeamsService = __decorate([
    Injectable(),
    __param(5, Inject(CONFIG)),
    __metadata("design:paramtypes", [Database,
        TeamReadsRepository,
        TeamsRepository,
        UsersService,
        Ownership, Object])
], TeamsService);
export { TeamsService };
/** @throws DomainError not_found, forbidden */
function authorized(actor, team, action) {
    if (!team)
        throw notFound('team');
    const { role } = team;
    enforceTeam(action, role);
    return asSeenBy(actor, { ...team, role });
}
/** A `teamId` that contradicts the slug is the request's own mistake. */
export function assertSameTeam(ref, teamId) {
    if (ref.slug !== undefined && ref.id !== undefined && ref.id !== teamId) {
        throw otherTeam();
    }
}
//# sourceMappingURL=teams.service.js.map