import { listRead } from '@teamspaces/pg-lanes/list-reads';
import { toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { point } from '@teamspaces/pg-lanes/statements';
import type { TeamRole } from '../../access/roles.js';
import { foldEmail } from '../../auth/email.js';
import type { Database, Reader, Transaction } from '../../database/database.js';
import { isUuid, newId } from '../../database/identifiers.js';
import {
  type Listed,
  type ListPosition,
  type ListSource,
  ownPosition,
  type PageRequest,
  readList,
} from '../../http/pagination.js';

/** Where an invite stands; an expired one is still pending. */
export type InviteState = 'pending' | 'accepted' | 'declined' | 'revoked';

/** An invite of one email address to a team. */
export interface Invite {
  id: string;
  teamId: string;
  /** As the sender wrote it; compared without regard to letter case. */
  email: string;
  role: TeamRole;
  state: InviteState;
  expiresAt: Date;
  createdAt: Date;
}

/** An invite in a list. */
export type ListedInvite = Omit<Invite, 'teamId' | 'state'>;

/** A row of LIST: an invite in any state. */
type ListedRow = ListedInvite & ListPosition & { isOpen: boolean };

/** An invite as it was read: `isExpired` as the database judged it. */
export interface FoundInvite extends Invite {
  isExpired: boolean;
}

export interface NewInvite {
  email: string;
  role: TeamRole;
}

// Emails are compared as foldEmail() has them.

/** The invites of an email that can be accepted, oldest first. */
export function listInvitesTo(
  database: Database,
  callerId: string,
  email: string,
  page: PageRequest,
): Promise<Listed<ListedInvite>> {
  const address = foldEmail(email);
  const source: ListSource<ListedRow> = {
    read: async (kind, page) => [
      ...(await database.query<ListedRow>(LIST[kind], [address, ...page], { callerId })),
    ],
    stream: (page) => database.large.forCaller(callerId, [LIST.long, [address, ...page]]),
  };
  return readList(LIST, page, source, ownPosition, ({ isOpen }) => isOpen);
}

/** An invite for this email, in any state. */
export async function findInvite(
  reader: Reader,
  email: string,
  id: string,
): Promise<FoundInvite | null> {
  if (!isUuid(id)) return null;
  const [invite] = await reader.query<FoundInvite>(FIND, [id, foldEmail(email)]);
  return invite ?? null;
}

/** An invite of this team, in any state. */
export async function findInviteOfTeam(
  tx: Transaction,
  teamId: string,
  id: string,
): Promise<Invite | null> {
  if (!isUuid(id)) return null;
  const [invite] = await tx.query<FoundInvite>(FIND_OF_TEAM, [id, teamId]);
  return invite ?? null;
}

/** The pending invites of a team to these emails, including expired ones. */
export const pendingInvitesFor = (
  tx: Transaction,
  teamId: string,
  emails: string[],
): Promise<FoundInvite[]> => tx.query(PENDING_FOR, [teamId, emails.map(foldEmail)]);

/** How many invites of a team are pending, including expired ones, and the database's time. */
export async function countPendingInvites(
  tx: Transaction,
  teamId: string,
): Promise<{ count: number; now: Date }> {
  const [row] = await tx.query<{ count: number; now: Date }>(COUNT_PENDING, [teamId]);
  return row as { count: number; now: Date };
}

/** The expired invites of a team that are pending, those that expired first; not `kept`. */
export const expiredInvites = (
  tx: Transaction,
  teamId: string,
  kept: string[],
  max: number,
): Promise<{ id: string }[]> => tx.query(FIND_EXPIRED, [teamId, kept, max]);

/** Writes invites of a team in place of others. @param sent they expire at the same time */
export function replaceInvites(
  tx: Transaction,
  teamId: string,
  old: Invite[],
  sent: Invite[],
  invitedBy: string,
): void {
  deleteInvites(tx, teamId, old);
  const rows = toArrays(sent, ['id', 'email', 'role', 'expiresAt', 'createdAt']);
  tx.write(INSERT, [teamId, invitedBy, ...rows]);
}

export function deleteInvites(tx: Transaction, teamId: string, invites: { id: string }[]): void {
  if (invites.length > 0) tx.write(DELETE, [teamId, invites.map(({ id }) => id)]);
}

/** Queues a mail for each; one that still waits for the same invite gives way. */
export function queueMails(tx: Transaction, invites: Invite[]): void {
  const inviteIds = invites.map(({ id }) => id);
  tx.write(DELETE_MAILS, [inviteIds]);
  tx.write(QUEUE_MAILS, [inviteIds.map(() => newId()), inviteIds]);
}

/** The ids of the pending invites that somebody sent, but for `kept` roles, and of those to their own email. */
export async function pendingInvitesOf(
  tx: Transaction,
  teamId: string,
  userId: string,
  kept: TeamRole[],
): Promise<string[]> {
  if (!isUuid(userId)) return [];
  const rows = await tx.query<{ id: string }>(PENDING_OF, [teamId, userId, kept]);
  return rows.map(({ id }) => id);
}

export function revokeInvites(tx: Transaction, teamId: string, ids: string[]): void {
  if (ids.length > 0) tx.write(REVOKE, [teamId, ids]);
}

export function setInviteState(tx: Transaction, { id, teamId }: Invite, state: InviteState): void {
  tx.write(SET_STATE, [teamId, id, state]);
}

/** SQL: whether an invite has expired, by the database's clock, which all instances share. */
export const IS_EXPIRED = '(expires_at <= statement_timestamp())';

/** The columns of a list. */
const LISTED =
  'id, created_at AS at, email, role, expires_at AS "expiresAt", created_at AS "createdAt"';

/** For TeamsService.listForAction(): the pending invites, including expired ones, oldest first. */
export const PENDING = listRead({
  name: 'invites.pending',
  rows: `
      SELECT ${LISTED} FROM team_invites WHERE team_id = $1 AND state = 'pending'`,
  parameters: 3,
  text: (found) => `
    SELECT t.id AS "teamId", tm.role AS "teamRole", i.*
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (${found}
    ) i ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY i.at, i.id`,
});

const SELECT_INVITE = `
    SELECT id, team_id AS "teamId", email, role, state, ${IS_EXPIRED} AS "isExpired",
      expires_at AS "expiresAt", created_at AS "createdAt"
    FROM team_invites`;

const LIST = listRead({
  name: 'invites.list',
  rows: `
      SELECT ${LISTED}, (state IS NOT DISTINCT FROM 'pending' AND NOT ${IS_EXPIRED}) AS "isOpen"
      FROM team_invites WHERE lower(email COLLATE "C") = $1`,
  condition: ' AND row."isOpen"',
  parameters: 1,
  text: (found) => `
    SELECT * FROM (${found}
    ) AS i
    ORDER BY at, id`,
});

const FIND = point(1, {
  name: 'invites.find',
  text: `${SELECT_INVITE}
    WHERE id = $1 AND lower(email COLLATE "C") = $2`,
});

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

const INSERT = {
  name: 'invites.insert',
  text: `
    INSERT INTO team_invites (team_id, invited_by, id, email, role, expires_at, created_at)
    SELECT $1::uuid, $2::uuid, n.*
    FROM unnest($3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]) AS n`,
};

const DELETE = {
  name: 'invites.delete',
  text: `
    DELETE FROM team_invites
    WHERE id = ANY ($2::uuid[]) AND team_id IS NOT DISTINCT FROM $1`,
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
  text: `
    UPDATE team_invites SET state = 'revoked'
    WHERE id = ANY ($2::uuid[]) AND team_id IS NOT DISTINCT FROM $1`,
};

const SET_STATE = {
  name: 'invites.setState',
  text: 'UPDATE team_invites SET state = $3 WHERE team_id = $1 AND id = $2',
};
