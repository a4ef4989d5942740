import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { sql } from '../support/sql.js';
import { endProcesses, type ServiceProcess, startProcess, until } from './process.js';

const TIMEOUT = 120_000;
const ALL = readMigrations();

let database: TestDatabase;
beforeAll(build, 300_000);
afterEach(async () => {
  await endProcesses();
  await database.drop();
}, 60_000);

const readiness = async ({ url }: ServiceProcess): Promise<number> =>
  (await fetch(`${url}/health/ready`)).status;

const about = (service: ServiceProcess) =>
  service.lines().filter(({ msg }) => /tables of the database/.test(String(msg)));

describe('in production', () => {
  test.each([
    ['none of the tables', []],
    ['those of an older version', ALL.slice(0, -1)],
  ])(
    'on %s, the service says so once and is not ready until they are migrated',
    async (_, migrations) => {
      database = await createEmptyDatabase();
      if (migrations.length > 0) await applyMigrations(database.url, migrations);
      const service = await startProcess({ DATABASE_URL: database.url }, 'live');
      for (let probe = 0; probe < 5; probe++) expect(await readiness(service)).toBe(503);
      expect(about(service)).toEqual([
        expect.objectContaining({
          level: 'error',
          msg: expect.stringMatching(
            new RegExp(
              `^not ready: the tables .* older .* \\(.*${ALL.at(-1)?.name}\\): run teamspaces migrate$`,
            ),
          ),
        }),
      ]);

      await applyMigrations(database.url);
      await until(async () => (await readiness(service)) === 200);
      const headers = {
        authorization: `Bearer ${tokenOf(somebody())}`,
        'content-type': 'application/json',
        'idempotency-key': 'one',
      };
      const body = JSON.stringify({ name: 'Acme', slug: 'acme' });
      const made = await fetch(`${service.url}/teams`, { method: 'POST', headers, body });
      expect(made.status).toBe(200);
      expect(about(service)).toHaveLength(1);
    },
    TIMEOUT,
  );

  test(
    'on the tables of a newer version it is ready: a rollback',
    async () => {
      database = await createTestDatabase();
      await sql(
        database.url,
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
         VALUES ('1', '', '29991231000000_newer', now())`,
      );
      const service = await startProcess({ DATABASE_URL: database.url });
      expect(about(service)).toEqual([]);
    },
    TIMEOUT,
  );

  test(
    'a role that may not read the history of migrations is taken at its word',
    async () => {
      database = await createTestDatabase();
      const role = `reader_${process.pid}_${Date.now()}`;
      await sql(
        database.url,
        `CREATE ROLE ${role} LOGIN PASSWORD 'x';
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
         REVOKE ALL ON _prisma_migrations FROM ${role}`,
      );
      const url = new URL(database.url);
      url.username = role;
      url.password = 'x';
      try {
        const service = await startProcess({ DATABASE_URL: url.href });
        expect(await readiness(service)).toBe(200);
        await endProcesses();
      } finally {
        await sql(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
      }
    },
    TIMEOUT,
  );

  test(
    'a name that is nearly that of a setting gets one warning',
    async () => {
      database = await createTestDatabase();
      const service = await startProcess({
        DATABASE_URL: database.url,
        DATABASE_URI: 'postgresql://ada:s3cr3t@db/spaces',
      });
      const warnings = () => service.lines().filter(({ msg }) => /did you mean/.test(String(msg)));
      await until(() => warnings().length > 0);
      await service.end();
      expect(warnings()).toEqual([
        expect.objectContaining({
          level: 'warn',
          msg: 'DATABASE_URI is not read: did you mean DATABASE_URL?',
        }),
      ]);
      expect(service.output()).not.toContain('s3cr3t');
    },
    TIMEOUT,
  );
});
