import { Injectable } from '@nestjs/common';
import { foldEmail } from '../../auth/email.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf } from '../page.js';
import type { FoundInvite } from './invite.js';
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

const FIND = `${SELECT_INVITE}
    WHERE id = $1::uuid AND lower(email COLLATE "C") = $2`;

const PENDING_FOR = `${SELECT_INVITE}
    WHERE team_id = $1::uuid AND state = 'pending' AND lower(email COLLATE "C") = ANY ($2::text[])`;

const COUNT_PENDING = `
    SELECT count(*)::int AS count, statement_timestamp() AS now
    FROM team_invites WHERE team_id = $1::uuid AND state = 'pending'`;

const FIND_EXPIRED = `
    SELECT id FROM team_invites
    WHERE team_id = $1::uuid AND state = 'pending' AND ${IS_EXPIRED} AND id <> ALL ($2::uuid[])
    ORDER BY expires_at LIMIT $3`;

/**
 * The reads of invites that compare emails or ask the database's clock. They are SQL because Prisma
 * compares letter case by the locale of the database, and addresses are compared by foldEmail(), and
 * because it knows only the clock of the process.
 */
@Injectable()
export class InvitesByEmailRepository {
  constructor(private readonly database: Database) {}

  /** The invites of an email that can be accepted, oldest first. */
  async list(email: string, page: PageRequest): Promise<Page<FoundInvite>> {
    const { limit, after } = page;
    const most = limit === undefined ? null : limit + 1;
    const values = [foldEmail(email), after?.at ?? null, after?.id ?? null, most];
    const rows = await this.database.query<FoundInvite>(LIST, values);
    return pageOf([...rows], page, ({ createdAt, id }) => ({ at: createdAt, id }));
  }

  /** An invite for this email, in any state. */
  async find(tx: Transaction, email: string, id: string): Promise<FoundInvite | null> {
    if (!isUuid(id)) return null;
    const [invite] = await tx.$queryRawUnsafe<FoundInvite[]>(FIND, id, foldEmail(email));
    return invite ?? null;
  }

  /** The pending invites of a team to these emails, including expired ones. */
  pendingFor(tx: Transaction, teamId: string, emails: string[]): Promise<FoundInvite[]> {
    return tx.$queryRawUnsafe(PENDING_FOR, teamId, emails.map(foldEmail));
  }

  /** How many invites of a team are pending, including expired ones, and the database's time. */
  async countPending(tx: Transaction, teamId: string): Promise<{ count: number; now: Date }> {
    const [row] = await tx.$queryRawUnsafe<[{ count: number; now: Date }]>(COUNT_PENDING, teamId);
    return row;
  }

  /** The expired invites of a team that are pending, those that expired first; not `kept`. */
  expired(
    tx: Transaction,
    teamId: string,
    kept: string[],
    most: number,
  ): Promise<{ id: string }[]> {
    return tx.$queryRawUnsafe(FIND_EXPIRED, teamId, kept, most);
  }
}
