import { applyMigrations } from '../../src/database/migrations.js';
import { blocksOf } from '../docs/markdown.js';
import { SECRET, somebody, startService } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { changesOf } from '../support/replica.js';
import { closeSql, sql } from '../support/sql.js';
import { installedPostgres, startInstalledPostgres } from './installed-postgres.js';
import { freePort } from './process.js';

const TIMEOUT = 180_000;
const programs = installedPostgres();
const ada = somebody();
const QUERY = '?team_slug=acme&workspace_slug=docs';

/** The blocks of the section, by their first words. */
const section = blocksOf('docs/recover.md').filter(({ text }) =>
  /\/backup|pg_switch_wal|^npx teamspaces doctor/.test(text),
);
const block = (start: string): string => {
  const found = section.find(({ text }) => text.startsWith(start));
  if (!found) throw new Error(`docs/recover.md has no block that begins with ${start}`);
  return found.text;
};

describeWith('pg_dump', programs)(
  'point-in-time recovery, with the commands of docs/recover.md',
  () => {
    let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
    let original: string;
    beforeAll(async () => {
      const archived = block('wal_level').replaceAll('/backup', 'FOLDER');
      server = await startInstalledPostgres(programs ?? '', archived);
      await run('mkdir -p /backup/wal');
      original = await server.create('teamspaces');
      await applyMigrations(original);
      await run(block('pg_basebackup'));
    }, TIMEOUT);
    afterAll(async () => {
      await closeSql(original);
      await server.stop();
    });

    /** Runs a block of the page in the test's folder. */
    const run = (text: string): Promise<string> =>
      server.shell(text.replaceAll('/backup', server.folder), {
        DATABASE_URL: original,
        PGUSER: 'postgres',
      });
    const at = (port: number): string =>
      Object.assign(new URL(original), { port: String(port) }).href;

    test(
      'a team that was deleted by mistake is there again, and what came after is not believed',
      async () => {
        const lost = await startService({}, original);
        await ok(lost.as(ada).post('/teams', { name: 'Acme', slug: 'acme' }));
        await ok(lost.as(ada).post('/teams/acme/workspaces', { name: 'Docs' }));
        await anItem(lost.as(ada), QUERY, { name: 'Kept' });
        const { cursor: kept } = await changesOf(lost.as(ada), QUERY);
        const [moment] = await sql<{ now: string }>(
          original,
          'SELECT clock_timestamp()::text AS now',
        );
        await anItem(lost.as(ada), QUERY, { name: 'Later' });
        const { cursor: unknown } = await changesOf(lost.as(ada), QUERY);
        await lost.stop();
        const mistake = { DATABASE_URL: original };
        expect((await runCommand(['team', 'delete', 'acme', '--yes'], mistake)).status).toBe(0);

        await run(block('psql --command='));
        const port = await freePort();
        const recover = block('cp -R')
          .replaceAll('5433', String(port))
          .replace(/(?<=recovery_target_time = ').*(?=')/, moment?.now ?? '');
        await run(recover);
        try {
          const DATABASE_URL = at(port);
          const env = { DATABASE_URL, AUTH_JWT_SECRET: SECRET };
          for (const line of block('npx teamspaces doctor').trim().split('\n')) {
            const ended = await runCommand(line.replace('npx teamspaces ', '').split(' '), env);
            expect([line, ended.status, ended.output]).toEqual([line, 0, expect.any(String)]);
          }
          await assertInvariants(DATABASE_URL);
          const service = await startService({}, DATABASE_URL);
          const caller = service.as(ada);
          const names = (await ok<{ name: string }[]>(caller.get(`/collections${QUERY}`))).map(
            ({ name }) => name,
          );
          const follow = (cursor: string) =>
            caller.get(`/collections/changes${QUERY}&cursor=${cursor}`);
          const statuses = [(await follow(kept)).status, (await follow(unknown)).status];
          await service.stop();
          expect(names).toEqual(['Kept']);
          expect(statuses).toEqual([200, 409]);
        } finally {
          await run(`pg_ctl --pgdata=/backup/recovered --mode=immediate stop`);
        }
      },
      TIMEOUT,
    );

    test(
      'until it is promoted, a recovered server is a standby, which doctor reports',
      async () => {
        const port = await freePort();
        await run(`
        cp -R /backup/base /backup/standby
        printf "port = %s\\nrestore_command = 'false'\\n" ${port} >> /backup/standby/postgresql.conf
        touch /backup/standby/standby.signal
        pg_ctl --pgdata=/backup/standby --log=/backup/standby/log --wait start`);
        try {
          const { status, output } = await runCommand(['doctor'], {
            DATABASE_URL: at(port),
            AUTH_JWT_SECRET: SECRET,
          });
          expect(output).toMatch(
            /^fail {2}database .*: it is a standby, which refuses writes: set/m,
          );
          expect(output).toMatch(/^ok {4}migrations/m);
          expect(status).toBe(1);
        } finally {
          await run('pg_ctl --pgdata=/backup/standby --mode=immediate stop');
        }
      },
      TIMEOUT,
    );
  },
);
