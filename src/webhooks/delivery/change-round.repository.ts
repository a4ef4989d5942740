import type { TeamRole } from '../../access/roles.js';
import type { Database } from '../../database/database.js';
import { columns } from '../../database/pipelined-transaction.js';
import type { Due, Fresh, Head, ScopeState, Subscription } from './news.js';

// The statements of a round. None of them joins a table of deliveries with one of a team's: on a database that
// is distributed by team, they lie on different nodes.

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
export type FoundSubscription = Subscription & { makerRole: TeamRole | null };

/** Takes the next round if it is time for it; null: it is not, or another instance has it. */
export async function takeRound(database: Database, holder: string): Promise<TakenRound | null> {
  const [round] = await database.query<TakenRound>(TAKE, [holder]);
  return round ?? null;
}

/** An instance that dies is succeeded when its lease ends. */
const TAKE = {
  name: 'webhookRounds.take',
  text: `
    UPDATE webhook_rounds
    SET holder = $1, leased_until = clock_timestamp() + interval '20 seconds'
    WHERE id = 1 AND leased_until <= clock_timestamp()
    RETURNING now() AS "startedAt", looked_at AS "lookedAt", compared_team_id AS "teamId",
      compared_id AS "webhookId"`,
  writes: true,
};

/** Ends a round; the next one begins a second after it began. */
export async function endRound(
  database: Database,
  holder: string,
  { startedAt, teamId, webhookId }: TakenRound,
): Promise<void> {
  await database.query(END, [holder, startedAt, teamId, webhookId]);
}

const END = {
  name: 'webhookRounds.end',
  text: `
    UPDATE webhook_rounds SET holder = NULL, looked_at = $2, compared_team_id = $3,
      compared_id = $4, leased_until = $2::timestamptz + interval '950 milliseconds'
    WHERE id = 1 AND holder = $1`,
  writes: true,
};

/** A workspace that has changed. */
export type ChangedWorkspace = Omit<Head, 'stamp'>;

/** Workspaces with changes, and teams with entries in their audit log, since a moment. */
export async function findCandidates(
  database: Database,
  since: Date,
): Promise<{ changed: ChangedWorkspace[]; audited: string[] }> {
  const [changed = [], audited = []] = await database.read([
    [CHANGED, [since]],
    [AUDITED, [since]],
  ]);
  const teams = audited.map(({ teamId }) => teamId as string);
  return { changed: changed as ChangedWorkspace[], audited: teams };
}

/** With an upper bound, the planner takes the index on time even where it knows nothing of the table. */
const since = (time: string) => `${time} > $1 AND ${time} < $1::timestamptz + interval '1 day'`;

const HAS_WEBHOOKS = (team: string) =>
  `EXISTS (SELECT FROM webhooks h WHERE h.team_id = ${team} AND h.enabled)`;

const CHANGED = {
  name: 'webhookRounds.changed',
  text: `
    SELECT c.team_id AS "teamId", c.workspace_id AS id, max(c.created_at) AS "changedAt",
      min(c.version)::float8 AS "firstVersion"
    FROM tree_changes c
    WHERE ${since('c.created_at')} AND ${HAS_WEBHOOKS('c.team_id')}
    GROUP BY c.team_id, c.workspace_id`,
};

const AUDITED = {
  name: 'webhookRounds.audited',
  text: `
    SELECT e.team_id AS "teamId" FROM audit_entries e
    WHERE ${since('e.at')} AND ${HAS_WEBHOOKS('e.team_id')}
    GROUP BY e.team_id`,
};

/** The enabled webhooks of these teams. */
export const subscriptionsOf = (
  database: Database,
  teamIds: readonly string[],
): Promise<readonly FoundSubscription[]> => database.query(OF_TEAMS, [teamIds]);

const SUBSCRIPTION = `h.team_id AS "teamId", h.id, h.events, h.workspace_ids AS "workspaceIds",
      h.since, (
        SELECT m.role FROM team_members m WHERE m.team_id = h.team_id AND m.user_id = h.maker_id
      ) AS "makerRole"
    FROM webhooks h`;

const OF_TEAMS = {
  name: 'webhookRounds.ofTeams',
  text: `
    SELECT ${SUBSCRIPTION}
    WHERE h.team_id = ANY ($1::uuid[]) AND h.enabled`,
  many: true,
};

/** The next webhooks to compare: so many that each has its turn within five minutes. */
export const nextSubscriptions = (
  database: Database,
  { teamId, webhookId }: TakenRound,
): Promise<readonly FoundSubscription[]> => database.query(NEXT, [teamId, webhookId]);

const NEXT = {
  name: 'webhookRounds.next',
  text: `
    SELECT ${SUBSCRIPTION}
    WHERE (h.team_id, h.id) > ($1, $2) AND h.enabled
    ORDER BY h.team_id, h.id LIMIT (SELECT count(*) / 250 + 1 FROM webhooks)`,
};

/** The trees of all workspaces of these teams. */
export const headsOf = (database: Database, teamIds: readonly string[]): Promise<readonly Head[]> =>
  database.query(HEADS, [teamIds]);

const HEADS = {
  name: 'webhookRounds.heads',
  text: `
    SELECT w.team_id AS "teamId", w.id, w.tree_stamp AS stamp, max(c.created_at) AS "changedAt",
      0 AS "firstVersion"
    FROM workspaces w
    LEFT JOIN tree_changes c
      ON c.team_id = w.team_id AND c.workspace_id = w.id AND c.version = w.tree_version
    WHERE w.team_id = ANY ($1::uuid[]) AND w.tree_version > 0 AND num_nulls(w.deleted_at) = 1
    GROUP BY w.team_id, w.id`,
  many: true,
};

/** What these webhooks were told. */
export const statesOf = (
  database: Database,
  subscriptions: readonly Subscription[],
): Promise<readonly ScopeState[]> =>
  database.query(STATES, columns(subscriptions, ['teamId', 'id']));

const STATES = {
  name: 'webhookRounds.states',
  text: `
    SELECT s.webhook_id AS "webhookId", s.scope_id AS "scopeId", s.stamp,
      s.due_at IS NOT NULL AS "isDue", s.sent_at AS "sentAt", s.seen_at AS "seenAt",
      s.seen_total AS "seenTotal"
    FROM unnest($1::uuid[], $2::uuid[]) AS asked (team_id, webhook_id)
    JOIN webhook_states s USING (team_id, webhook_id)`,
  many: true,
};

/** Entries of a team's audit log in the minute before a moment, and since. */
export async function countEntries(
  database: Database,
  teamId: string,
  seenAt: Date | null,
): Promise<number> {
  const [counted] = await database.query<{ total: number }>(COUNT_ENTRIES, [teamId, seenAt]);
  return counted?.total ?? 0;
}

const COUNT_ENTRIES = {
  name: 'webhookRounds.countEntries',
  text: `
    SELECT count(*)::int AS total FROM audit_entries
    WHERE team_id = $1 AND at > $2::timestamptz - interval '1 minute'`,
};

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

const BEFORE = {
  name: 'webhookRounds.before',
  text: `
    SELECT (version - 1)::float8 AS version, previous_stamp AS stamp FROM tree_changes
    WHERE team_id = $1 AND workspace_id = $2 AND version >= $3::bigint AND created_at >= $4
    ORDER BY team_id, workspace_id, version LIMIT 1`,
};

/** Makes states, due at once. */
export async function insertStates(
  database: Database,
  states: readonly (Fresh & { version: number; stamp: string })[],
  now: Date,
): Promise<void> {
  const values = columns(states, ['teamId', 'webhookId', 'scopeId', 'version', 'stamp']);
  if (states.length > 0) await database.query(INSERT, [...values, now]);
}

const INSERT = {
  name: 'webhookRounds.insert',
  text: `
    INSERT INTO webhook_states (team_id, webhook_id, scope_id, version, stamp, due_at)
    SELECT n.*, $6::timestamptz
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[]) AS n
    ON CONFLICT DO NOTHING`,
  writes: true,
};

/** Has scopes looked at. */
export async function markDue(database: Database, due: readonly Due[]): Promise<void> {
  const values = columns(due, ['teamId', 'webhookId', 'scopeId', 'at']);
  if (due.length > 0) await database.query(MARK, values);
}

const MARK = {
  name: 'webhookRounds.mark',
  text: `
    UPDATE webhook_states s SET due_at = n.at
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
      AS n (team_id, webhook_id, scope_id, at)
    WHERE s.team_id = n.team_id AND s.webhook_id = n.webhook_id AND s.scope_id = n.scope_id
      AND s.due_at IS NULL`,
  writes: true,
};

/** Deletes what a round or an instance has written about a webhook that was deleted meanwhile. */
export async function clearOrphans(database: Database): Promise<void> {
  for (const statement of CLEAR) await database.query(statement, []);
}

const OF_NOBODY = `
    WHERE NOT EXISTS (
      SELECT FROM webhooks h WHERE h.team_id = o.team_id AND h.id = o.webhook_id
    )`;
const CLEAR = [
  {
    name: 'webhookRounds.clearStates',
    text: `
    DELETE FROM webhook_states o${OF_NOBODY}`,
    writes: true,
  },
  {
    name: 'webhookRounds.clearSenders',
    text: `
    DELETE FROM webhook_senders o${OF_NOBODY}`,
    writes: true,
  },
];
