import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestService } from './app.js';
import { sql } from './sql.js';

const WAITING = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/**
 * Holds the membership lock of a team on a connection of its own until `request` waits for it, then
 * changes something there and lets go.
 * @param change SQL, with its values
 * @returns the answer to the request
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
    const answer = Promise.resolve(request());
    for (let polls = 0; (await sql(service.databaseUrl, WAITING)).length === 0; polls++) {
      if (polls === 200) throw new Error('the request does not wait for the membership lock');
      await sleep(25);
    }
    await holder.query(...change);
    await holder.query('COMMIT');
    return await answer;
  } finally {
    await holder.end();
  }
}
