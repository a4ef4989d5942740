import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { examineOutbound } from '../../cli/doctor/services.js';
import { SECRET } from '../support/app.js';
import { selfSigned } from '../support/certificate.js';
import { type Ended, runCommand } from '../support/command.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { jwk } from '../support/key-set.js';
import { startMailServer } from '../support/mail-server.js';
import { offenders } from '../support/offenders.js';
import { skipped } from '../support/skipped.js';
import { sql } from '../support/sql.js';

// Set-up and processes take long on a machine that has other things to do.

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  await removeFolders();
  await database.drop();
});

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1';
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://teamspaces.example.com' };

const doctor = (env: Record<string, string>): Promise<Ended> =>
  runCommand(['doctor'], { DATABASE_URL: database.url, AUTH_JWT_SECRET: SECRET, ...env });

/** `database` → `ok`, and so on. */
const levels = ({ output }: Ended): Record<string, string> =>
  Object.fromEntries(
    output
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [level = '', check = ''] = line.split(/\s+/);
        return [check, level];
      }),
  );

const listening = async (server: Server): Promise<string> => {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** What says yes to every command, as Redis does. */
const aRedis = (): Promise<string> =>
  listening(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const commands = String(data).match(/^\*\d+\r$/gm) ?? [];
        socket.write('+OK\r\n'.repeat(commands.length));
      });
    }),
  );

/** A key set whose sender's clock is `ahead` milliseconds ahead of ours. */
async function aKeySet(keys: object[], ahead = 0): Promise<Record<string, string>> {
  const server = createHttpServer((_, response) => {
    response.setHeader('date', new Date(Date.now() + ahead).toUTCString());
    response.end(JSON.stringify({ keys }));
  });
  const AUTH_JWKS_URL = `http://${await listening(server)}/keys`;
  const [AUTH_ISSUER, AUTH_AUDIENCE] = ['https://id.example.com', 'teamspaces'];
  return { AUTH_JWT_SECRET: '', AUTH_JWKS_URL, AUTH_ISSUER, AUTH_AUDIENCE };
}

const KEY = jwk(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey, { kid: 'one' });

test('a line for each part, and 0 where nothing fails', async () => {
  const mail = await startMailServer();
  const ended = await doctor({
    ...PRODUCTION,
    ...(await aKeySet([KEY])),
    REDIS_URL: `redis://:s3cr3t@${await aRedis()}`,
    SMTP_URL: mail.url,
    INVITE_URL: 'https://app.example.com/invites/{invite_id}',
  });
  await mail.stop();
  expect(ended.output.trimEnd().split('\n')).toEqual([
    'ok    configuration  for production; links lead to https://teamspaces.example.com.',
    expect.stringMatching(
      /^ok {4}database {7}"\w+" at 127\.0\.0\.1:\d+, PostgreSQL \S+.*; at most \d+ conn/,
    ),
    expect.stringMatching(/^ok {4}migrations {5}All \d+ are applied\.$/),
    expect.stringMatching(/^ok {4}permissions {4}\S+ may use all tables\.$/),
    'ok    statistics     No large table is without statistics.',
    expect.stringMatching(/^ok {4}changes {8}The log of changes has about 0 rows \(\d+ kB\)\.$/),
    'ok    search         The index has all pages of 0 workspaces.',
    expect.stringMatching(/^ok {4}keys {11}1 key at http:\/\/127\.0\.0\.1:\d+\/keys\.$/),
    expect.stringMatching(/^ok {4}Redis {10}It accepts writes at redis:\/\/127\.0\.0\.1:\d+\.$/),
    expect.stringMatching(/^ok {4}SMTP {11}smtp:\/\/\S+ accepts mail\.$/),
    'ok    webhooks       Not set: there are no webhooks. Set WEBHOOK_KEY to have them.',
    'ok    clock          It agrees with the database and the identity provider.',
  ]);
  expect(ended.status).toBe(0);
});

test('each failure is named by its setting, without a password, and ends with 1', async () => {
  const ended = await doctor({
    ...PRODUCTION,
    ...(await aKeySet([])),
    DATABASE_URL: `postgresql://ada:s3cr3t@${NOWHERE}/spaces`,
    REDIS_URL: `redis://:s3cr3t@${NOWHERE}`,
    SMTP_URL: `smtp://ada:s3cr3t@${NOWHERE}`,
    AUTH_JWKS_URL: `http://ada:s3cr3t@${NOWHERE}/keys?key=s3cr3t`,
  });
  expect(levels(ended)).toEqual({
    ...{ configuration: 'ok', database: 'fail', migrations: 'fail', keys: 'fail' },
    ...{ Redis: 'fail', SMTP: 'fail', webhooks: 'ok', clock: 'warn' },
  });
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL', 'AUTH_JWKS_URL']) {
    expect(ended.output).toMatch(name);
  }
  expect(ended.output).not.toMatch('s3cr3t');
  expect(ended.status).toBe(1);
});

test('a wrong configuration is said problem by problem, and the rest is looked at', async () => {
  const ended = await doctor({ PORT: 'x', LOG_LEVEL: 'loud', AUTH_JWT_SECRET: 'short' });
  expect(ended.output).toMatch(/^fail {2}configuration {2}PORT must be/m);
  expect(ended.output).toMatch(/^fail {2}configuration {2}LOG_LEVEL must be one of/m);
  expect(ended.output).toMatch(/^fail {2}configuration {2}AUTH_JWT_SECRET must be at least 32/m);
  expect(ended.output).toMatch(/^ok {4}migrations/m);
  expect(ended.status).toBe(1);
});

test('settings that require a wrong one, and a name that is nearly one of theirs, end no check', async () => {
  const keySet = { AUTH_JWT_SECRET: '', AUTH_JWKS_URL: 'http://127.0.0.1:1/keys' };
  const provider = { AUTH_ISSUER: '"https://id.example.com"', AUTH_AUDIENCE: 'teamspaces' };
  const ended = await doctor({ ...keySet, ...provider, DATABASE_URI: 'x' });
  const lines = ended.output.split('\n').filter((line) => line.includes('  configuration  '));
  expect(lines).toEqual([
    'fail  configuration  AUTH_ISSUER must not be in quotes: they are part of the value.',
    'warn  configuration  DATABASE_URI is not read: did you mean DATABASE_URL?',
  ]);
  expect(ended.output).toMatch(/^ok {4}migrations/m);
});

test('migrations that are missing fail in production, and are named where the start applies them', async () => {
  const empty = await createEmptyDatabase();
  const production = await doctor({ ...PRODUCTION, DATABASE_URL: empty.url });
  const development = await doctor({ DATABASE_URL: empty.url });
  await empty.drop();
  expect(production.output).toMatch(
    /^fail {2}migrations .* are not applied: run teamspaces migrate\.$/m,
  );
  expect(production.status).toBe(1);
  expect(development.output).toMatch(/^warn {2}migrations .* the next start applies them\.$/m);
  expect(development.status).toBe(0);
});

test('migrations of a newer version are a warning in production, which may be rolled back', async () => {
  const rolledBack = await createTestDatabase();
  await sql(
    rolledBack.url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
     VALUES ('1', '', '29991231000000_newer', now())`,
  );
  const production = await doctor({ ...PRODUCTION, DATABASE_URL: rolledBack.url });
  // A start outside production refuses them.
  const development = await doctor({ DATABASE_URL: rolledBack.url });
  await sql(
    rolledBack.url,
    `DELETE FROM _prisma_migrations WHERE migration_name = '20260101000000_initial'`,
  );
  const both = await doctor({ ...PRODUCTION, DATABASE_URL: rolledBack.url });
  await rolledBack.drop();
  expect(production.output).toMatch(
    /^warn {2}migrations .* 29991231000000_newer of a newer version/m,
  );
  expect(production.status).toBe(0);
  expect(development.output).toMatch(/^fail {2}migrations .* \(29991231000000_newer\)/m);
  expect(development.status).toBe(1);
  expect(levels(both).migrations).toBe('fail');
});

test('a database that refuses writes is a failure', async () => {
  const readOnly = await createTestDatabase();
  const { pathname } = new URL(readOnly.url);
  await sql(
    database.url,
    `ALTER DATABASE ${pathname.slice(1)} SET default_transaction_read_only = on`,
  );
  const ended = await doctor({ DATABASE_URL: readOnly.url });
  await readOnly.drop();
  expect(ended.output).toMatch(
    /^fail {2}database .*: it refuses writes, since default_transaction_read_only is on: turn/m,
  );
  expect(ended.status).toBe(1);
});

test('what a role may not do is said with the statement that allows it', async () => {
  const mine = await createTestDatabase();
  const role = `${new URL(mine.url).pathname.slice(1)}_app`;
  await sql(mine.url, `CREATE ROLE ${role} LOGIN PASSWORD 's3cr3t'`);
  await sql(
    mine.url,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`,
  );
  await sql(mine.url, `REVOKE UPDATE ON collections, trash_items FROM ${role}`);
  await sql(mine.url, `REVOKE ALL ON _prisma_migrations FROM ${role}`);
  const DATABASE_URL = Object.assign(new URL(mine.url), {
    username: role,
    password: 's3cr3t',
  }).href;
  const before = await doctor({ ...PRODUCTION, DATABASE_URL });
  const grants = before.output.match(/GRANT .*? TO \w+/g) ?? [];
  for (const grant of grants) await sql(mine.url, grant);
  const after = await doctor({ ...PRODUCTION, DATABASE_URL });
  await mine.drop();
  await sql(database.url, `DROP ROLE ${role}`);
  expect(levels(before)).toMatchObject({ database: 'ok', migrations: 'warn', permissions: 'fail' });
  expect(before.output).toMatch('may not read and write collections, trash_items. As the owner');
  expect(grants).toEqual([
    `GRANT SELECT ON _prisma_migrations TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON collections, trash_items TO ${role}`,
  ]);
  expect([before.status, after.status]).toEqual([1, 0]);
  expect(levels(after)).toMatchObject({ migrations: 'ok', permissions: 'ok' });
});

test('large tables that were never analyzed are named', async () => {
  const loaded = await createTestDatabase();
  await sql(loaded.url, 'ALTER TABLE users SET (autovacuum_enabled = false)');
  await sql(
    loaded.url,
    `INSERT INTO users (id, issuer, subject, email, name)
     SELECT gen_random_uuid(), 'https://id.example.com', n::text, n || '@example.com', repeat('a', 99)
     FROM generate_series(1, 10000) AS n`,
  );
  const before = await doctor({ DATABASE_URL: loaded.url });
  await sql(loaded.url, /run (ANALYZE .*?), and/.exec(before.output)?.[1] ?? '');
  const after = await doctor({ DATABASE_URL: loaded.url });
  await loaded.drop();
  expect(before.output).toMatch(/^warn {2}statistics {5}users: large, and never analyzed/m);
  expect(before.status).toBe(0);
  expect(levels(after).statistics).toBe('ok');
});

test('a log of changes that is larger than its plan allows is named', async () => {
  const loaded = await createTestDatabase();
  const log = async (rows: number) => {
    await sql(
      loaded.url,
      `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
       SELECT team_id, id, n, id, id FROM workspaces, generate_series($1::int + 1, $1 + 80000) AS n`,
      [rows],
    );
    await sql(loaded.url, 'ANALYZE');
  };
  await sql(
    loaded.url,
    `WITH team AS (
       INSERT INTO teams (id, slug, name, invite_code)
       VALUES (gen_random_uuid(), 'acme', 'Acme', 'code') RETURNING id
     )
     INSERT INTO workspaces (id, team_id, slug, name)
     SELECT gen_random_uuid(), id, 'handbook', 'Handbook' FROM team`,
  );
  await log(0);
  const before = await doctor({ DATABASE_URL: loaded.url });
  await log(80_000);
  const after = await doctor({ DATABASE_URL: loaded.url });
  await loaded.drop();
  expect(before.output).toMatch(
    /^ok {4}changes .* about 80,000 rows .*; the largest is that of acme\/handbook, with about 80,000 \(at most 100,000\)\.$/m,
  );
  expect(after.output).toMatch(
    /^warn {2}changes .* about 160,000 .*: the purge does not keep up;/m,
  );
});

test('a name that is nearly that of a setting is a warning', async () => {
  const ended = await doctor({ DATABASE_URI: 'postgresql://ada:s3cr3t@db/spaces' });
  expect(ended.output).toMatch(
    /^warn {2}configuration {2}DATABASE_URI is not read: did you mean DATABASE_URL\?$/m,
  );
  expect(ended.output).not.toMatch('s3cr3t');
  expect(ended.status).toBe(0);
});

test('a clock that is off is a warning or an error', async () => {
  const wrong = await offenders(
    [
      [10_000, 'warn', 0, /This clock is 10 s behind the identity provider; 30 s are tolerated/],
      [
        -60_000,
        'fail',
        1,
        /This clock is 60 s ahead of the identity provider: tokens may be refused/,
      ],
    ],
    async ([ahead, level, status, sentence]) => {
      const ended = await doctor({ ...PRODUCTION, ...(await aKeySet([KEY], ahead)) });
      expect(levels(ended).clock).toBe(level);
      expect(ended.output).toMatch(sentence);
      expect(ended.status).toBe(status);
    },
  );
  expect(wrong).toEqual([]);
});

test('with nothing configured it starts nothing and says what the start will make', async () => {
  const DATA_DIR = await aFolder();
  const ended = await doctor({ DATABASE_URL: '', AUTH_JWT_SECRET: '', DATA_DIR });
  expect(ended.output).toMatch('does not exist yet: npm start creates and migrates it.');
  expect(levels(ended)).toMatchObject({ database: 'ok', keys: 'ok', clock: 'warn' });
  expect(ended.status).toBe(0);
});

test('a DATA_DIR that can hold nothing is said, with what to do', async () => {
  const file = join(await aFolder(), 'file');
  await writeFile(file, '');
  const ended = await doctor({
    DATABASE_URL: '',
    AUTH_JWT_SECRET: SECRET,
    DATA_DIR: join(file, 'below'),
  });
  expect(ended.status).toBe(1);
  expect(ended.output).toMatch(/database +DATA_DIR: the folder .* cannot be created or written to/);
});

describe('webhooks', () => {
  const config = { webhookKey: 'k'.repeat(32), production: true };
  const own = selfSigned();

  (own ? test : skipped(test, 'openssl is missing'))('outbound https works', async () => {
    const server = createTlsServer({ ...own }, (_request, response) => response.end());
    const [host = '', port] = (await listening(server)).split(':');
    const place = { host, port: Number(port), servername: 'receiver.example', ca: own?.cert };
    expect(await examineOutbound(config, place)).toEqual({
      level: 'ok',
      check: 'webhooks',
      says: 'Outbound https works.',
    });
    const untrusted = await examineOutbound(config, { ...place, ca: [] });
    expect(untrusted.level).toBe('warn');
    expect(untrusted.says).toMatch('(DEPTH_ZERO_SELF_SIGNED_CERT)');
  });

  test('an internet that cannot be reached is a warning', async () => {
    const host = 'localhost';
    expect(await examineOutbound(config, { host, port: 1 })).toEqual({
      level: 'warn',
      check: 'webhooks',
      says: 'localhost cannot be reached by https (ECONNREFUSED): receivers of webhooks on the internet cannot be, either.',
    });
    const silent = await listening(createServer());
    const place = { host, port: Number(silent.split(':')[1]), timeout: 100 };
    expect((await examineOutbound(config, place)).says).toMatch('(it does not respond)');
  });

  test('without a key nothing is called, and what that means is said', async () => {
    const says = async (production: boolean) =>
      (await examineOutbound({ webhookKey: null, production })).says;
    expect(await says(true)).toBe('Not set: there are no webhooks. Set WEBHOOK_KEY to have them.');
    expect(await says(false)).toBe('WEBHOOK_KEY is not set: the service creates one in DATA_DIR.');
  });

  test('a key that is too short is a wrong configuration', async () => {
    const ended = await doctor({ WEBHOOK_KEY: 'short' });
    expect(ended.output).toMatch(/^fail {2}configuration {2}WEBHOOK_KEY must be at least 32/m);
    expect(ended.status).toBe(1);
  });
});
