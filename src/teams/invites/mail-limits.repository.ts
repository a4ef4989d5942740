import { Injectable } from '@nestjs/common';
import { foldEmail } from '../../auth/email.js';
import { ADVISORY_LOCKS } from '../../database/advisory-locks.js';
import { Database } from '../../database/database.js';
import { newId } from '../../database/ids.js';
import type { MailableInvite } from './invite-outbox.repository.js';

/** Mails that a person may cause in 24 hours. */
const MAX_A_DAY = 200;
const BY_OUTBOX = { purpose: 'mail' };

/** A mail that may be sent now and is counted, or when it may be. */
export type Permit = { id: string; until: null } | { id: null; until: Date };

/**
 * Limits on mails: one an hour to an address from a team, and MAX_A_DAY for each sender in any 24
 * hours. Every instance counts in the same table.
 */
@Injectable()
export class MailLimitsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts a mail that is about to be sent, if the limits allow it. Permits are given one at a time,
   * by all instances together, so that none counts without those before it.
   */
  permit({ teamId, email, inviter }: MailableInvite): Promise<Permit> {
    const id = newId();
    const address = foldEmail(email);
    return this.database.transaction(async (tx) => {
      tx.write(TAKE_LOCK, [ADVISORY_LOCKS.mailPermits]);
      const [row] = await tx.query<{ until: Date | null }>(PERMIT, [
        id,
        teamId,
        address,
        inviter.id,
        MAX_A_DAY - 1,
      ]);
      const until = row?.until ?? null;
      return until === null ? { id, until } : { id: null, until };
    }, BY_OUTBOX);
  }

  /** Takes a permit back: the mail server did not get the mail. */
  async release(id: string): Promise<void> {
    await this.database.query(RELEASE, [id]);
  }

  /** Deletes what no limit counts any more. */
  async clear(): Promise<void> {
    await this.database.query(CLEAR, []);
  }
}

const TAKE_LOCK = {
  name: 'mailLimits.lock',
  text: 'SELECT pg_advisory_xact_lock($1::bigint)::text',
};

/** With MAX_A_DAY mails sent in a day, the oldest of them must become a day old first. */
const PERMIT = {
  name: 'mailLimits.permit',
  text: `
    WITH free AS MATERIALIZED (
      SELECT greatest(
        (SELECT max(sent_at) + interval '1 hour' FROM mail_sends
         WHERE team_id = $2 AND address = $3
           AND sent_at > statement_timestamp() - interval '1 hour'),
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

const RELEASE = {
  name: 'mailLimits.release',
  text: 'DELETE FROM mail_sends WHERE id = $1',
  writes: true,
};

const CLEAR = {
  name: 'mailLimits.clear',
  text: "DELETE FROM mail_sends WHERE sent_at <= now() - interval '1 day'",
  writes: true,
};
