import { randomUUID } from 'node:crypto';
import {
  OPERATOR,
  onInvite,
  onUser,
  record,
} from 'teamspaces-service/audit/audit-entries.repository';
import { ERASED_ISSUER } from 'teamspaces-service/auth/users.repository';
import type { Transaction } from 'teamspaces-service/database/database';
import { timeOf } from 'teamspaces-service/database/time';
import { DomainError } from 'teamspaces-service/errors/domain-error';
import type { InviteState } from 'teamspaces-service/teams/invites/invites.repository';
import { roleInTeam } from 'teamspaces-service/teams/members/team-members.repository';
import { newInviteCode } from 'teamspaces-service/teams/team';
import { setInviteCode, takeMembershipLock } from 'teamspaces-service/teams/teams.repository';
import {
  loadRemoval,
  removeMember,
} from 'teamspaces-service/workspaces/members/member-removal.service';

/** What was deleted. */
export interface Erased {
  memberships: number;
  invites: number;
  responses: number;
}

/**
 * Ends the memberships of a person or a service, and replaces what is recorded of them. The row stays,
 * for what refers to it; its random subject is in no token, so that the next one of the same person makes
 * a new record.
 * @returns null: nobody is recorded under this issuer and subject
 * @throws Error naming the teams that they are the last owner of: nothing was changed
 */
export async function erasePerson(
  tx: Transaction,
  issuer: string,
  subject: string,
): Promise<Erased | null> {
  // First, by the order of locks: nobody makes them a member, and they invite nobody, from now on.
  const [user] = await tx.query<RecordedUser>(LOCK_USER, [issuer, subject]);
  if (!user) return null;
  const { id } = user;
  // An address that is not known to be theirs may be somebody else's, and so may its invites.
  const email = user.emailVerified ? user.email : null;
  const teams = await tx.query<Team & { slug: string }>(TEAMS, [id]);
  const inviting = await tx.query<Team>(TEAMS_INVITING, [email]);
  const invited = await tx.query<Team>(TEAMS_INVITED_BY, [id]);
  lockAll(tx, [...teams, ...inviting, ...invited]);
  const memberships = await leaveAll(tx, id, teams);
  const received = await deleteInvites(tx, email);
  const sent = await tx.query<ErasedInvite>(DELETE_SENT, [id]);
  recordRevoked(tx, [...received, ...sent]);
  const responses = await tx.query(DELETE_RESPONSES, [id]);
  tx.write(ERASE, [id, ERASED_ISSUER, randomUUID(), `${id}@erased.invalid`]);
  return { memberships, invites: received.length + sent.length, responses: responses.length };
}

/** Deletes the invites to an address, in any letter case. @returns how many */
export async function eraseInvites(tx: Transaction, email: string): Promise<number> {
  lockAll(tx, await tx.query<Team>(TEAMS_INVITING, [email]));
  const invites = await deleteInvites(tx, email);
  recordRevoked(tx, invites);
  return invites.length;
}

interface RecordedUser {
  id: string;
  email: string;
  emailVerified: boolean;
}

interface Team {
  id: string;
}

interface ErasedInvite {
  id: string;
  teamId: string;
  state: InviteState;
}

const LOCK_USER = {
  name: 'erase.lockUser',
  text: `
    SELECT id, email, email_verified AS "emailVerified" FROM users
    WHERE issuer = $1 AND subject = $2 FOR UPDATE`,
};

const TEAMS = {
  name: 'erase.teams',
  text: `
    SELECT t.id, t.slug FROM team_members m JOIN teams t ON t.id = m.team_id
    WHERE m.user_id = $1 ORDER BY t.slug`,
};

/** Addresses as foldEmail() has them. */
const TO_ADDRESS = 'WHERE lower(email COLLATE "C") = lower($1::text COLLATE "C")';
const SENT_BY = "WHERE invited_by = $1 AND state = 'pending'";

/** Of invites in any state. */
const TEAMS_INVITING = {
  name: 'erase.teamsInviting',
  text: `SELECT DISTINCT team_id AS id FROM team_invites ${TO_ADDRESS}`,
};

/** Those that the person has left, too. */
const TEAMS_INVITED_BY = {
  name: 'erase.teamsInvitedBy',
  text: `SELECT DISTINCT team_id AS id FROM team_invites ${SENT_BY}`,
};

const DELETED = 'RETURNING id, team_id AS "teamId", state';

const DELETE_SENT = {
  name: 'erase.deleteSent',
  text: `DELETE FROM team_invites ${SENT_BY} ${DELETED}`,
};

/** Skips rows that a request of theirs has locked: it may itself wait for the lock of their record. */
const DELETE_RESPONSES = {
  name: 'erase.deleteResponses',
  text: `
    DELETE FROM idempotency_keys WHERE user_id = $1 AND key IN (
      SELECT key FROM idempotency_keys WHERE user_id = $1 FOR UPDATE SKIP LOCKED
    ) RETURNING 1`,
};

const ERASE = {
  name: 'erase.user',
  text: `
    UPDATE users SET issuer = $2, subject = $3, email = $4, email_verified = false,
      name = 'Erased', image = NULL, updated_at = now()
    WHERE id = $1`,
};

/** Deletes the invites to this address, and the record of when it was mailed; null: no address. */
function deleteInvites(tx: Transaction, email: string | null): Promise<ErasedInvite[]> {
  tx.write(DELETE_SENDS, [email]);
  return tx.query(DELETE_INVITES, [email]);
}

const DELETE_SENDS = {
  name: 'erase.deleteSends',
  text: 'DELETE FROM mail_sends WHERE address = lower($1::text COLLATE "C")',
};
const DELETE_INVITES = {
  name: 'erase.deleteInvites',
  text: `DELETE FROM team_invites ${TO_ADDRESS} ${DELETED}`,
};

/** Checks all teams before it fails, so that the error names all of them. */
async function leaveAll(
  tx: Transaction,
  userId: string,
  teams: (Team & { slug: string })[],
): Promise<number> {
  const ownedAlone: string[] = [];
  let left = 0;
  for (const { id, slug } of teams) {
    // Somebody else may have removed them before the lock was acquired.
    const role = await roleInTeam(tx, id, userId);
    if (role === null) continue;
    try {
      // Everyone who could see the code still has it.
      setInviteCode(tx, id, newInviteCode(), await timeOf(tx));
      const removal = await loadRemoval(tx, id, userId);
      const details = { role, inviteCodeRenewed: true } as const;
      const removed = { action: 'member.removed', ...onUser(userId), details } as const;
      removeMember(tx, id, userId, removal, OPERATOR, [removed]);
      left++;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      ownedAlone.push(slug);
    }
  }
  if (ownedAlone.length > 0) {
    throw new Error(
      `Nothing was erased: they are the last owner of ${ownedAlone.join(', ')}. Make somebody else an owner first.`,
    );
  }
  return left;
}

/** Records that invites which somebody could still accept are gone. */
function recordRevoked(tx: Transaction, invites: ErasedInvite[]): void {
  for (const { id, teamId, state } of invites) {
    if (state !== 'pending') continue;
    record(tx, teamId, OPERATOR, { action: 'invite.revoked', ...onInvite(id), details: {} });
  }
}

/** In the order of their ids, so that two commands do not deadlock. */
function lockAll(tx: Transaction, teams: Team[]): void {
  const ids = new Set(teams.map(({ id }) => id));
  for (const id of [...ids].sort()) takeMembershipLock(tx, id);
}
