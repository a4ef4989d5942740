var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
import { violatedConstraint } from '../database/database-errors.js';
import { slugTaken } from './team.js';
/** Writes teams. */
let TeamsRepository = class TeamsRepository {
    /** Locks the team that has this invite code, as takeMembershipLock() does. @returns its id, or null */
    async lockByInviteCode(tx, inviteCode) {
        const [team] = await tx.query(LOCK_BY_INVITE_CODE, [inviteCode]);
        return team?.id ?? null;
    }
    /**
     * Writes a new team, on the plan that is the default, with its first member, the owner.
     * @throws DomainError conflict: the slug is taken
     */
    create(tx, team, ownerId) {
        const { id, name, slug, description, inviteCode, createdAt } = team;
        const values = [id, name, slug, description, inviteCode, createdAt];
        tx.write(CREATE, values, explainSlug(slug));
        tx.write(CREATE_OWNER, [id, ownerId, createdAt]);
        tx.write(CREATE_USAGE, [id]);
    }
    /**
     * Changes what `changes` names.
     * @throws DomainError conflict: the slug is taken
     */
    update(tx, teamId, changes, now) {
        const { name, slug, description } = changes;
        const values = [teamId, name, slug, description !== undefined, description, now];
        tx.write(UPDATE, values, explainSlug(slug));
    }
    /** Gives the team another invite code; the one before opens nothing any more. */
    setInviteCode(tx, teamId, inviteCode, now = new Date()) {
        tx.write(SET_INVITE_CODE, [teamId, inviteCode, now]);
    }
};
TeamsRepository = __decorate([
    Injectable()
], TeamsRepository);
export { TeamsRepository };
const explainSlug = (slug) => (error) => violatedConstraint(error) === 'teams_slug_key' ? slugTaken(slug) : error;
const LOCK_BY_INVITE_CODE = {
    name: 'teams.lockByInviteCode',
    text: 'SELECT id FROM teams WHERE invite_code = $1 FOR NO KEY UPDATE',
};
// A statement for each table: in a distributed database they are of different kinds.
const CREATE = {
    name: 'teams.create',
    text: `
    INSERT INTO teams (id, name, slug, description, invite_code, billing_cycle_start, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $6, $6)`,
};
const CREATE_OWNER = {
    name: 'teams.createOwner',
    text: "INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)",
};
const CREATE_USAGE = {
    name: 'teams.createUsage',
    text: 'INSERT INTO team_usage (team_id, users) VALUES ($1, 1)',
};
const UPDATE = {
    name: 'teams.update',
    text: `
    UPDATE teams SET name = coalesce($2, name), slug = coalesce($3, slug),
      description = CASE WHEN $4 THEN $5 ELSE description END, updated_at = $6
    WHERE id = $1`,
};
const SET_INVITE_CODE = {
    name: 'teams.setInviteCode',
    text: 'UPDATE teams SET invite_code = $2, updated_at = $3 WHERE id = $1',
};
//# sourceMappingURL=teams.repository.js.map