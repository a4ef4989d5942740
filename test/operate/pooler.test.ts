import { IGNORED, type Pooler, SERVER_CONNECTIONS, startPgBouncer } from '../pooler/pgbouncer.js';
import { SECRET, somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { sql } from '../support/sql.js';
import { send } from './load.js';
import { endProcesses, startProcess, until } from './process.js';

const TIMEOUT = 180_000;
const CALLERS = 40;
const ROUNDS = 10;

beforeAll(build, 300_000);

const authorization = `Bearer ${tokenOf(somebody())}`;
const headers = { authorization, 'content-type': 'application/json' };

async function call<Body>(url: string, method: string, path: string, body?: object) {
  const shot = { method, path, headers, ...(body && { body: JSON.stringify(body) }) };
  const { response, text } = await send(url, shot);
  if (response.statusCode !== 200) throw new Error(`${method} ${response.statusCode} ${text}`);
  return JSON.parse(text) as Body;
}

describeWith('pgbouncer')('PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  beforeEach(async () => {
    database = await createTestDatabase();
    pooler = await startPgBouncer(database.url);
  }, TIMEOUT);
  afterEach(async () => {
    await endProcesses();
    await pooler.stop();
    await database.drop();
  }, TIMEOUT);

  test(
    'carries two instances over a few connections, with DATABASE_PREPARED_STATEMENTS=off',
    async () => {
      const env = {
        DATABASE_URL: pooler.url,
        DATABASE_PREPARED_STATEMENTS: 'off',
        LOG_LEVEL: 'warn',
        PLAN_LIMITS: '{"free":{"pages":0}}',
      };
      const instances = await Promise.all([startProcess(env), startProcess(env)]);
      const urlOf = (turn: number) => instances[turn % 2]?.url ?? '';
      await call(urlOf(0), 'POST', '/teams', { name: 'Acme', slug: 'acme' });
      await call(urlOf(1), 'POST', '/teams/acme/workspaces', { name: 'Docs' });
      const path = '/teams/acme/workspaces/docs/collections';
      const made: string[] = [];
      const caller = async (_: unknown, turn: number) => {
        for (let round = 0; round < ROUNDS; round++) {
          const item = await call<{ id: string }>(urlOf(turn), 'POST', path, { name: `${turn}` });
          made.push(item.id);
          await call(urlOf(turn + 1), 'POST', `${path}/reorder`, { id: item.id, index: 0 });
          await call(urlOf(turn), 'GET', `/collections/${item.id}`);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      const listed = await call<{ id: string }[]>(urlOf(0), 'GET', path);
      expect(listed.map(({ id }) => id).sort()).toEqual(made.sort());
      await assertInvariants(database.url);

      const sessions = `SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      const [row] = await sql<{ open: number }>(database.url, sessions);
      expect(row?.open).toBeLessThanOrEqual(SERVER_CONNECTIONS);
      for (const instance of instances) {
        expect((await instance.end()).status).toBe(0);
        expect(instance.lines().filter(({ level }) => level === 'error')).toEqual([]);
      }
      // Nothing of it stayed behind in PostgreSQL's sessions, which others may get.
      const names = await sql(pooler.url, 'SELECT name FROM pg_prepared_statements');
      expect(names).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    'serves every command that may go through it',
    async () => {
      const env = {
        DATABASE_URL: pooler.url,
        DATABASE_PREPARED_STATEMENTS: 'off',
        AUTH_JWT_SECRET: SECRET,
      };
      const service = await startProcess({ ...env, LOG_LEVEL: 'warn' });
      for (const slug of ['acme', 'gone']) {
        await call(service.url, 'POST', '/teams', { name: 'Acme', slug });
        await call(service.url, 'POST', `/teams/${slug}/workspaces`, { name: 'Docs' });
      }
      const robot = ['--issuer', 'https://id.example.com', '--subject', 'robot'];
      const commands: [string[], RegExp][] = [
        [['member', 'add', '--team', 'acme', ...robot], /^robot is in acme now, as member\.$/m],
        [['plan', '--team', 'acme', '--plan', 'pro'], /^acme has the plan pro now/],
        [['erase', ...robot], /1 membership/],
        [['team', 'delete', 'gone', '--yes'], /gone/],
        [['verify'], /./],
        [['doctor'], /^ok {4}migrations/m],
      ];
      for (const [argv, says] of commands) {
        const { status, output } = await runCommand(argv, env);
        expect([argv, status, output]).toEqual([argv, 0, expect.stringMatching(says)]);
      }
      const teams = await call<{ meta: { slug: string } }[]>(service.url, 'GET', '/teams');
      expect(teams.map(({ meta }) => meta.slug)).toEqual(['acme']);
      await assertInvariants(pooler.url);
      expect(await sql(pooler.url, 'SELECT name FROM pg_prepared_statements')).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    'is found, with the setting that is missing, by doctor, readiness and the log',
    async () => {
      const sentence = 'set DATABASE_PREPARED_STATEMENTS=off';
      const env = { DATABASE_URL: pooler.url, AUTH_JWT_SECRET: SECRET };
      const refused = await runCommand(['doctor'], env);
      expect(refused.output).toMatch(/^fail {2}database .*unsupported startup parameter/m);
      expect(refused.output).toMatch(sentence);
      expect(refused.status).toBe(1);

      const service = await startProcess(env, 'live');
      const response = await fetch(`${service.url}/health/ready`);
      expect([response.status, await response.text()]).toEqual([
        503,
        expect.stringMatching(sentence),
      ]);
      await until(() => service.lines().some(({ msg }) => String(msg).includes(sentence)));

      // A pooler that ignores what it does not know fails later: statements of one session meet
      // those of another.
      await pooler.stop();
      pooler = await startPgBouncer(database.url, IGNORED);
      const confused = await runCommand(['doctor'], { ...env, DATABASE_URL: pooler.url });
      expect(confused.output).toMatch(/^fail {2}database .*prepared statement "doctor.backend"/m);
      expect(confused.output).toMatch(sentence);
    },
    TIMEOUT,
  );
});
