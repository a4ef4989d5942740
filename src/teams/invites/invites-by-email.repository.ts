import { Injectable } from '@nestjs/common';
import { foldEmail } from '../../auth/email.js';
import { Database, type Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';
import { type Page, type PageRequest, pageOf } from '../page.js';
import type { Invite } from './invite.js';

/**
 * The statements that find invites by email. They are SQL because Prisma compares letter case by the
 * locale of the database, and addresses are compared by foldEmail().
 */
@Injectable()
export class InvitesByEmailRepository {
  constructor(private readonly database: Database) {}

  /** The invites of an email that can be accepted, oldest first. */
  async list(email: string, page: PageRequest): Promise<Page<Invite>> {
    const { limit, after } = page;
    const most = limit === undefined ? null : limit + 1;
    const values = [foldEmail(email), after?.at ?? null, after?.id ?? null, most];
    const rows = await this.database.query<Invite>(LIST, values);
    return pageOf([...rows], page, ({ createdAt, id }) => ({ at: createdAt, id }));
  }

  /** An invite for this email, in any state. */
  async find(tx: Transaction, email: string, id: string): Promise<Invite | null> {
    if (!isUuid(id)) return null;
    const [invite] = await tx.$queryRaw<Invite[]>`
      SELECT id, team_id AS "teamId", email, role, state,
        expires_at AS "expiresAt", created_at AS "createdAt"
      FROM team_invites
      WHERE id = ${id}::uuid AND lower(email COLLATE "C") = ${foldEmail(email)}`;
    return invite ?? null;
  }

  /** The pending invites of a team to these emails, including expired ones. */
  pendingFor(tx: Transaction, teamId: string, emails: string[]): Promise<Invite[]> {
    return tx.$queryRaw`
      SELECT id, team_id AS "teamId", email, role, state,
        expires_at AS "expiresAt", created_at AS "createdAt"
      FROM team_invites
      WHERE team_id = ${teamId}::uuid AND state = 'pending'
        AND lower(email COLLATE "C") = ANY (${emails.map(foldEmail)})`;
  }
}

const LIST = {
  name: 'invites.list',
  text: `
    SELECT id, team_id AS "teamId", email, role, state,
      expires_at AS "expiresAt", created_at AS "createdAt"
    FROM team_invites
    WHERE lower(email COLLATE "C") = $1 AND state = 'pending' AND expires_at > now()
      AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
    ORDER BY created_at, id
    LIMIT $4`,
};
