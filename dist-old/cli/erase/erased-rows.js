import { randomUUID } from 'node:crypto';
import { ERASED_ISSUER } from '../../auth/users.repository.js';
/**
 * Locks the record of somebody who is to be erased: nobody makes them a member meanwhile.
 * @returns null: nobody is recorded under this issuer and subject
 */
export async function lockForErasure(tx, issuer, subject) {
    const [user] = await tx.query(LOCK, [issuer, subject]);
    return user ?? null;
}
const LOCK = {
    name: 'erase.lockUser',
    text: `
    SELECT id, email, email_verified AS "emailVerified" FROM users
    WHERE issuer = $1 AND subject = $2 FOR UPDATE`,
};
/**
 * Replaces everything that tells who somebody is. The row stays, for what refers to it; its random
 * subject is in no token, so that the next one of the same person makes a new record.
 */
export function eraseUser(tx, id) {
    tx.write(ERASE, [id, ERASED_ISSUER, randomUUID(), `${id}@erased.invalid`]);
}
const ERASE = {
    name: 'erase.user',
    text: `
    UPDATE users SET issuer = $2, subject = $3, email = $4, email_verified = false,
      name = 'Erased', image = NULL, updated_at = now()
    WHERE id = $1`,
};
/** The teams of a person. */
export const teamsOf = (tx, userId) => tx.query(TEAMS, [userId]);
const TEAMS = {
    name: 'erase.teams',
    text: `
    SELECT t.id, t.slug FROM team_members m JOIN teams t ON t.id = m.team_id
    WHERE m.user_id = $1 ORDER BY t.slug`,
};
/** Addresses as foldEmail() has them. */
const TO_ADDRESS = 'WHERE lower(email COLLATE "C") = lower($1::text COLLATE "C")';
/** The teams with invites to this address, in any state; null: no address. */
export const teamsInviting = (tx, email) => tx.query(TEAMS_INVITING, [email]);
const TEAMS_INVITING = {
    name: 'erase.teamsInviting',
    text: `SELECT DISTINCT team_id AS id FROM team_invites ${TO_ADDRESS}`,
};
/** Deletes the invites to this address, and the record of when it was mailed. */
export function deleteInvites(tx, email) {
    tx.write(DELETE_SENDS, [email]);
    return tx.query(DELETE_INVITES, [email]);
}
const DELETED = 'RETURNING id, team_id AS "teamId", state';
const DELETE_SENDS = {
    name: 'erase.deleteSends',
    text: 'DELETE FROM mail_sends WHERE address = lower($1::text COLLATE "C")',
};
const DELETE_INVITES = {
    name: 'erase.deleteInvites',
    text: `DELETE FROM team_invites ${TO_ADDRESS} ${DELETED}`,
};
/** The teams with pending invites that this person sent, including those that the person has left. */
export const teamsInvitedBy = (tx, invitedBy) => tx.query(TEAMS_INVITED_BY, [invitedBy]);
const SENT_BY = "WHERE invited_by = $1 AND state = 'pending'";
const TEAMS_INVITED_BY = {
    name: 'erase.teamsInvitedBy',
    text: `SELECT DISTINCT team_id AS id FROM team_invites ${SENT_BY}`,
};
export const deleteInvitesBy = (tx, invitedBy) => tx.query(DELETE_SENT, [invitedBy]);
const DELETE_SENT = {
    name: 'erase.deleteSent',
    text: `DELETE FROM team_invites ${SENT_BY} ${DELETED}`,
};
/** Skips rows that a request of theirs has locked: it may itself wait for the lock of their record. */
export const deleteResponses = async (tx, userId) => (await tx.query(DELETE_RESPONSES, [userId])).length;
const DELETE_RESPONSES = {
    name: 'erase.deleteResponses',
    text: `
    DELETE FROM idempotency_keys WHERE user_id = $1 AND key IN (
      SELECT key FROM idempotency_keys WHERE user_id = $1 FOR UPDATE SKIP LOCKED
    ) RETURNING 1`,
};
//# sourceMappingURL=erased-rows.js.map