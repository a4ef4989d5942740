import { point, scan } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE, IS_ALIVE_BY_ID, isListed } from '../access/access-sql.js';
import type { AccessContext } from '../access/decide.js';
import { SCOPE, scopesOf } from '../audit-log/audit-log.repository.js';
import type { Database, Reader, Transaction } from '../database/database.js';
import { accessColumns } from '../workspaces/workspaces.repository.js';
import { MAX_DELIVERIES, MAX_WEBHOOKS, MAX_WORKSPACES } from './limits.js';
import { type Delivery, type DisableReason, type Message, type Webhook } from './webhook.js';

// Webhooks, and what use cases change of the state of their deliveries. A scope is a workspace, or the team; that
// of a test is the webhook itself.

/** A workspace that a request names, with what decides on access to it. */
export type NamedWorkspace = AccessContext & { id: string; slug: string };

/** Up to where messages to a webhook have reported a workspace. */
export interface TreeMark {
  id: string;
  version: number;
  stamp: string;
}

/** Up to where messages to a webhook have reported the audit log, and what it says now. */
export interface AuditMark {
  /** The newest entry that the maker may see, of a minute before the last look on; null: none. */
  entryId: string | null;
  /** Entries of that time that the maker may see. */
  visible: number;
  /** Whether `entryId` is of later than what was told. Ids do not say: their times are those of the instances. */
  isNewer: boolean;
  /** What to compare with next time. */
  seenAt: Date | null;
  seenTotal: number;
  seenVisible: number;
}

/** The webhook as an owner of its team sees it; null: there is none. */
export async function findWebhook(
  reader: Reader,
  teamId: string,
  userId: string,
  id: string,
): Promise<Webhook | null> {
  const [row] = await reader.query<Webhook & { id: string | null }>(LIST, [
    teamId,
    null,
    userId,
    id,
  ]);
  return row?.id ? row : null;
}

/** For TeamsService.readForAction(): all webhooks of the team, oldest first, or the one of the id $4. */
export const LIST = point(MAX_WEBHOOKS, {
  name: 'webhooks.list',
  text: `
    SELECT t.id AS "teamId", tm.role AS "teamRole", h.id, h.url, h.events,
      h.workspace_ids AS "workspaceIds", h.enabled, h.disabled_because AS "disabledBecause",
      h.generation, h.renewed_at AS "renewedAt", h.created_at AS "createdAt",
      h.updated_at AS "updatedAt", CASE WHEN h.workspace_ids IS NOT NULL THEN ARRAY (
        SELECT w.slug FROM workspaces w
        LEFT JOIN workspace_members wm
          ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
        WHERE w.team_id = $1 AND w.id = ANY (h.workspace_ids) AND ${IS_ALIVE_BY_ID}
          AND ${isListed('w', 'wm')}
        ORDER BY w.created_at, w.id
      ) END AS slugs
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN webhooks h ON h.team_id = $1 AND ($4::uuid IS NULL OR h.id = $4)
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY h.created_at, h.id`,
});

export async function countWebhooks(tx: Transaction, teamId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT, [teamId]);
  return row?.count ?? 0;
}

const COUNT = {
  name: 'webhooks.count',
  text: 'SELECT count(*)::int AS count FROM webhooks WHERE team_id = $1',
};

/** The workspaces of the team with these slugs. */
export const findBySlugs = (
  reader: Reader,
  teamId: string,
  userId: string,
  slugs: readonly string[],
): Promise<readonly NamedWorkspace[]> => reader.query(FIND_BY_SLUGS, [teamId, userId, slugs]);

const VISIBLE_COLUMNS = `w.id, w.slug, ${accessColumns()}`;
const VISIBLE_JOINS = `
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $2
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $2`;

const FIND_BY_SLUGS = point(MAX_WORKSPACES, {
  name: 'webhooks.findBySlugs',
  text: `
    SELECT ${VISIBLE_COLUMNS} FROM workspaces w${VISIBLE_JOINS}
    WHERE w.team_id = $1 AND w.slug = ANY ($3::text[]) AND ${IS_ALIVE}`,
});

/** The same for ids. */
export const findByIds = (
  reader: Reader,
  teamId: string,
  userId: string,
  ids: readonly string[],
): Promise<readonly NamedWorkspace[]> => reader.query(FIND_BY_IDS, [teamId, userId, ids]);

const FIND_BY_IDS = point(MAX_WORKSPACES, {
  name: 'webhooks.findByIds',
  text: `
    SELECT ${VISIBLE_COLUMNS} FROM workspaces w${VISIBLE_JOINS}
    WHERE w.team_id = $1 AND w.id = ANY ($3::uuid[]) AND ${IS_ALIVE_BY_ID}`,
});

/** Writes a new webhook, enabled. */
export function insertWebhook(
  tx: Transaction,
  teamId: string,
  makerId: string,
  { id, url, events, workspaceIds }: Pick<Webhook, 'id' | 'url' | 'events' | 'workspaceIds'>,
): void {
  tx.write(INSERT, [teamId, id, url, events, workspaceIds, makerId]);
}

const INSERT = {
  name: 'webhooks.insert',
  text: `
    INSERT INTO webhooks (team_id, id, url, events, workspace_ids, maker_id)
    VALUES ($1, $2, $3, $4::text[], $5::uuid[], $6)`,
};

/**
 * Writes what a person has changed, and makes them the maker.
 * @param restarts it is enabled again: only changes from now on are reported
 */
export function updateWebhook(
  tx: Transaction,
  teamId: string,
  makerId: string,
  webhook: Webhook,
  restarts: boolean,
): void {
  const { id, url, events, workspaceIds, enabled } = webhook;
  const values = [teamId, id, makerId, url, events, workspaceIds, enabled];
  tx.write(UPDATE, values);
  if (restarts) tx.write(RESTART, [teamId, id]);
}

const UPDATE = {
  name: 'webhooks.update',
  text: `
    UPDATE webhooks SET maker_id = $3, url = $4, events = $5::text[], workspace_ids = $6::uuid[],
      enabled = $7::boolean, disabled_because = CASE WHEN NOT $7::boolean THEN disabled_because END,
      updated_at = now()
    WHERE team_id = $1 AND id = $2`,
};

/** Gives a webhook the next generation of its secret: both sign for a day. */
export function renewSecret(tx: Transaction, teamId: string, makerId: string, id: string): void {
  tx.write(RENEW_SECRET, [teamId, id, makerId]);
}

const RENEW_SECRET = {
  name: 'webhooks.renewSecret',
  text: `
    UPDATE webhooks SET maker_id = $3, generation = generation + 1, renewed_at = now(), updated_at = now()
    WHERE team_id = $1 AND id = $2`,
};

const RESTART = {
  name: 'webhooks.restart',
  text: 'UPDATE webhooks SET since = now() WHERE team_id = $1 AND id = $2',
};

/** Deletes a webhook. The lease goes first: an instance that is sending writes nothing after that. */
export function deleteWebhook(tx: Transaction, teamId: string, id: string): void {
  for (const statement of [DELETE_SENDER, DELETE_STATES, DELETE_DELIVERIES, DELETE]) {
    tx.write(statement, [teamId, id]);
  }
}

/** Forgets what was reported to the webhook, and what was not: it has ended, or begins again. */
export function forgetStates(tx: Transaction, teamId: string, id: string): void {
  tx.write(DELETE_STATES, [teamId, id]);
}

const DELETE = {
  name: 'webhooks.delete',
  text: 'DELETE FROM webhooks WHERE team_id = $1 AND id = $2',
};
const DELETE_SENDER = {
  name: 'webhooks.deleteSender',
  text: 'DELETE FROM webhook_senders WHERE team_id = $1 AND webhook_id = $2',
};
const DELETE_STATES = {
  name: 'webhooks.deleteStates',
  text: 'DELETE FROM webhook_states WHERE team_id = $1 AND webhook_id = $2',
};
const DELETE_DELIVERIES = {
  name: 'webhooks.deleteDeliveries',
  text: 'DELETE FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2',
};

/** Forgets what was reported of other scopes than these, and tries what is left at once. */
export function keepStates(
  tx: Transaction,
  teamId: string,
  id: string,
  keepsTeam: boolean,
  keepsWorkspaces: boolean | readonly string[],
): void {
  const named = typeof keepsWorkspaces === 'boolean' ? null : keepsWorkspaces;
  tx.write(DELETE_OTHER_STATES, [teamId, id, keepsTeam, keepsWorkspaces !== false, named]);
  tx.write(RETRY_NOW, [teamId, id]);
}

const DELETE_OTHER_STATES = {
  name: 'webhooks.deleteOtherStates',
  text: `
    DELETE FROM webhook_states
    WHERE team_id = $1 AND webhook_id = $2 AND NOT CASE scope_id
      WHEN $2 THEN true
      WHEN $1 THEN $3::boolean
      ELSE $4::boolean AND ($5::uuid[] IS NULL OR scope_id = ANY ($5)) END`,
};
const RETRY_NOW = {
  name: 'webhooks.retryNow',
  text: `
    UPDATE webhook_states
    SET attempts = 0, due_at = greatest(now(), sent_at + interval '5 seconds')
    WHERE team_id = $1 AND webhook_id = $2 AND message_id IS NOT NULL`,
};

/**
 * Workspaces of the team that have changed within the last two minutes, as they are now: for them a webhook that
 * begins needs the state where it begins. A change that is not committed yet may be a minute old, and rounds look
 * for missing states only of workspaces that they have not marked since the last wide one.
 */
export const recentlyChanged = (tx: Transaction, teamId: string): Promise<TreeMark[]> =>
  tx.query(RECENTLY_CHANGED, [teamId]);

const RECENTLY_CHANGED = {
  name: 'webhooks.recentlyChanged',
  text: `
    SELECT w.id, w.tree_version::float8 AS version, w.tree_stamp AS stamp
    FROM workspaces w
    CROSS JOIN LATERAL (
      SELECT c.created_at FROM tree_changes c
      WHERE c.team_id = $1 AND c.workspace_id = w.id
        AND c.version >= w.tree_version AND c.version <= w.tree_version
      ORDER BY c.team_id, c.workspace_id, c.version LIMIT 1
    ) AS newest
    WHERE w.team_id = $1 AND ${IS_ALIVE_BY_ID}
      AND newest.created_at > now() - interval '2 minutes'`,
};

/**
 * What the audit log has for the maker.
 * @param since time of the newest entry at the last look; null: the newest one now
 * @param told id of the entry that was told last
 */
export async function lookAtAudit(
  reader: Reader,
  teamId: string,
  makerId: string,
  since: Date | null,
  told: string | null,
): Promise<AuditMark> {
  const [row] = await reader.query<AuditMark>(LOOK_AT_AUDIT, [teamId, makerId, since, told]);
  return row as AuditMark;
}

const LOOK_AT_AUDIT = scan({
  name: 'webhooks.lookAtAudit',
  text: `
    WITH recent AS (
      SELECT e.id, e.at, max(e.at) OVER () - interval '1 minute' AS "from",
        ${SCOPE} IN (${scopesOf('$2')}
        ) AS is_visible
      FROM audit_entries e
      WHERE e.team_id = $1 AND e.at > coalesce($3::timestamptz,
        (SELECT max(at) FROM audit_entries WHERE team_id = $1)) - interval '1 minute'
    )
    SELECT (array_agg(id ORDER BY at DESC, id DESC) FILTER (WHERE is_visible))[1] AS "entryId",
      count(*) FILTER (WHERE is_visible)::int AS visible,
      coalesce(bool_or(is_visible AND at > coalesce(
        (SELECT at FROM recent WHERE id = $4::uuid), '-infinity')), false) AS "isNewer",
      max(at) AS "seenAt",
      count(*) FILTER (WHERE at > "from")::int AS "seenTotal",
      count(*) FILTER (WHERE is_visible AND at > "from")::int AS "seenVisible"
    FROM recent`,
});

/** Where a webhook begins: what it finds now is not reported. */
export function insertMarks(
  tx: Transaction,
  teamId: string,
  id: string,
  trees: readonly TreeMark[],
  audit: AuditMark | null,
): void {
  const ids = trees.map((tree) => tree.id);
  const versions = trees.map(({ version }) => version);
  const stamps = trees.map(({ stamp }) => stamp);
  if (trees.length > 0) tx.write(INSERT_TREE_MARKS, [teamId, id, ids, versions, stamps]);
  if (audit === null) return;
  const { entryId, seenAt, seenTotal, seenVisible } = audit;
  tx.write(INSERT_AUDIT_MARK, [teamId, id, entryId, seenAt, seenTotal, seenVisible]);
}

const INSERT_TREE_MARKS = {
  name: 'webhooks.insertTreeMarks',
  text: `
    INSERT INTO webhook_states (team_id, webhook_id, scope_id, version, stamp)
    SELECT $1, $2, n.* FROM unnest($3::uuid[], $4::bigint[], $5::uuid[]) AS n
    ON CONFLICT DO NOTHING`,
};

const INSERT_AUDIT_MARK = {
  name: 'webhooks.insertAuditMark',
  text: `
    INSERT INTO webhook_states (team_id, webhook_id, scope_id, entry_id, seen_at, seen_total,
      seen_visible)
    VALUES ($1, $2, $1, $3, $4, $5, $6)
    ON CONFLICT DO NOTHING`,
};

/** Has a test sent, unless one is waiting. */
export function queueTest(tx: Transaction, teamId: string, id: string, message: Message): void {
  tx.write(QUEUE_TEST, [teamId, id, message.id, message.body]);
}

const QUEUE_TEST = {
  name: 'webhooks.queueTest',
  text: `
    INSERT INTO webhook_states AS s (team_id, webhook_id, scope_id, message_id, body, due_at)
    VALUES ($1, $2, $2, $3, $4, now())
    ON CONFLICT (team_id, webhook_id, scope_id) DO UPDATE SET message_id = excluded.message_id,
      body = excluded.body, due_at = greatest(excluded.due_at, s.sent_at + interval '5 seconds')
    WHERE s.body IS NULL`,
};

/** The last attempts, newest first. */
export const listDeliveries = (
  database: Database,
  teamId: string,
  id: string,
): Promise<readonly Delivery[]> => database.query(LIST_DELIVERIES, [teamId, id]);

const LIST_DELIVERIES = point(MAX_DELIVERIES, {
  name: 'webhooks.listDeliveries',
  text: `
    SELECT message_id AS "messageId", at, event, workspace_id AS "workspaceId", status
    FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2
    ORDER BY id DESC LIMIT ${MAX_DELIVERIES}`,
});

/** Disables a webhook on the service's own account. */
export function disableWebhook(
  tx: Transaction,
  teamId: string,
  id: string,
  reason: DisableReason,
): void {
  tx.write(DISABLE, [teamId, id, reason]);
}

const DISABLE = {
  name: 'webhooks.disable',
  text: `
    UPDATE webhooks SET enabled = false, disabled_because = $3, updated_at = now()
    WHERE team_id = $1 AND id = $2`,
};
