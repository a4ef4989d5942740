import { toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { manyRows, scan, write } from '@teamspaces/pg-lanes/statements';
import { IS_ALIVE_BY_ID } from '../../access/access-sql.js';
import type { TeamRole } from '../../access/roles.js';
import type { Database } from '../../database/database.js';

// The statements of a round of the scheduler. None of them joins a table of deliveries with one that is distributed by
// team: they lie on different nodes.

/** A round that this instance has taken. */
export interface TakenRound {
  /** By the database's clock. */
  startedAt: Date;
  /** When the one before began. */
  lookedAt: Date;
  /** How far webhooks were compared. */
  teamId: string;
  webhookId: string;
}

/** A webhook, and the role of its maker; null: they have left. */
export interface OwnedWebhook {
  teamId: string;
  id: string;
  makerRole: TeamRole | null;
}

/** The state of a workspace's tree. */
export interface Head {
  teamId: string;
  id: string;
  stamp: string;
  /** When it changed last; null: too long ago for the log. */
  changedAt: Date | null;
  /** Changes of earlier versions need not be looked for. */
  firstVersion: number;
}

/** A scope that has no state yet, and where to look for the change that is its first. */
export interface Fresh {
  teamId: string;
  webhookId: string;
  scopeId: string;
  since: Date;
  firstVersion: number;
}

/** Takes the next round if it is time for it; null: it is not, or another instance has it. */
export async function takeRound(database: Database, holder: string): Promise<TakenRound | null> {
  const [round] = await database.query<TakenRound>(TAKE, [holder]);
  return round ?? null;
}

/**
 * An instance that dies is succeeded when its lease ends. Others wait a little longer for their turn than the
 * instance of the last round, which knows what it has marked.
 */
const TAKE = write({
  name: 'webhookRounds.take',
  text: `
    UPDATE webhook_rounds
    SET holder = $1, leased_until = clock_timestamp() + interval '20 seconds'
    WHERE id = 1 AND leased_until <= clock_timestamp()
      - CASE WHEN holder = $1 THEN interval '0' ELSE interval '2 seconds' END
    RETURNING now() AS "startedAt", looked_at AS "lookedAt", compared_team_id AS "teamId",
      compared_id AS "webhookId"`,
});

/** Ends a round; the next one begins a second after it began. */
export async function endRound(
  database: Database,
  holder: string,
  { startedAt, teamId, webhookId }: TakenRound,
): Promise<void> {
  await database.query(END, [holder, startedAt, teamId, webhookId]);
}

const END = write({
  name: 'webhookRounds.end',
  text: `
    UPDATE webhook_rounds SET looked_at = $2, compared_team_id = $3, compared_id = $4,
      leased_until = $2::timestamptz + interval '950 milliseconds'
    WHERE id = 1 AND holder = $1`,
});

/** A workspace that has changed. */
export type ChangedWorkspace = Omit<Head, 'stamp'> & {
  /** Of its newest change. */
  lastVersion: number;
};

/** Workspaces with changes, and teams with entries in their audit log, since a moment. */
export async function findCandidates(
  database: Database,
  since: Date,
): Promise<{ changed: ChangedWorkspace[]; audited: string[] }> {
  const [changed, audited] = await Promise.all([
    database.query<ChangedWorkspace>(CHANGED, [since]),
    database.query<{ teamId: string }>(AUDITED, [since]),
  ]);
  return { changed: [...changed], audited: audited.map(({ teamId }) => teamId) };
}

/** With an upper bound, the planner takes the index on time even where it knows nothing of the table. */
const since = (time: string) => `${time} > $1 AND ${time} < $1::timestamptz + interval '1 day'`;

const HAS_WEBHOOKS = (team: string) =>
  `EXISTS (SELECT FROM webhooks h WHERE h.team_id = ${team} AND h.enabled)`;

const CHANGED = manyRows({
  name: 'webhookRounds.changed',
  text: `
    SELECT c.team_id AS "teamId", c.workspace_id AS id, max(c.created_at) AS "changedAt",
      min(c.version)::float8 AS "firstVersion", max(c.version)::float8 AS "lastVersion"
    FROM tree_changes c
    WHERE ${since('c.created_at')} AND ${HAS_WEBHOOKS('c.team_id')}
    GROUP BY c.team_id, c.workspace_id`,
});

const AUDITED = manyRows({
  name: 'webhookRounds.audited',
  text: `
    SELECT e.team_id AS "teamId" FROM audit_entries e
    WHERE ${since('e.at')} AND ${HAS_WEBHOOKS('e.team_id')}
    GROUP BY e.team_id`,
});

/** The enabled webhooks of these teams. */
export const webhooksOf = (
  database: Database,
  teamIds: readonly string[],
): Promise<readonly OwnedWebhook[]> => database.query(OF_TEAMS, [teamIds]);

const OF_TEAMS = manyRows({
  name: 'webhookRounds.ofTeams',
  text: `
    SELECT h.team_id AS "teamId", h.id, (
      SELECT m.role FROM team_members m WHERE m.team_id = h.team_id AND m.user_id = h.maker_id
    ) AS "makerRole"
    FROM webhooks h
    WHERE h.team_id = ANY ($1::uuid[]) AND h.enabled`,
});

/** The next webhooks to compare: so many that each has its turn within five minutes. */
export const nextToCompare = (
  database: Database,
  { teamId, webhookId }: TakenRound,
): Promise<readonly { teamId: string; id: string }[]> => database.query(NEXT, [teamId, webhookId]);

const NEXT = manyRows({
  name: 'webhookRounds.next',
  text: `
    SELECT h.team_id AS "teamId", h.id FROM webhooks h
    WHERE (h.team_id, h.id) > ($1, $2) AND h.enabled
    ORDER BY h.team_id, h.id LIMIT (SELECT count(*) / 250 + 1 FROM webhooks)`,
});

/** The trees of all workspaces of these teams. */
export const headsOf = (database: Database, teamIds: readonly string[]): Promise<readonly Head[]> =>
  database.query(HEADS, [teamIds]);

const HEADS = manyRows({
  name: 'webhookRounds.heads',
  text: `
    SELECT w.team_id AS "teamId", w.id, w.tree_stamp AS stamp, max(c.created_at) AS "changedAt",
      0 AS "firstVersion"
    FROM workspaces w
    LEFT JOIN tree_changes c
      ON c.team_id = w.team_id AND c.workspace_id = w.id AND c.version = w.tree_version
    WHERE w.team_id = ANY ($1::uuid[]) AND w.tree_version > 0 AND ${IS_ALIVE_BY_ID}
    GROUP BY w.team_id, w.id`,
});

/** Marks these workspaces as due for the webhooks whose last message was about another state of their trees. */
export async function markTrees(database: Database, heads: readonly Head[]): Promise<void> {
  await database.query(MARK_TREES, toArrays(heads, ['teamId', 'id', 'stamp']));
}

const DUE = "greatest(now(), s.sent_at + interval '5 seconds')";

const MARK_TREES = write({
  name: 'webhookRounds.markTrees',
  text: `
    UPDATE webhook_states s SET due_at = ${DUE}
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n (team_id, scope_id, stamp)
    WHERE s.team_id = n.team_id AND s.scope_id = n.scope_id AND s.stamp <> n.stamp
      AND s.due_at IS NULL`,
});

/**
 * The webhooks that are about these workspaces and have had no message about them, where the workspaces have
 * changed since the webhook began, or \`overlap\` milliseconds before it.
 */
export const findFresh = (
  database: Database,
  heads: readonly Head[],
  overlap: number,
): Promise<readonly Fresh[]> =>
  database.query(FIND_FRESH, [
    ...toArrays(heads, ['teamId', 'id', 'changedAt', 'firstVersion']),
    overlap,
  ]);

/** Nearly always all webhooks of a team have a state: they are read once for each workspace, not for each pair. */
const FIND_FRESH = manyRows({
  name: 'webhookRounds.findFresh',
  text: `
    WITH changed AS MATERIALIZED (
      SELECT n.*, ARRAY (
        SELECT s.webhook_id FROM webhook_states s WHERE s.team_id = n.team_id AND s.scope_id = n.id
      ) AS told
      FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bigint[])
        AS n (team_id, id, changed_at, first_version)
    )
    SELECT n.team_id AS "teamId", h.id AS "webhookId", n.id AS "scopeId", h.since,
      n.first_version::float8 AS "firstVersion"
    FROM changed n
    JOIN webhooks h ON h.team_id = n.team_id AND h.enabled
      AND 'workspace.changed' = ANY (h.events)
      AND (h.workspace_ids IS NULL OR n.id = ANY (h.workspace_ids))
      AND n.changed_at >= h.since - $5 * interval '1 millisecond'
    WHERE h.id <> ALL (n.told)`,
});

/** What the audit log of a team was when it was looked at for a webhook. */
export interface AuditLook {
  teamId: string;
  webhookId: string;
  seenAt: Date | null;
  seenTotal: number;
}

/** Of these teams, unless they are going to be looked at anyway. */
export const auditLooks = (
  database: Database,
  teamIds: readonly string[],
): Promise<readonly AuditLook[]> => database.query(AUDIT_LOOKS, [teamIds]);

const AUDIT_LOOKS = manyRows({
  name: 'webhookRounds.auditLooks',
  text: `
    SELECT s.team_id AS "teamId", s.webhook_id AS "webhookId", s.seen_at AS "seenAt",
      s.seen_total AS "seenTotal"
    FROM unnest($1::uuid[]) AS asked (id)
    JOIN webhook_states s
      ON s.team_id = asked.id AND s.scope_id = asked.id AND s.due_at IS NULL`,
});

/** Entries of a team's audit log in the minute before a moment, and since. */
export async function countEntries(
  database: Database,
  teamId: string,
  seenAt: Date | null,
): Promise<number> {
  const [counted] = await database.query<{ total: number }>(COUNT_ENTRIES, [teamId, seenAt]);
  return counted?.total ?? 0;
}

const COUNT_ENTRIES = scan({
  name: 'webhookRounds.countEntries',
  text: `
    SELECT count(*)::int AS total FROM audit_entries
    WHERE team_id = $1 AND at > $2::timestamptz - interval '1 minute'`,
});

/** Where a workspace's tree was before its first change since a moment; null: the log has none. */
export async function stateBefore(
  database: Database,
  { teamId, scopeId, since, firstVersion }: Fresh,
  overlap: number,
): Promise<{ version: number; stamp: string } | null> {
  const from = new Date(since.getTime() - overlap);
  const values = [teamId, scopeId, firstVersion, from];
  const [found] = await database.query<{ version: number; stamp: string }>(BEFORE, values);
  return found ?? null;
}

const BEFORE = scan({
  name: 'webhookRounds.before',
  text: `
    SELECT (version - 1)::float8 AS version, previous_stamp AS stamp FROM tree_changes
    WHERE team_id = $1 AND workspace_id = $2 AND version >= $3::bigint AND created_at >= $4
    ORDER BY team_id, workspace_id, version LIMIT 1`,
});

/** Makes states, due at once. */
export async function insertStates(
  database: Database,
  states: readonly (Fresh & { version: number; stamp: string })[],
): Promise<void> {
  const values = toArrays(states, ['teamId', 'webhookId', 'scopeId', 'version', 'stamp']);
  if (states.length > 0) await database.query(INSERT, values);
}

const INSERT = write({
  name: 'webhookRounds.insert',
  text: `
    INSERT INTO webhook_states (team_id, webhook_id, scope_id, version, stamp, due_at)
    SELECT n.*, now()
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[]) AS n
    ON CONFLICT DO NOTHING`,
});

/** Marks the audit logs of these webhooks' teams as due. */
export async function markTeams(database: Database, looks: readonly AuditLook[]): Promise<void> {
  await database.query(MARK_TEAMS, toArrays(looks, ['teamId', 'webhookId']));
}

const MARK_TEAMS = write({
  name: 'webhookRounds.markTeams',
  text: `
    UPDATE webhook_states s SET due_at = ${DUE}
    FROM unnest($1::uuid[], $2::uuid[]) AS n (team_id, webhook_id)
    WHERE s.team_id = n.team_id AND s.webhook_id = n.webhook_id AND s.scope_id = n.team_id
      AND s.due_at IS NULL`,
});

/**
 * Deletes what a round or an instance has written about a webhook that was deleted meanwhile. A distributed
 * database deletes nothing from a table of deliveries in a statement that reads webhooks.
 */
export async function clearOrphans(database: Database): Promise<void> {
  const orphans = await database.query<Omit<OwnedWebhook, 'makerRole'>>(ORPHANS, []);
  if (orphans.length === 0) return;
  const values = toArrays(orphans, ['teamId', 'id']);
  for (const statement of CLEAR) await database.query(statement, values);
}

const ORPHANS = scan({
  name: 'webhookRounds.orphans',
  text: `
    SELECT o.team_id AS "teamId", o.webhook_id AS id FROM (
      SELECT team_id, webhook_id FROM webhook_states
      UNION SELECT team_id, webhook_id FROM webhook_senders
    ) AS o
    WHERE (SELECT h.id FROM webhooks h WHERE h.team_id = o.team_id AND h.id = o.webhook_id) IS NULL
    LIMIT 1000`,
});

const clear = (name: string, table: string) =>
  write({
    name,
    text: `
    DELETE FROM ${table} o USING unnest($1::uuid[], $2::uuid[]) AS n (team_id, id)
    WHERE o.team_id = n.team_id AND o.webhook_id = n.id`,
  });
const CLEAR = [
  clear('webhookRounds.clearStates', 'webhook_states'),
  clear('webhookRounds.clearSenders', 'webhook_senders'),
];
