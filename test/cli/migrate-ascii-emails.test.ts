import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { sql } from '../support/sql.js';

const ASCII_EMAILS = '20260703000000_ascii_emails';

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
  const migrations = readMigrations();
  const at = migrations.findIndex(({ name }) => name === ASCII_EMAILS);
  await applyMigrations(database.url, migrations.slice(0, at));
  await sql(
    database.url,
    `INSERT INTO users (id, issuer, subject, email, name) VALUES ('${id(1)}', '', 'ada', 'ada@example.com', 'Ada')`,
  );
  await sql(
    database.url,
    `INSERT INTO teams (id, slug, name, invite_code) VALUES ('${id(2)}', 'acme', 'Acme', 'code')`,
  );
});
afterEach(() => database.drop());

const invite = (n: number, email: string, state = 'pending', expires = '2030-01-01') =>
  sql(
    database.url,
    `INSERT INTO team_invites (id, team_id, email, role, state, invited_by, expires_at)
     VALUES ($1, '${id(2)}', $2, 'guest', $3, '${id(1)}', $4)`,
    [id(n), email, state, expires],
  );
const rows = () => sql(database.url, 'SELECT * FROM team_invites ORDER BY id');

test('invites keep what they had', async () => {
  await invite(11, 'Bob@example.com');
  await invite(12, 'bob@example.com', 'revoked');
  await invite(13, '\u212aate@example.com');
  await invite(14, '\u0130ris@example.com', 'accepted');
  const before = await rows();
  await applyMigrations(database.url);
  expect(await rows()).toEqual(before);
});

test('afterwards the Kelvin sign is no k, and A is a', async () => {
  await invite(11, '\u212aate@example.com');
  await applyMigrations(database.url);
  await invite(12, 'kate@example.com');
  await expect(invite(13, 'KATE@example.com')).rejects.toMatchObject({
    constraint: 'team_invites_pending_key',
  });
});

test('of pending invites that are the same now, as under a Turkish locale, the newest stays', async () => {
  // Under that locale the old key tells I from i; here there is none.
  await sql(
    database.url,
    'DROP INDEX team_invites_pending_key; CREATE INDEX team_invites_pending_key ON team_invites (id)',
  );
  await invite(11, 'IRIS@example.com', 'pending', '2030-01-02');
  await invite(12, 'iris@example.com', 'pending', '2030-01-01');
  await invite(13, 'eve@example.com', 'pending', '2030-01-01');
  await applyMigrations(database.url);
  const states = (await rows()).map(({ email, state }) => [email, state]);
  expect(states).toEqual([
    ['IRIS@example.com', 'pending'],
    ['iris@example.com', 'revoked'],
    ['eve@example.com', 'pending'],
  ]);
});
