import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { Database } from '../../database/database.js';
import { IS_EXPIRED } from './invites.repository.js';

/** A mail that this instance has taken, for the time of its lease. */
export interface TakenMail {
  id: string;
  inviteId: string;
  /** How often it was taken, this time included. */
  attempts: number;
  /** Milliseconds since the invite was sent or renewed. */
  age: number;
}

/** What a mail tells of a pending invite. */
export interface MailableInvite {
  id: string;
  email: string;
  role: TeamRole;
  expiresAt: Date;
  teamId: string;
  team: string;
  inviter: { id: string; name: string; email: string };
}

interface MailableRow {
  id: string;
  email: string;
  role: TeamRole;
  expires_at: Date;
  team_id: string;
  team: string;
  inviter_id: string;
  inviter_name: string;
  inviter_email: string;
}

/** Passes over what another instance takes just now. The clock is the database's: instances share it. */
const TAKE = {
  name: 'outbox.take',
  text: `
    UPDATE mail_outbox
    SET attempts = attempts + 1, is_held = false, due_at = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = ANY (ARRAY (
      SELECT id FROM mail_outbox WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, invite_id AS "inviteId", attempts,
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
@Injectable()
export class InviteOutboxRepository {
  constructor(private readonly database: Database) {}

  /** Takes up to `most` mails that are due; nobody else does for the next `lease` milliseconds. */
  take(most: number, lease: number): Promise<readonly TakenMail[]> {
    return this.database.query<TakenMail>(TAKE, [most, lease]);
  }

  /** The invite as it is now; null where it is not pending any more, or has expired. */
  async findMailable(inviteId: string): Promise<MailableInvite | null> {
    const [row] = await this.database.query<MailableRow>(FIND_MAILABLE, [inviteId]);
    if (!row) return null;
    const { id, email, role, team } = row;
    const inviter = { id: row.inviter_id, name: row.inviter_name, email: row.inviter_email };
    return { id, email, role, team, teamId: row.team_id, expiresAt: row.expires_at, inviter };
  }

  async remove({ id, attempts }: TakenMail): Promise<void> {
    await this.database.query(REMOVE, [id, attempts]);
  }

  /** @param pause milliseconds until the next attempt */
  async postpone({ id, attempts }: TakenMail, pause: number): Promise<void> {
    await this.database.query(POSTPONE, [id, attempts, pause]);
  }

  /** Keeps a mail back until a limit allows it. */
  async hold({ id, attempts }: TakenMail, until: Date): Promise<void> {
    await this.database.query(HOLD, [id, attempts, until]);
  }

  /** Mails that are not sent yet: those that wait for the mail server, and those that limits hold. */
  async count(): Promise<{ waiting: number; held: number }> {
    const [row] = await this.database.query<{ waiting: number; held: number }>(COUNT, []);
    return row ?? { waiting: 0, held: 0 };
  }
}
