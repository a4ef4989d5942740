import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { startHaproxy } from '../instances/haproxy.js';
import { build } from '../support/build.js';
import { createEmptyDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { sql } from '../support/sql.js';
import { countLost } from './faults/consistency.js';
import { MixedLoad } from './faults/mixed-load.js';
import { endProcesses, type ServiceProcess, startProcess } from './process.js';

/** The folder with the build of the release before. Without one, this build is in its place. */
const PREVIOUS = process.env.PREVIOUS_BUILD || '.';
const TIMEOUT = 300_000;
/** Milliseconds of load between two steps. */
const LONG = 1_000;
/** Items in the table whose index the migration creates. */
const FILLING = { requests: 10, items: 1_000 };

beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

const migrate = (databaseUrl: string, folder: string) =>
  promisify(execFile)(process.execPath, ['dist/cli.js', 'migrate'], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });

/** A migration that a later release might have: a column for every table, a table, an index. */
async function migrateFurther(databaseUrl: string): Promise<void> {
  const tables = await sql<{ name: string }>(
    databaseUrl,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
  );
  const statements = [
    ...tables.map(({ name }) => `ALTER TABLE ${name} ADD COLUMN later_text TEXT`),
    'ALTER TABLE collections ADD COLUMN later_flag BOOLEAN NOT NULL DEFAULT false',
    'CREATE TABLE later_labels (team_id UUID NOT NULL, id UUID NOT NULL, CONSTRAINT later_labels_pkey PRIMARY KEY (team_id, id))',
    'CREATE INDEX collections_later_idx ON collections (team_id, workspace_id, later_flag)',
  ];
  const later = statements.map((text, n) => ({ name: `${29990101000000 + n}_later`, sql: text }));
  await applyMigrations(databaseUrl, [...readMigrations(), ...later]);
}

async function fill(load: MixedLoad): Promise<void> {
  const { slug } = load;
  await load.must('POST', `/teams/${slug}/workspaces`, { name: 'Archive' });
  const items = Array.from({ length: FILLING.items }, (_, n) => ({ name: `old ${n}` }));
  for (let request = 0; request < FILLING.requests; request++) {
    await load.must('POST', `/teams/${slug}/workspaces/archive/collections/batch`, { items });
  }
}

/** How many requests failed, and the first ones. */
function failuresOf({ asked }: MixedLoad) {
  const failed = asked.filter(({ status }) => status !== 200);
  const first = failed.slice(0, 5).map(({ kind, status, text }) => `${kind} ${status} ${text}`);
  return { failed: failed.length, first };
}

const isReady = async ({ url }: ServiceProcess): Promise<boolean> =>
  (await fetch(`${url}/health/ready`)).ok;

describeWith('haproxy')('an upgrade under load', () => {
  test(
    'the previous build serves during and after the migrations, beside the new one, and no request fails',
    async () => {
      const database = await createEmptyDatabase();
      const env = {
        DATABASE_URL: database.url,
        LOG_LEVEL: 'warn',
        PLAN_LIMITS: '{"free":{"pages":0,"users":0}}',
        SHUTDOWN_DELAY_MS: '1500',
      };
      await migrate(database.url, PREVIOUS);
      const old = [
        await startProcess(env, 'ready', PREVIOUS),
        await startProcess(env, 'ready', PREVIOUS),
      ];
      const balancer = await startHaproxy(old.map(({ port }) => port));
      try {
        const load = await MixedLoad.prepare(balancer.url);
        await fill(load);
        load.start();
        await sleep(LONG);

        await migrate(database.url, '.');
        if (PREVIOUS === '.') await migrateFurther(database.url);
        await sleep(LONG);
        expect(await Promise.all(old.map(isReady))).toEqual([true, true]);

        for (const instance of old) {
          expect((await instance.end()).status).toBe(0);
          await startProcess({ ...env, PORT: String(instance.port) });
          await sleep(LONG);
        }
        await load.stop();
        expect(failuresOf(load)).toEqual({ failed: 0, first: [] });
        expect(load.asked.length).toBeGreaterThan(500);
        expect(await countLost(load)).toBe(0);
        await assertInvariants(database.url);
        console.log(`upgrade: ${load.asked.length} requests, all 200, nothing lost`);
      } finally {
        await balancer.stop();
        await endProcesses();
        await database.drop();
      }
    },
    TIMEOUT,
  );
});
