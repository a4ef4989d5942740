import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Module } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';

declare global {
  /** What global-teardown undoes; jest runs both in one process. */
  var undoTestServer: (() => Promise<void>) | undefined;
  var stopTestHosts: (() => void) | undefined;
}

/**
 * One PostgreSQL for all tests (TEST_DATABASE_URL, otherwise one of its own) with one database that
 * has the migrations; createTestDatabase() copies it, which takes milliseconds.
 */
export default async function globalSetup(
  _: unknown,
  { globals }: { globals: { citusUrl?: string } },
): Promise<void> {
  resolveTypeScript();
  await startHosts();
  if (globals.citusUrl) return distributedSetup(globals.citusUrl);
  const { applyMigrations } = await import('../../src/database/migrations.js');
  const given = process.env.TEST_DATABASE_URL?.trim();
  const server = given ? { url: given, stop: async () => undefined } : await startOwnServer();
  globalThis.undoTestServer = server.stop;

  const template = `teamspaces_test_${randomBytes(6).toString('hex')}`;
  await administer(server.url, `CREATE DATABASE ${template} TEMPLATE template0`);
  globalThis.undoTestServer = async () => {
    await administer(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await server.stop();
  };
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  await applyMigrations(url.href);
  process.env.TEST_ADMIN_URL = server.url;
  process.env.TEST_TEMPLATE = template;
}

/** Processes in which startService() starts services. They end with this one. */
async function startHosts(): Promise<void> {
  const { transpileSources } = await import('../../bin/transpile.js');
  const { serveHosts } = await import('./service-hosts.js');
  const folder = await transpileSources();
  const hosts = await serveHosts(folder);
  process.env.TEST_SOURCES = folder;
  process.env.TEST_SERVICE_HOSTS = hosts.url;
  globalThis.stopTestHosts = () => {
    hosts.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** One database on a cluster for all tests (test/citus), which has no templates to copy. */
async function distributedSetup(citusUrl: string): Promise<void> {
  const { createDistributedDatabase } = await import('../citus/cluster.js');
  const database = await createDistributedDatabase(citusUrl);
  globalThis.undoTestServer = database.drop;
  process.env.TEST_DISTRIBUTED_URL = database.url;
}

async function startOwnServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const { startEmbeddedPostgres } = await import('@teamspaces/local-postgres/embedded-postgres');
  const dataDir = mkdtempSync(join(tmpdir(), 'teamspaces-test-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  const exit = () => process.exit(1);
  const extraSettings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, extraSettings });
    // A third of the time, if no file is synced to the disk.
    process.env.TEST_COPY_STRATEGY = 'STRATEGY FILE_COPY';
    // When jest is interrupted: at exit the server is told to stop, then its folder goes.
    process.once('SIGINT', exit).once('SIGTERM', exit).once('exit', remove);
    const stop = async () => {
      process.off('SIGINT', exit).off('SIGTERM', exit).off('exit', remove);
      await postgres.stop();
      remove();
    };
    return { url: postgres.url, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * jest applies `moduleNameMapper` to tests, not to this file: lets `./x.js` find `./x.ts` here too.
 */
function resolveTypeScript(): void {
  type Resolve = (request: string, parent?: { filename?: string }, ...rest: unknown[]) => string;
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const original = loader._resolveFilename;
  loader._resolveFilename = function (request, parent, ...rest) {
    if (parent?.filename?.endsWith('.ts') && /^\.\.?\/.*\.js$/.test(request)) {
      const source = join(dirname(parent.filename), request.replace(/js$/, 'ts'));
      if (existsSync(source)) return source;
    }
    return original.call(this, request, parent, ...rest);
  };
}
