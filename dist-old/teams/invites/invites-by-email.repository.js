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
import { foldEmail } from '../../auth/email.js';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { pageOf } from '../page.js';
import { IS_EXPIRED } from './invite-expiry.js';
const SELECT_INVITE = `
    SELECT id, team_id AS "teamId", email, role, state, ${IS_EXPIRED} AS "isExpired",
      expires_at AS "expiresAt", created_at AS "createdAt"
    FROM team_invites`;
const LIST = {
    name: 'invites.list',
    text: `${SELECT_INVITE}
    WHERE lower(email COLLATE "C") = $1 AND state = 'pending' AND NOT ${IS_EXPIRED}
      AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
    ORDER BY created_at, id
    LIMIT $4`,
};
const FIND = {
    name: 'invites.find',
    text: `${SELECT_INVITE}
    WHERE id = $1 AND lower(email COLLATE "C") = $2`,
};
const FIND_OF_TEAM = {
    name: 'invites.findOfTeam',
    text: `${SELECT_INVITE}
    WHERE id = $1 AND team_id = $2`,
};
const PENDING_FOR = {
    name: 'invites.pendingFor',
    text: `${SELECT_INVITE}
    WHERE team_id = $1 AND state = 'pending' AND lower(email COLLATE "C") = ANY ($2::text[])`,
};
const COUNT_PENDING = {
    name: 'invites.countPending',
    text: `
    SELECT count(*)::int AS count, statement_timestamp() AS now
    FROM team_invites WHERE team_id = $1 AND state = 'pending'`,
};
const FIND_EXPIRED = {
    name: 'invites.findExpired',
    text: `
    SELECT id FROM team_invites
    WHERE team_id = $1 AND state = 'pending' AND ${IS_EXPIRED} AND id <> ALL ($2::uuid[])
    ORDER BY expires_at LIMIT $3`,
};
/** The reads of invites, by the clock of the database; emails are compared as foldEmail() has them. */
let InvitesByEmailRepository = class InvitesByEmailRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /** The invites of an email that can be accepted, oldest first. */
    async list(email, page) {
        const { limit, after } = page;
        const most = limit === undefined ? null : limit + 1;
        const values = [foldEmail(email), after?.at ?? null, after?.id ?? null, most];
        const rows = await this.database.query(LIST, values);
        return pageOf([...rows], page, ({ createdAt, id }) => ({ at: createdAt, id }));
    }
    /** An invite for this email, in any state, without any lock. */
    async find(email, id) {
        if (!isUuid(id))
            return null;
        const [invite] = await this.database.query(FIND, [id, foldEmail(email)]);
        return invite ?? null;
    }
    /** The same within a transaction. */
    async findIn(tx, email, id) {
        const [invite] = await tx.query(FIND, [id, foldEmail(email)]);
        return invite ?? null;
    }
    /** An invite of this team, in any state. */
    async findOfTeam(tx, teamId, id) {
        if (!isUuid(id))
            return null;
        const [invite] = await tx.query(FIND_OF_TEAM, [id, teamId]);
        return invite ?? null;
    }
    /** The pending invites of a team to these emails, including expired ones. */
    pendingFor(tx, teamId, emails) {
        return tx.query(PENDING_FOR, [teamId, emails.map(foldEmail)]);
    }
    /** How many invites of a team are pending, including expired ones, and the database's time. */
    async countPending(tx, teamId) {
        const [row] = await tx.query(COUNT_PENDING, [teamId]);
        return row;
    }
    /** The expired invites of a team that are pending, those that expired first; not `kept`. */
    expired(tx, teamId, kept, most) {
        return tx.query(FIND_EXPIRED, [teamId, kept, most]);
    }
};
InvitesByEmailRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], InvitesByEmailRepository);
export { InvitesByEmailRepository };
//# sourceMappingURL=invites-by-email.repository.js.map