import { toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { manyRows, point, write } from '@teamspaces/pg-lanes/statements';
import type { AccessContext } from '../../access/decide.js';
import type { TeamRole } from '../../access/roles.js';
import type { Database, Reader, Transaction } from '../../database/database.js';
import { sql } from '../../database/fields.js';
import { NO_ID, newId } from '../../database/identifiers.js';
import { inWorkspace } from '../../workspaces/workspaces.repository.js';
import { MAX_DELIVERIES } from '../limits.js';
import type { MessageType, WebhookEvent } from '../webhook.js';
import type { AuditMark } from '../webhooks.repository.js';
import type { Candidate } from './turns.js';

// What the instances that send read and write. All times are by the clock of the database, which instances share: one
// whose own clock is wrong neither delays nor hastens what another sends.

/** All deliveries together hold half of the general pool at most. */
export const BY_WEBHOOKS = { purpose: 'webhooks' };

/** A webhook with something due. */
export interface DueWebhook {
  teamId: string;
  webhookId: string;
}

/** A webhook, and its state that is due the longest, while this instance holds its lease. */
export interface DueDelivery extends DueWebhook {
  /** Milliseconds since 1970, by the database's clock, and never ahead of it. */
  now(): number;
  scopeId: string;
  url: string;
  makerId: string;
  events: WebhookEvent[];
  generation: number;
  renewedAt: Date | null;
  /** Of the tree, where the newest message ended. */
  version: number | null;
  stamp: string | null;
  /** Of the audit log, at the last look. */
  entryId: string | null;
  seenAt: Date | null;
  seenVisible: number | null;
  /** The message that is not delivered yet; null: `body` is the cursor of the next one, if it is not where that ended. */
  messageId: string | null;
  body: string | null;
  attempts: number;
}

/** States, and webhooks, that one look for what is due reads. */
const MAX_LOOK = 1_000;

/**
 * Webhooks with something due for which no instance sends, the longest first.
 * @returns null: more is due than one look reads
 */
export async function findDue(database: Database): Promise<readonly DueWebhook[] | null> {
  const due = await database.query<DueWebhook>(FIND_DUE, [], BY_WEBHOOKS);
  if (due.length === MAX_LOOK) return null;
  return [...new Map(due.map((one) => [one.webhookId, one])).values()];
}

const FIND_DUE = manyRows({
  name: 'webhookDeliveries.findDue',
  text: `
    SELECT s.team_id AS "teamId", s.webhook_id AS "webhookId" FROM webhook_states s
    LEFT JOIN webhook_senders l ON l.team_id = s.team_id AND l.webhook_id = s.webhook_id
    WHERE s.due_at <= now() AND (l.leased_until IS NULL OR l.leased_until <= clock_timestamp())
    ORDER BY s.due_at LIMIT ${MAX_LOOK}`,
});

/**
 * The same where much is due, whatever its age: of the next webhooks in the order of their ids, so that those of a
 * maker who has very many hide nobody else's.
 * @param after where the last look has ended; null: begin again
 */
export async function findDueAfter(
  database: Database,
  after: DueWebhook | null,
): Promise<{ due: readonly DueWebhook[]; last: DueWebhook | null }> {
  const { teamId, webhookId } = after ?? { teamId: NO_ID, webhookId: NO_ID };
  const values = [teamId, webhookId];
  const seen = await database.query<DueWebhook & { isDue: boolean }>(
    FIND_DUE_AFTER,
    values,
    BY_WEBHOOKS,
  );
  const last = seen.length === MAX_LOOK ? (seen.at(-1) ?? null) : null;
  return { due: seen.filter(({ isDue }) => isDue), last };
}

/** The state of the next webhook that is due first. */
const FIRST_AFTER = (place: string) => `
      SELECT s.team_id, s.webhook_id, s.due_at FROM webhook_states s
      WHERE (s.team_id, s.webhook_id) > (${place}) AND s.due_at IS NOT NULL
      ORDER BY s.team_id, s.webhook_id, s.due_at LIMIT 1`;

/** Steps from webhook to webhook by webhook_states_webhook_due_idx, however many states each has. */
const FIND_DUE_AFTER = manyRows({
  name: 'webhookDeliveries.findDueAfter',
  text: `
    WITH RECURSIVE steps AS (
      (${FIRST_AFTER('$1::uuid, $2::uuid')})
      UNION ALL
      SELECT next.* FROM steps CROSS JOIN LATERAL (${FIRST_AFTER('steps.team_id, steps.webhook_id')}
      ) AS next
    ), seen AS MATERIALIZED (SELECT * FROM steps LIMIT ${MAX_LOOK})
    SELECT n.team_id AS "teamId", n.webhook_id AS "webhookId", n.due_at <= now() AND NOT EXISTS (
      SELECT FROM webhook_senders l
      WHERE l.team_id = n.team_id AND l.webhook_id = n.webhook_id AND l.leased_until > clock_timestamp()
    ) AS "isDue"
    FROM seen n`,
});

/** Of these webhooks, those that there still are, with their makers. */
export async function withMakers(
  database: Database,
  due: readonly DueWebhook[],
): Promise<Candidate[]> {
  if (due.length === 0) return [];
  const values = toArrays(due, ['teamId', 'webhookId']);
  const found = await database.query<{ id: string; makerId: string }>(MAKERS, values, BY_WEBHOOKS);
  const makers = new Map(found.map(({ id, makerId }) => [id, makerId]));
  return due.flatMap((one) => {
    const makerId = makers.get(one.webhookId);
    return makerId === undefined ? [] : [{ ...one, makerId }];
  });
}

const MAKERS = manyRows({
  name: 'webhookDeliveries.makers',
  text: `
    SELECT h.id, h.maker_id AS "makerId"
    FROM unnest($1::uuid[], $2::uuid[]) AS n (team_id, id)
    JOIN webhooks h ON h.team_id = n.team_id AND h.id = n.id`,
});

/**
 * Takes the lease of a webhook, and reads what is due.
 * @returns null: nothing is, or another instance holds it
 */
export async function takeDueDelivery(
  database: Database,
  holder: string,
  { teamId, webhookId }: DueWebhook,
): Promise<DueDelivery | null> {
  return database.transaction(async (tx) => {
    const [[taken], [due]] = await Promise.all([
      tx.query<{ now: Date }>(LEASE, [teamId, webhookId, holder]),
      tx.query<Omit<DueDelivery, 'now'>>(NEXT, [teamId, webhookId]),
    ]);
    if (!taken) return null;
    const readAt = performance.now();
    const now = () => taken.now.getTime() + Math.floor(performance.now() - readAt);
    if (due) return { ...due, now };
    tx.write(RELEASE, [teamId, webhookId, holder]);
    return null;
  }, BY_WEBHOOKS);
}

/** Longer than an attempt, and short enough that another instance takes over within a minute. */
const LEASE = {
  name: 'webhookDeliveries.lease',
  text: `
    INSERT INTO webhook_senders AS l (team_id, webhook_id, holder, leased_until)
    VALUES ($1, $2, $3, clock_timestamp() + interval '30 seconds')
    ON CONFLICT (team_id, webhook_id) DO UPDATE
    SET holder = excluded.holder, leased_until = excluded.leased_until
    WHERE l.leased_until IS NULL OR l.leased_until <= clock_timestamp()
    RETURNING clock_timestamp() AS now`,
};

const NEXT = {
  name: 'webhookDeliveries.next',
  text: `
    SELECT h.team_id AS "teamId", h.id AS "webhookId", s.scope_id AS "scopeId", h.url,
      h.maker_id AS "makerId", h.events, h.generation, h.renewed_at AS "renewedAt",
      s.version::float8 AS version, s.stamp, s.entry_id AS "entryId", s.seen_at AS "seenAt",
      s.seen_visible AS "seenVisible", s.message_id AS "messageId", s.body, s.attempts
    FROM webhooks h
    JOIN webhook_states s ON s.team_id = h.team_id AND s.webhook_id = h.id
    WHERE h.team_id = $1 AND h.id = $2 AND h.enabled AND s.due_at <= now()
    ORDER BY s.due_at LIMIT 1`,
};

/** Ends the lease: nothing is recorded. */
export async function release(
  database: Database,
  holder: string,
  { teamId, webhookId }: DueWebhook,
): Promise<void> {
  await database.query(RELEASE, [teamId, webhookId, holder], BY_WEBHOOKS);
}

const RELEASE = write({
  name: 'webhookDeliveries.release',
  text: `
    UPDATE webhook_senders SET holder = NULL, leased_until = NULL
    WHERE team_id = $1 AND webhook_id = $2 AND holder = $3`,
});

/** A workspace with what decides on the maker's access to it, and the state of its tree. */
export type FoundTree = AccessContext & {
  id: string;
  slug: string;
  teamSlug: string;
  version: number;
  stamp: string;
};

/** The workspace of a turn; null: it is gone. */
export async function findTree(database: Database, due: DueDelivery): Promise<FoundTree | null> {
  const values = [due.teamId, null, due.makerId, due.scopeId];
  const [row] = await database.query<FoundTree | { id: null }>(FIND_TREE, values);
  return row && row.id !== null ? row : null;
}

const FIND_TREE = point(
  1,
  inWorkspace(
    'webhookDeliveries.findTree',
    sql<Omit<FoundTree, keyof AccessContext | 'id'>>(
      'w.slug, t.slug AS "teamSlug", w.tree_version::float8 AS version, w.tree_stamp AS stamp',
    ),
    '',
    '',
    'id',
  ),
);

/** The team of a turn: its slug, and the role of the maker. */
export async function findTeam(
  database: Database,
  { teamId, makerId }: Pick<DueDelivery, 'teamId' | 'makerId'>,
): Promise<{ slug: string; role: TeamRole | null } | null> {
  const values = [teamId, makerId];
  const [team] = await database.query<{ slug: string; role: TeamRole | null }>(FIND_TEAM, values);
  return team ?? null;
}

const FIND_TEAM = point(1, {
  name: 'webhookDeliveries.findTeam',
  text: `
    SELECT t.slug, m.role FROM teams t
    LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = $2
    WHERE t.id = $1`,
});

/** What changes in the state of a turn before an attempt. */
export interface Progress {
  /** Where its message ends, or how far it was looked at. */
  tree?: { version: number; stamp: string };
  audit?: AuditMark;
  /** null: there is nothing to send. */
  message: { id: string; body: string } | null;
  /** Of the next message. */
  cursor?: string | null;
}

/** Keeps a message before it is sent, so that a retry is the same, or that there is none. */
export async function keepProgress(
  database: Database,
  due: DueDelivery,
  { tree, audit, message, cursor }: Progress,
): Promise<void> {
  const values = [
    ...[due.teamId, due.webhookId, due.scopeId, tree?.version, tree?.stamp],
    ...[audit?.entryId, audit?.seenAt, audit?.seenTotal, audit?.seenVisible],
    ...[message?.id, message?.body ?? cursor],
  ];
  await database.query(KEEP, values, BY_WEBHOOKS);
}

const KEEP = write({
  name: 'webhookDeliveries.keep',
  text: `
    UPDATE webhook_states
    SET version = coalesce($4, version), stamp = coalesce($5, stamp),
      entry_id = coalesce($6, entry_id), seen_at = coalesce($7, seen_at),
      seen_total = coalesce($8, seen_total), seen_visible = coalesce($9, seen_visible),
      message_id = $10, body = $11, attempts = 0,
      due_at = CASE WHEN $10::text IS NOT NULL THEN due_at END
    WHERE team_id = $1 AND webhook_id = $2 AND scope_id = $3`,
});

/** Forgets a scope: the workspace is gone. */
export async function forgetScope(database: Database, due: DueDelivery): Promise<void> {
  await database.query(FORGET, [due.teamId, due.webhookId, due.scopeId], BY_WEBHOOKS);
}

const FORGET = write({
  name: 'webhookDeliveries.forget',
  text: 'DELETE FROM webhook_states WHERE team_id = $1 AND webhook_id = $2 AND scope_id = $3',
});

/** An attempt that is over. */
export interface Attempt {
  messageId: string;
  event: MessageType;
  /** The status that came, or why none did. */
  status: string;
  isSuccess: boolean;
  /** Whether its message is not sent again. */
  isOver: boolean;
  /** Milliseconds until the next attempt, or the next message; null: there is none, after a test. */
  nextIn: number | null;
}

/**
 * Records an attempt and ends the lease; writes nothing if it is this instance's no more.
 * @returns milliseconds for which no attempt has succeeded; 0: this one has, or the lease was lost
 */
export async function recordAttempt(
  tx: Transaction,
  holder: string,
  due: DueDelivery,
  attempt: Attempt,
): Promise<number> {
  const { teamId, webhookId, scopeId } = due;
  const { messageId, event, status, isSuccess, isOver, nextIn } = attempt;
  const [held] = await tx.query<{ failingFor: number }>(END_LEASE, [
    ...[teamId, webhookId, holder, isSuccess],
  ]);
  if (!held) return 0;
  tx.write(SETTLE, [teamId, webhookId, scopeId, messageId, isOver, nextIn]);
  const workspaceId = event === 'workspace.changed' ? scopeId : null;
  const id = newId(due.now());
  tx.write(LOG, [teamId, webhookId, id, messageId, event, workspaceId, status]);
  tx.write(TRIM, [teamId, webhookId]);
  return held.failingFor;
}

/** A failure of before counts as long as a message waits that has failed: of a test, or once a person has changed it, none does. */
const END_LEASE = {
  name: 'webhookDeliveries.endLease',
  text: `
    UPDATE webhook_senders SET holder = NULL, leased_until = NULL,
      failing_since = CASE WHEN NOT $4::boolean THEN coalesce(CASE WHEN EXISTS (
        SELECT FROM webhook_states
        WHERE team_id = $1 AND webhook_id = $2 AND attempts > 0
      ) THEN failing_since END, now()) END
    WHERE team_id = $1 AND webhook_id = $2 AND holder = $3
    RETURNING coalesce(extract(epoch FROM now() - failing_since) * 1000, 0)::float8 AS "failingFor"`,
};

/** Changes nothing if the message was dropped meanwhile. */
const SETTLE = {
  name: 'webhookDeliveries.settle',
  text: `
    UPDATE webhook_states
    SET message_id = CASE WHEN NOT $5::boolean THEN message_id END,
      body = CASE WHEN NOT $5::boolean THEN body END,
      attempts = CASE WHEN $5::boolean THEN 0 ELSE attempts + 1 END, sent_at = now(),
      due_at = now() + $6 * interval '1 millisecond'
    WHERE team_id = $1 AND webhook_id = $2 AND scope_id = $3 AND message_id = $4`,
};

const LOG = {
  name: 'webhookDeliveries.log',
  text: `
    INSERT INTO webhook_deliveries
      (team_id, webhook_id, id, at, message_id, event, workspace_id, status)
    VALUES ($1, $2, $3, now(), $4, $5, $6, $7)`,
};

const TRIM = {
  name: 'webhookDeliveries.trim',
  text: `
    DELETE FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2 AND id <= (
      SELECT id FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2
      ORDER BY id DESC OFFSET ${MAX_DELIVERIES} LIMIT 1
    )`,
};

/** The webhook as it is, for good under the membership lock; null: it is disabled, or gone. */
export async function findEnabled(
  reader: Reader,
  { teamId, webhookId }: DueWebhook,
): Promise<{ url: string; makerRole: TeamRole | null } | null> {
  const values = [teamId, webhookId];
  const [found] = await reader.query<{ url: string; makerRole: TeamRole | null }>(
    FIND_ENABLED,
    values,
  );
  return found ?? null;
}

const FIND_ENABLED = point(1, {
  name: 'webhookDeliveries.findEnabled',
  text: `
    SELECT h.url, m.role AS "makerRole" FROM webhooks h
    LEFT JOIN team_members m ON m.team_id = h.team_id AND m.user_id = h.maker_id
    WHERE h.team_id = $1 AND h.id = $2 AND h.enabled`,
});
