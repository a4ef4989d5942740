var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
import { isUuid, newId } from '../../database/ids.js';
import { columns } from '../../database/pipelined-transaction.js';
/** Writes the invites of a team; InvitesByEmailRepository reads them. */
let InvitesRepository = class InvitesRepository {
    /** Writes invites of a team in place of others. @param sent they expire at the same time */
    replace(tx, teamId, old, sent, invitedBy) {
        this.delete(tx, teamId, old);
        const rows = columns(sent, ['id', 'email', 'role', 'expiresAt', 'createdAt']);
        tx.write(INSERT, [teamId, invitedBy, ...rows]);
    }
    delete(tx, teamId, invites) {
        if (invites.length > 0)
            tx.write(DELETE, [teamId, invites.map(({ id }) => id)]);
    }
    /** Queues a mail for each; one that still waits for the same invite gives way. */
    queueMails(tx, invites) {
        const inviteIds = invites.map(({ id }) => id);
        tx.write(DELETE_MAILS, [inviteIds]);
        tx.write(QUEUE_MAILS, [inviteIds.map(newId), inviteIds]);
    }
    /** The ids of the pending invites that somebody sent, but for `kept` roles, and of those to their own email. */
    async pendingOf(tx, teamId, userId, kept) {
        if (!isUuid(userId))
            return [];
        const rows = await tx.query(PENDING_OF, [teamId, userId, kept]);
        return rows.map(({ id }) => id);
    }
    revoke(tx, teamId, ids) {
        if (ids.length > 0)
            tx.write(REVOKE, [teamId, ids]);
    }
    setState(tx, { id, teamId }, state) {
        tx.write(SET_STATE, [teamId, id, state]);
    }
};
InvitesRepository = __decorate([
    Injectable()
], InvitesRepository);
export { InvitesRepository };
const INSERT = {
    name: 'invites.insert',
    text: `
    INSERT INTO team_invites (team_id, invited_by, id, email, role, expires_at, created_at)
    SELECT $1::uuid, $2::uuid, n.*
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]) AS n`,
};
const DELETE = {
    name: 'invites.delete',
    text: 'DELETE FROM team_invites WHERE team_id = $1 AND id = ANY ($2::uuid[])',
};
const DELETE_MAILS = {
    name: 'invites.deleteMails',
    text: 'DELETE FROM mail_outbox WHERE invite_id = ANY ($1::uuid[])',
};
const QUEUE_MAILS = {
    name: 'invites.queueMails',
    text: `
    INSERT INTO mail_outbox (id, invite_id)
    SELECT n.* FROM unnest($1::uuid[], $2::uuid[]) AS n`,
};
const PENDING_OF = {
    name: 'invites.pendingOf',
    text: `
    SELECT id FROM team_invites
    WHERE team_id = $1 AND state = 'pending' AND (
      (invited_by = $2 AND role <> ALL ($3::text[]))
      OR lower(email COLLATE "C") = (
        SELECT lower(email COLLATE "C") FROM users WHERE id = $2 AND email_verified
      )
    )`,
};
const REVOKE = {
    name: 'invites.revoke',
    text: `UPDATE team_invites SET state = 'revoked' WHERE team_id = $1 AND id = ANY ($2::uuid[])`,
};
const SET_STATE = {
    name: 'invites.setState',
    text: 'UPDATE team_invites SET state = $3 WHERE team_id = $1 AND id = $2',
};
//# sourceMappingURL=invites.repository.js.map