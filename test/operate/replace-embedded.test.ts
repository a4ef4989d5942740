import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startEmbeddedPostgres } from '@teamspaces/local-postgres/embedded-postgres';
import { signToken } from '../../clients/cli/src/token.js';
import { applyMigrations } from '../../src/database/migrations.js';
import { textOfBlock } from '../docs/markdown.js';
import { somebody } from '../support/app.js';
import { ended } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { startReceiver, verify, type WebhookBody } from '../support/receiver.js';
import { closeSql, sql } from '../support/sql.js';
import { installedPostgres, startInstalledPostgres } from './installed-postgres.js';
import { endProcesses, type ServiceProcess, startProcess } from './process.js';

const TIMEOUT = 300_000;
const programs = installedPostgres();
const ada = somebody();
const IN = '/teams/acme/workspaces/docs';

/** What the text format of COPY has to escape. */
const NAME = 'Tab\tslash \\. \\N ✓';
const CONTENT = { text: 'Grüße\n\\.\n\\N\t"quoted" 🙂', number: 1e300 };

describeWith('pg_dump', programs)('from the embedded database to an older PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let folder: string;
  beforeAll(async () => {
    server = await startInstalledPostgres(programs ?? '');
    receiver = await startReceiver();
    folder = await aFolder();
    symlinkSync(resolve('deploy'), join(folder, 'deploy'));
  }, TIMEOUT);
  afterAll(async () => {
    await endProcesses();
    await receiver?.stop();
    await server?.stop();
    await removeFolders();
  }, TIMEOUT);

  /** Runs commands in a folder that looks like the project, and returns what they have printed. */
  async function run(commands: string): Promise<string> {
    // Ours is built, and its package is not in this folder.
    const npx = `npx() { ${process.execPath} ${resolve('dist/cli.js')} "\${@:2}"; }`;
    const env = { PATH: `${programs}:${process.env.PATH}` };
    const args = ['-c', `${npx}\n${commands}`];
    const { status, output } = await ended('bash', args, { cwd: folder, env });
    if (status !== 0) throw new Error(`status ${status}: ${output}`);
    return output;
  }

  const exportOf = (url: string): Promise<string> =>
    run(`psql --no-psqlrc --file=deploy/postgres/export.sql '${url}'`);

  const page = textOfBlock('docs/deploy.md', 'sh', 'export.sql');
  const keys = textOfBlock('docs/deploy.md', 'sh', 'jwt-secret');

  /** The service as a developer starts it, with these variables. */
  const start = (env: Record<string, string>): Promise<ServiceProcess> =>
    startProcess({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1', ...env });

  const call = async (
    service: ServiceProcess,
    path: string,
    body?: object,
    { method = body ? 'POST' : 'GET', headers = {} } = {},
  ) => {
    const secret = readFileSync(join(folder, '.data/jwt-secret'), 'utf8');
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${signToken(secret, ada)}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, 200, text]);
    return { text, headers: response.headers, json: JSON.parse(text) };
  };
  const once = { headers: { 'idempotency-key': 'once' } };

  /** What a client reads: everything of a workspace, with its ETag, and what it has kept. */
  const readsOf = async (service: ServiceProcess) => {
    const list = await call(service, `${IN}/collections?include=content`);
    const paths = [
      '/teams',
      '/teams/acme/invites',
      '/teams/acme/audit-log',
      '/teams/acme/webhooks',
    ];
    const others = [...paths, `${IN}/collections/trash`];
    const answers = [];
    for (const path of others) answers.push((await call(service, path)).text);
    return { etag: list.headers.get('etag'), list: list.text, answers };
  };

  test(
    'the commands of docs/deploy.md copy everything, and everything works on',
    async () => {
      const development = { NODE_ENV: 'development', DATA_DIR: join(folder, '.data') };
      const old = await start({ ...development, DATABASE_URL: '', AUTH_JWT_SECRET: '' });
      await call(old, '/teams', { name: 'Acme', slug: 'acme' });
      await call(old, '/teams/acme/workspaces', { name: 'Docs', visibility: 'private' });
      const shelf = (await call(old, `${IN}/collections`, { name: 'Shelf' })).json;
      const made = { name: NAME, object: 'item', content: CONTENT, parent: shelf.id };
      const kept = await call(old, `${IN}/collections`, made, once);
      const lost = (await call(old, `${IN}/collections`, { name: 'Deleted' })).json;
      await call(old, `/collections/${lost.id}`, undefined, { method: 'DELETE' });
      const invites = [{ email: 'bob@example.com', role: 'member' }];
      await call(old, '/teams/acme/invites', { invites });
      const hook: WebhookBody = (await call(old, '/teams/acme/webhooks', { url: receiver.url }))
        .json;
      const before = await readsOf(old);
      const { cursor } = (await call(old, `${IN}/collections/changes`)).json;

      const admin = await server.create('unused');
      for (const line of textOfBlock('docs/deploy.md', 'sql', 'CREATE DATABASE').split('\n')) {
        await sql(admin, line);
      }
      const target = Object.assign(new URL(admin), {
        username: 'teamspaces',
        pathname: 'teamspaces',
      });
      const { href } = target;
      const commands = page.replace(/postgresql:.*(?=')/, href);
      expect(commands).toContain(href);
      const printed = await run(commands);
      expect(printed).toMatch(/^Everything was copied\.$/m);
      expect(printed).toMatch(/^ok /m);
      expect(printed).not.toMatch(/WARNING|ERROR|NOTICE/);
      await old.end();
      // The embedded database has ended with it: nothing is copied, and nothing is migrated.
      await expect(run(commands)).rejects.toThrow(/postmaster\.pid/);

      await assertInvariants(href);
      const copied = readFileSync(join(folder, 'teamspaces.sql'), 'utf8');
      expect(await exportOf(href)).toBe(copied);
      const tables = await sql<{ name: string }>(
        href,
        `SELECT relname AS name FROM pg_stat_user_tables
         WHERE relname <> '_prisma_migrations' AND last_analyze IS NOT NULL`,
      );
      expect([...copied.matchAll(/^COPY (\w+) /gm)].map(([, name]) => name).sort()).toEqual(
        tables.map(({ name }) => name).sort(),
      );
      const again = run(`psql --no-psqlrc --quiet --file=teamspaces.sql '${href}'`);
      await expect(again).rejects.toThrow(/status 3: .*duplicate key/s);
      expect(await exportOf(href)).toBe(copied);

      const [AUTH_JWT_SECRET = '', WEBHOOK_KEY = ''] = (
        await run(keys.replace('npm start', 'echo "$AUTH_JWT_SECRET $WEBHOOK_KEY"'))
      )
        .trim()
        .split(' ');
      const moved = await start({ DATABASE_URL: href, AUTH_JWT_SECRET, WEBHOOK_KEY });
      expect(before.list).toContain('Shelf');
      expect(await readsOf(moved)).toEqual(before);
      const replayed = await call(moved, `${IN}/collections`, made, once);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      expect(replayed.json).toEqual(kept.json);
      const feed = `${IN}/collections/changes?cursor=${cursor}`;
      expect((await call(moved, feed)).json.changes).toEqual([]);
      receiver.forget();
      await call(moved, `/teams/acme/webhooks/${hook._id}/test`, {});
      const [message] = await receiver.arrival(1);
      if (!message) throw new Error('no message');
      verify(hook.secret, message);
      await moved.end();

      // Back again: to a newer one.
      const newer = await startEmbeddedPostgres({ dataDir: await aFolder() });
      await applyMigrations(newer.url);
      await run(`psql --no-psqlrc --file=deploy/postgres/export.sql '${href}' > newer.sql
        psql --no-psqlrc --quiet --file=newer.sql '${newer.url}'`);
      expect(await exportOf(newer.url)).toBe(readFileSync(join(folder, 'newer.sql'), 'utf8'));
      await newer.stop();
      await closeSql(href);
      await closeSql(admin);
    },
    TIMEOUT,
  );
});
