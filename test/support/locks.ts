import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestService } from './app.js';
import { sql } from './sql.js';

/** On a distributed database, locks are waited for on the node that has the row. */
const WAITING = `
  SELECT 1 FROM ${process.env.TEST_DISTRIBUTED_URL ? 'citus_stat_activity' : 'pg_stat_activity'}
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** A lock that a test holds. */
export interface HeldLock {
  /** Waits until this many connections wait for any lock. */
  waiting(count: number): Promise<void>;
  /** Takes the locks of another statement, too. */
  take(text: string, values: unknown[]): Promise<void>;
  /** Releases the lock; all who wait continue. Nothing of what the statements did stays. */
  release(): Promise<void>;
  /** Releases the lock, and what the statements did stays. */
  commit(): Promise<void>;
}

/** Holds the locks of a statement, on a connection of its own. */
export async function holdLock(
  databaseUrl: string,
  text: string,
  values: unknown[],
): Promise<HeldLock> {
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query(text, values);
  return {
    waiting: (count) => waitingForLocks({ databaseUrl }, count),
    async take(more, given) {
      await holder.query(more, given);
    },
    release: () => holder.end(),
    async commit() {
      await holder.query('COMMIT');
      await holder.end();
    },
  };
}

/** Holds the membership lock of a team. */
export const holdTeam = (databaseUrl: string, team: string): Promise<HeldLock> =>
  holdLock(databaseUrl, 'SELECT 1 FROM teams WHERE slug = $1 FOR NO KEY UPDATE', [team]);

/** Holds the lock of a workspace's tree: whoever writes there waits, whoever reads does not. */
export async function holdWorkspace(databaseUrl: string, workspaceId: string): Promise<HeldLock> {
  const [row] = await sql<{ team: string }>(
    databaseUrl,
    'SELECT team_id AS team FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  // A distributed database locks rows of one team only.
  const lock = 'SELECT 1 FROM workspaces WHERE team_id = $1 AND id = $2 FOR NO KEY UPDATE';
  return holdLock(databaseUrl, lock, [row?.team, workspaceId]);
}

/** Resolves when this many statements of the service wait for a lock. */
export async function waitingForLocks(
  { databaseUrl }: Pick<TestService, 'databaseUrl'>,
  count: number,
): Promise<void> {
  for (let polls = 0; (await sql(databaseUrl, WAITING)).length < count; polls++) {
    // A minute, or more.
    if (polls === 2400) throw new Error(`less than ${count} statements wait for a lock`);
    await sleep(25);
  }
}

/**
 * Holds the membership lock of a team on a connection of its own until `request` waits for it, then
 * changes something there and lets go.
 * @param change SQL, with its values
 * @returns the response to the request
 */
export async function changedBehindLock<T>(
  service: TestService,
  team: string,
  request: () => PromiseLike<T>,
  ...change: [text: string, values: unknown[]]
): Promise<T> {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM teams WHERE slug = $1 FOR NO KEY UPDATE', [team]);
    const response = Promise.resolve(request());
    await waitingForLocks(service, 1);
    await holder.query(...change);
    await holder.query('COMMIT');
    return await response;
  } finally {
    await holder.end();
  }
}
