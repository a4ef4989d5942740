import pg from 'pg';
import { ADVISORY_LOCKS } from '../../src/database/advisory-locks.js';
import { until } from '../operate/process.js';
import { type InsideService, startService, startServiceInside } from '../support/app.js';
import { testInside } from '../support/inside.js';
import { holdLock } from '../support/locks.js';
import { purgeRound } from '../support/purges.js';
import { sql } from '../support/sql.js';

/** Tables that the test fills, and that autovacuum leaves alone. */
const FILL = `
  ALTER TABLE idempotency_keys SET (autovacuum_enabled = off);
  ALTER TABLE tree_changes SET (autovacuum_enabled = off);
  ALTER TABLE audit_entries SET (autovacuum_enabled = off);
  INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer)
    SELECT gen_random_uuid(), 'k', 'o', repeat('f', 64), '{}' FROM generate_series(1, 10000);
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
    SELECT gen_random_uuid(), gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid()
    FROM generate_series(1, 15000);
  INSERT INTO audit_entries (team_id, id, action, target_type, target_id, details)
    SELECT gen_random_uuid(), gen_random_uuid(), 'team.updated', 'team', gen_random_uuid(), '{}'
    FROM generate_series(1, 1000)`;

/** Of these tables, those that were analyzed. */
const analyzed = (databaseUrl: string) =>
  sql<{ name: string }>(
    databaseUrl,
    `SELECT relname AS name FROM pg_class
     WHERE relname IN ('audit_entries', 'idempotency_keys', 'tree_changes') AND reltuples >= 0 ORDER BY 1`,
  );
const LARGE = [{ name: 'idempotency_keys' }, { name: 'tree_changes' }];

async function fill(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(FILL);
  await client.end();
}

describe('tables of a megabyte that were never analyzed', () => {
  let service: InsideService;
  beforeEach(async () => {
    service = await startServiceInside();
    await fill(service.databaseUrl);
  });
  afterEach(() => service.stop());
  const round = () => purgeRound(service, 'Statistics');

  testInside('are analyzed, smaller ones are not', async () => {
    expect(await analyzed(service.databaseUrl)).toEqual([]);
    await round();
    expect(await analyzed(service.databaseUrl)).toEqual(LARGE);
  });

  testInside('are analyzed, also if another one cannot be', async () => {
    const broken =
      'CREATE STATISTICS broken ON (1 / (length(key) - 1)), fingerprint FROM idempotency_keys';
    await sql(service.databaseUrl, broken);
    await expect(round()).rejects.toThrow('idempotency_keys');
    expect(await analyzed(service.databaseUrl)).toEqual([{ name: 'tree_changes' }]);
  });

  testInside('are left to another process that does it', async () => {
    const lock = `SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.statistics})`;
    const other = await holdLock(service.databaseUrl, lock, []);
    await round();
    expect(await analyzed(service.databaseUrl)).toEqual([]);
    await other.release();
  });

  testInside('are passed over while autovacuum, or a migration, has them', async () => {
    const lock = 'LOCK TABLE idempotency_keys IN SHARE UPDATE EXCLUSIVE MODE';
    const other = await holdLock(service.databaseUrl, lock, []);
    await round();
    expect(await analyzed(service.databaseUrl)).toEqual([{ name: 'tree_changes' }]);
    await other.release();
  });
});

test('the job runs once a minute', async () => {
  const service = await startService();
  try {
    await fill(service.databaseUrl);
    await service.advance(60_000);
    await until(async () => (await analyzed(service.databaseUrl)).length > 1);
    expect(await analyzed(service.databaseUrl)).toEqual(LARGE);
  } finally {
    await service.stop();
  }
});
