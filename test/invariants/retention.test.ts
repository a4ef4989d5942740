import type { Retention } from '../../src/jobs/retention.js';
import { type InsideService, startServiceInside } from '../support/app.js';
import { testInside } from '../support/inside.js';
import { purgeRound } from '../support/purges.js';
import { sql } from '../support/sql.js';

let service: InsideService;
beforeEach(async () => {
  service = await startServiceInside({
    AUDIT_TTL_SECONDS: '7200',
    VERSIONS_TTL_SECONDS: '10800',
    CHANGES_TTL_SECONDS: '14400',
  });
});
afterEach(() => service.stop());

const run = <Row extends object = object>(text: string, ...values: unknown[]) =>
  sql<Row>(service.databaseUrl, text, values);

/** How rows are made whose age is an interval `age`, and what their ages are, in hours. */
const TABLES: Record<string, { hours: number; insert: string; time: string }> = {
  idempotency_keys: {
    hours: 24,
    time: 'created_at',
    insert: `(user_id, key, operation, fingerprint, answer, created_at)
      SELECT gen_random_uuid(), 'k', 'o', 'f', '{}', now() - age`,
  },
  mail_sends: {
    hours: 24,
    time: 'sent_at',
    insert: `(id, team_id, address, sender_id, sent_at)
      SELECT gen_random_uuid(), gen_random_uuid(), 'a@example.com', gen_random_uuid(), now() - age`,
  },
  audit_entries: {
    hours: 2,
    time: 'at',
    insert: `(team_id, id, at, action, target_type, target_id, details)
      SELECT id, gen_random_uuid(), now() - age, 'team.updated', 'team', id, '{}'`,
  },
  page_versions: {
    hours: 3,
    time: 'until',
    insert: `(team_id, id, version, since, until, bytes, content, ordinal, total_bytes)
      SELECT id, gen_random_uuid(), 1, now() - interval '9 days', now() - age, 2, '{}', 1, 2`,
  },
  tree_changes: {
    hours: 4,
    time: 'created_at',
    insert: `(team_id, workspace_id, version, id, previous_stamp, created_at)
      SELECT id, gen_random_uuid(), 1, gen_random_uuid(), id, now() - age`,
  },
};

/** Rows of two teams with each of these ages. */
const insert = (table: string, ages: string[]) =>
  run(
    `INSERT INTO ${table} ${TABLES[table]?.insert}
     FROM (VALUES (gen_random_uuid()), (gen_random_uuid())) AS team (id), unnest($1::interval[]) AS age`,
    ages,
  );

const countIn = async (table: string): Promise<number> =>
  (await run(`SELECT FROM ${table}`)).length;

testInside('of each table goes what has its age, and nothing else', async () => {
  const expected: Record<string, number> = {};
  for (const [table, { hours }] of Object.entries(TABLES)) {
    const ages = [`${hours}:00:01`, `${hours - 1}:59:00`, `${hours * 3}:00:00`, '0:00:01'];
    await insert(table, ages);
    expected[table] = 4;
  }
  await purgeRound(service, 'Retention');
  const left: Record<string, number> = {};
  for (const [table, { hours, time }] of Object.entries(TABLES)) {
    expect(await countIn(table)).toBe(4);
    const young = `SELECT FROM ${table} WHERE ${time} > now() - interval '${hours} hours'`;
    left[table] = (await run(young)).length;
  }
  expect(left).toEqual(expected);
});

testInside('a table that fails keeps no other from being purged', async () => {
  const failing = Object.keys(TABLES);
  await run(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'broken'; END $$`);
  for (const broken of failing) {
    await run(`CREATE TRIGGER fail BEFORE DELETE ON ${broken} EXECUTE FUNCTION fail()`);
    for (const table of failing) await insert(table, ['1 year']);
    await purgeRound(service, 'Retention');
    const full: string[] = [];
    for (const table of failing) if ((await countIn(table)) > 0) full.push(table);
    expect(full).toEqual([broken]);
    await run(`DROP TRIGGER fail ON ${broken}`);
    await purgeRound(service, 'Retention');
    expect(await countIn(broken)).toBe(0);
  }
});

describe('while one table has a backlog', () => {
  /** How many old keys there were when old entries of the audit log were removed. */
  const backlogs = async () =>
    (await run<{ keys: number }>('SELECT keys FROM backlogs ORDER BY keys DESC')).map(
      ({ keys }) => keys,
    );
  beforeEach(async () => {
    await run(`INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer, created_at)
      SELECT gen_random_uuid(), 'k', 'o', 'f', '{}', now() - interval '1 year'
      FROM generate_series(1, 5500)`);
    await run('CREATE TABLE backlogs (keys int)');
    await run(`CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO backlogs SELECT count(*) FROM idempotency_keys; RETURN OLD; END $$`);
    await run(
      'CREATE TRIGGER note BEFORE DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION note()',
    );
  });

  testInside('tables take turns', async () => {
    await insert('audit_entries', ['1 year']);
    await purgeRound(service, 'Retention');
    // Two teams, a turn each.
    expect(await backlogs()).toEqual([4500, 3500]);
    expect(await countIn('idempotency_keys')).toBe(0);
  });

  testInside('what becomes old is removed from the others when the next round is due', async () => {
    await run(`CREATE FUNCTION age() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM idempotency_keys) = 3500 THEN
        INSERT INTO audit_entries ${TABLES.audit_entries?.insert}
        FROM (VALUES (gen_random_uuid())) AS team (id), (VALUES (interval '1 year')) AS old (age);
      END IF; RETURN NULL; END $$`);
    await run('CREATE TRIGGER age AFTER DELETE ON idempotency_keys EXECUTE FUNCTION age()');
    const retention = service.provider<Retention>('Retention');
    // The second one is due before the first one ends.
    retention.wake();
    retention.wake();
    // biome-ignore lint/complexity/useLiteralKeys: private, and nobody but a test waits for it
    await retention['rounds'];
    expect(await backlogs()).toEqual([3500]);
    expect(await countIn('idempotency_keys')).toBe(0);
  });
});
