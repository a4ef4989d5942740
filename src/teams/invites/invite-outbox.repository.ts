import { Injectable } from '@nestjs/common';
import { point, scan, write } from '@teamspaces/pg-lanes/statements';
import type { TeamRole } from '../../access/roles.js';
import { foldEmail } from '../../auth/email.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { Database } from '../../database/database.js';
import { newId } from '../../database/identifiers.js';
import { HOURS_BETWEEN_MAILS, MAX_MAILS_A_DAY } from '../limits.js';
import { IS_EXPIRED } from './invites.repository.js';

const BY_OUTBOX = { purpose: 'mail' };

/** A mail that this instance has taken, for the time of its lease. */
export interface TakenMail {
  id: string;
  inviteId: string;
  /** The person who sent the invite; of one that is gone, some id. */
  senderId: string;
  /** How often it was taken, this time included. */
  attempts: number;
  /** Milliseconds since the invite was sent or renewed. */
  age: number;
}

type DueMail = Pick<TakenMail, 'id' | 'senderId'>;

/** What a mail tells of a pending invite. */
export interface MailableInvite {
  id: string;
  email: string;
  role: TeamRole;
  expiresAt: Date;
  teamId: string;
  team: string;
  inviterId: string;
  inviterName: string;
  inviterEmail: string;
}

/** A mail that may be sent now and is counted, or when it may be. */
export type Permit = { id: string; until: null } | { id: null; until: Date };

/**
 * Mails to be sent, and the limits on them: one an hour to an address from a team, and MAX_MAILS_A_DAY for each
 * sender in any 24 hours, counted by all instances in one table. Mails are queued in the transaction of their
 * invites (queueMails()).
 */
@Injectable()
export class InviteOutboxRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes up to `max` mails that are due, one of each person, by turns: those first of whom the fewest are being sent.
   * Nobody else takes them for the next `lease` milliseconds.
   * @param running mails that this instance is sending
   * @param most mails of one person that are sent at the same time
   */
  async take(
    max: number,
    lease: number,
    running: readonly TakenMail[],
    most: number,
  ): Promise<readonly TakenMail[]> {
    const senders = running.map(({ senderId }) => senderId);
    const ids = running.map(({ id }) => id);
    const due = await this.database.query<DueMail>(FIND_DUE, [max, senders, most, ids], BY_OUTBOX);
    if (due.length === 0) return [];
    const senderOf = new Map(due.map(({ id, senderId }) => [id, senderId]));
    const values = [[...senderOf.keys()], lease];
    const taken = await this.database.query<Omit<TakenMail, 'senderId'>>(TAKE, values, BY_OUTBOX);
    return taken.map((mail) => ({ ...mail, senderId: senderOf.get(mail.id) as string }));
  }

  /** The invite as it is now; null where it is not pending any more, or has expired. */
  async findMailable(inviteId: string): Promise<MailableInvite | null> {
    const [invite] = await this.database.query<MailableInvite>(FIND_MAILABLE, [inviteId]);
    return invite ?? null;
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

  /**
   * Counts a mail that is about to be sent, if the limits allow it. Permits are given one at a time,
   * by all instances together, so that none counts without those before it.
   */
  permit({ teamId, email, inviterId }: MailableInvite): Promise<Permit> {
    const id = newId();
    const address = foldEmail(email);
    return this.database.transaction(async (tx) => {
      tx.write(TAKE_LOCK, [ADVISORY_LOCKS.mailPermits]);
      const [row] = await tx.query<{ until: Date | null }>(PERMIT, [
        id,
        teamId,
        address,
        inviterId,
        MAX_MAILS_A_DAY - 1,
      ]);
      const until = row?.until ?? null;
      return until === null ? { id, until } : { id: null, until };
    }, BY_OUTBOX);
  }

  /** Takes a permit back: the mail server did not get the mail. */
  async release(id: string): Promise<void> {
    await this.database.query(RELEASE, [id]);
  }
}

/** Not one statement with TAKE: a distributed database locks no rows of a local table in a join with another one. */
const FIND_DUE = scan({
  name: 'outbox.findDue',
  text: `
    SELECT id, sender_id AS "senderId" FROM (
      SELECT DISTINCT ON (sender_id) id, due_at, sender_id
      FROM (
        SELECT o.id, o.due_at,
          coalesce((SELECT i.invited_by FROM team_invites i WHERE i.id = o.invite_id), o.id) AS sender_id
        FROM mail_outbox o WHERE o.due_at <= now() AND o.id <> ALL ($4::uuid[]) OFFSET 0
      ) AS due
      WHERE cardinality(array_positions($2::uuid[], sender_id)) < $3
      ORDER BY sender_id, due_at
    ) AS first
    ORDER BY cardinality(array_positions($2, sender_id)), due_at LIMIT $1`,
});

/** Passes over what another instance takes, or has taken. The clock is the database's: instances share it. */
const TAKE = write({
  name: 'outbox.take',
  text: `
    UPDATE mail_outbox
    SET attempts = attempts + 1, is_held = false, due_at = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE id = ANY (ARRAY (
      SELECT id FROM mail_outbox WHERE id = ANY ($1::uuid[]) AND (due_at <= now()) IS TRUE FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, invite_id AS "inviteId", attempts,
      (extract(epoch FROM clock_timestamp() - queued_at) * 1000)::float8 AS age`,
});

const FIND_MAILABLE = point(1, {
  name: 'outbox.findMailable',
  text: `
    SELECT i.id, i.email, i.role, i.expires_at AS "expiresAt", i.team_id AS "teamId", t.name AS team,
      u.id AS "inviterId", u.name AS "inviterName", u.email AS "inviterEmail"
    FROM team_invites i JOIN teams t ON t.id = i.team_id JOIN users u ON u.id = i.invited_by
    WHERE i.id = $1 AND i.state = 'pending' AND NOT ${IS_EXPIRED}`,
});

/** Only by the instance that took it last: a renewal, or the next lease, is another's. */
const REMOVE = write({
  name: 'outbox.remove',
  text: 'DELETE FROM mail_outbox WHERE id = $1 AND attempts = $2',
});

const POSTPONE = write({
  name: 'outbox.postpone',
  text: `
    UPDATE mail_outbox SET due_at = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE id = $1 AND attempts = $2`,
});

/** It is given up a day after it could be sent, not a day after it was queued. */
const HOLD = write({
  name: 'outbox.hold',
  text: `
    UPDATE mail_outbox SET due_at = $3, queued_at = $3, is_held = true
    WHERE id = $1 AND attempts = $2`,
});

const COUNT = scan({
  name: 'outbox.count',
  text: `
    SELECT count(*) FILTER (WHERE NOT is_held)::int AS waiting,
      count(*) FILTER (WHERE is_held)::int AS held
    FROM mail_outbox`,
});

const TAKE_LOCK = {
  name: 'mailLimits.lock',
  text: 'SELECT pg_advisory_xact_lock($1::bigint)::text',
};

/** With MAX_MAILS_A_DAY mails sent in a day, the oldest of them must become a day old first. */
const PERMIT = {
  name: 'mailLimits.permit',
  text: `
    WITH free AS MATERIALIZED (
      SELECT greatest(
        (SELECT max(sent_at) + interval '${HOURS_BETWEEN_MAILS} hour' FROM mail_sends
         WHERE team_id = $2 AND address = $3
           AND sent_at > statement_timestamp() - interval '${HOURS_BETWEEN_MAILS} hour'),
        (SELECT sent_at + interval '1 day' FROM mail_sends
         WHERE sender_id = $4 AND sent_at > statement_timestamp() - interval '1 day'
         ORDER BY sent_at DESC OFFSET $5::int LIMIT 1)
      ) AS until
    ), sent AS (
      INSERT INTO mail_sends (id, team_id, address, sender_id)
      SELECT $1::uuid, $2, $3, $4 FROM free WHERE until IS NULL
    )
    SELECT until FROM free`,
};

const RELEASE = write({
  name: 'mailLimits.release',
  text: 'DELETE FROM mail_sends WHERE id = $1',
});
