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
import { Database } from '../../database/database.js';
import { IS_EXPIRED } from './invite-expiry.js';
/** Passes over what another instance takes just now. The clock is the database's: instances share it. */
const TAKE = {
    name: 'outbox.take',
    text: `
    WITH due AS MATERIALIZED (
      SELECT id FROM mail_outbox WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    UPDATE mail_outbox
    SET attempts = attempts + 1, is_held = false, due_at = clock_timestamp() + $2 * interval '1 millisecond'
    FROM due WHERE mail_outbox.id = due.id
    RETURNING mail_outbox.id, invite_id AS "inviteId", attempts,
      (extract(epoch FROM clock_timestamp() - queued_at) * 1000)::float8 AS age`,
    writes: true,
};
const FIND_MAILABLE = {
    name: 'outbox.findMailable',
    text: `
    SELECT i.id, i.email, i.role, i.expires_at, i.team_id, t.name AS team,
      u.id AS inviter_id, u.name AS inviter_name, u.email AS inviter_email
    FROM team_invites i JOIN teams t ON t.id = i.team_id JOIN users u ON u.id = i.invited_by
    WHERE i.id = $1 AND i.state = 'pending' AND NOT ${IS_EXPIRED}`,
};
/** Only by whoever took it last: a renewal, or the next lease, is another's. */
const REMOVE = {
    name: 'outbox.remove',
    text: 'DELETE FROM mail_outbox WHERE id = $1 AND attempts = $2',
    writes: true,
};
const POSTPONE = {
    name: 'outbox.postpone',
    text: `
    UPDATE mail_outbox SET due_at = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE id = $1 AND attempts = $2`,
    writes: true,
};
/** It is given up a day after it could be sent, not a day after it was queued. */
const HOLD = {
    name: 'outbox.hold',
    text: `
    UPDATE mail_outbox SET due_at = $3, queued_at = $3, is_held = true
    WHERE id = $1 AND attempts = $2`,
    writes: true,
};
const COUNT = {
    name: 'outbox.count',
    text: `
    SELECT count(*) FILTER (WHERE NOT is_held)::int AS waiting,
      count(*) FILTER (WHERE is_held)::int AS held
    FROM mail_outbox`,
};
/** Mails to be sent. They are queued in the transaction of their invites, by InvitesRepository. */
let InviteOutboxRepository = class InviteOutboxRepository {
    database;
    constructor(database) {
        this.database = database;
    }
    /** Takes up to `most` mails that are due; nobody else does for the next `lease` milliseconds. */
    take(most, lease) {
        return this.database.query(TAKE, [most, lease]);
    }
    /** The invite as it is now; null where it is not pending any more, or has expired. */
    async findMailable(inviteId) {
        const [row] = await this.database.query(FIND_MAILABLE, [inviteId]);
        if (!row)
            return null;
        const { id, email, role, team } = row;
        const inviter = { id: row.inviter_id, name: row.inviter_name, email: row.inviter_email };
        return { id, email, role, team, teamId: row.team_id, expiresAt: row.expires_at, inviter };
    }
    async remove({ id, attempts }) {
        await this.database.query(REMOVE, [id, attempts]);
    }
    /** @param pause milliseconds until the next attempt */
    async postpone({ id, attempts }, pause) {
        await this.database.query(POSTPONE, [id, attempts, pause]);
    }
    /** Keeps a mail back until a limit allows it. */
    async hold({ id, attempts }, until) {
        await this.database.query(HOLD, [id, attempts, until]);
    }
    /** Mails that are not sent yet: those that wait for the mail server, and those that limits hold. */
    async count() {
        const [row] = await this.database.query(COUNT, []);
        return row ?? { waiting: 0, held: 0 };
    }
};
InviteOutboxRepository = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database])
], InviteOutboxRepository);
export { InviteOutboxRepository };
//# sourceMappingURL=invite-outbox.repository.js.map