import { Injectable } from '@nestjs/common';
import { foldEmail } from '../../auth/email.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf, pageParameters } from '../../http/pagination.js';
import type { FoundInvite, Invite } from './invite.js';
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
@Injectable()
export class InvitesByEmailRepository {
  constructor(private readonly database: Database) {}

  /** The invites of an email that can be accepted, oldest first. */
  async list(email: string, page: PageRequest): Promise<Page<FoundInvite>> {
    const values = [foldEmail(email), ...pageParameters(page)];
    const rows = await this.database.query<FoundInvite>(LIST, values);
    return pageOf(rows, page, 'createdAt');
  }

  /** An invite for this email, in any state, without any lock. */
  async find(email: string, id: string): Promise<FoundInvite | null> {
    if (!isUuid(id)) return null;
    const [invite] = await this.database.query<FoundInvite>(FIND, [id, foldEmail(email)]);
    return invite ?? null;
  }

  /** The same within a transaction. */
  async findIn(tx: Transaction, email: string, id: string): Promise<FoundInvite | null> {
    const [invite] = await tx.query<FoundInvite>(FIND, [id, foldEmail(email)]);
    return invite ?? null;
  }

  /** An invite of this team, in any state. */
  async findOfTeam(tx: Transaction, teamId: string, id: string): Promise<Invite | null> {
    if (!isUuid(id)) return null;
    const [invite] = await tx.query<FoundInvite>(FIND_OF_TEAM, [id, teamId]);
    return invite ?? null;
  }

  /** The pending invites of a team to these emails, including expired ones. */
  pendingFor(tx: Transaction, teamId: string, emails: string[]): Promise<FoundInvite[]> {
    return tx.query(PENDING_FOR, [teamId, emails.map(foldEmail)]);
  }

  /** How many invites of a team are pending, including expired ones, and the database's time. */
  async countPending(tx: Transaction, teamId: string): Promise<{ count: number; now: Date }> {
    const [row] = await tx.query<{ count: number; now: Date }>(COUNT_PENDING, [teamId]);
    return row as { count: number; now: Date };
  }

  /** The expired invites of a team that are pending, those that expired first; not `kept`. */
  expired(
    tx: Transaction,
    teamId: string,
    kept: string[],
    most: number,
  ): Promise<{ id: string }[]> {
    return tx.query(FIND_EXPIRED, [teamId, kept, most]);
  }
}
