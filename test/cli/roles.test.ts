import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { blocksOf } from '../docs/markdown.js';
import { SECRET, somebody, startService } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { closeSql, sql } from '../support/sql.js';

/** In `docs/upgrade.md`. */
const [DATABASE, ROLE, PASSWORD] = ['teamspaces', 'teamspaces_service', '…'];

let database: TestDatabase;
let role: string;
/** The address with which the service connects. */
let serviceUrl: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  role = `${name}_service`;
  serviceUrl = Object.assign(new URL(database.url), { username: role, password: 's3cr3t' }).href;
  await applyMigrations(database.url);
  const grants = blocksOf('docs/upgrade.md').find(({ text }) => text.startsWith('CREATE ROLE'));
  const text = String(grants?.text)
    .replace(PASSWORD, 's3cr3t')
    .replaceAll(ROLE, role)
    .replace(`DATABASE ${DATABASE} `, `DATABASE ${name} `);
  await sql(database.url, text);
});
afterAll(async () => {
  await closeSql(serviceUrl);
  await sql(database.url, `DROP OWNED BY ${role}`);
  await sql(database.url, `DROP ROLE ${role}`);
  await database.drop();
});

test('a role that owns nothing, as in docs/upgrade.md, is enough for the service', async () => {
  const service = await startService({}, serviceUrl);
  const [ada, bob] = [service.as(somebody()), service.as(somebody('Bob'))];
  try {
    expect((await ada.get('/health/ready')).status).toBe(200);
    const { inviteCode } = await ok<{ inviteCode: string }>(
      ada.post('/teams', { name: 'Acme', slug: 'acme' }),
    );
    await ok(bob.post('/teams/join', { inviteCode }));
    await ok(
      ada.post('/teams/acme/invites', { invites: [{ email: 'e@example.com', role: 'guest' }] }),
    );
    await ok(ada.post('/teams/acme/workspaces', { name: 'Docs' }));
    await ok(ada.post('/teams/acme/workspaces', { name: 'Other' }));
    const query = '?team_slug=acme&workspace_slug=docs';
    const shelf = await anItem(ada, query, { name: 'Shelf' });
    await ok(ada.post(`/collections${query}`, { name: 'Once' }).set('idempotency-key', 'once'));
    await ok(ada.post(`/collections/batch${query}`, { parent: shelf.id, items: [{}, {}] }));
    await ok(ada.put(`/collections/${shelf.id}`, { name: 'Renamed' }));
    await ok(ada.post(`/collections/reorder${query}`, { id: shelf.id, index: 1 }));
    await ok(ada.post(`/collections/${shelf.id}/duplicate`));
    await ok(ada.post(`/collections/${shelf.id}/transfer`, { workspace_slug: 'other' }));
    await ok(ada.delete(`/collections/${shelf.id}`));
    await ok(ada.post(`/collections/trash/${shelf.id}/restore`));
    await ok(ada.delete(`/collections/${shelf.id}?permanent=true`));
    await ok(ada.get(`/collections/changes${query}`));
    await ok(ada.delete('/teams/acme/workspaces/other'));
    expect(await ok<unknown[]>(ada.get('/teams/acme/audit-log'))).not.toEqual([]);
  } finally {
    await service.stop();
  }
});

test('it may use the table of a later migration, and migrate nothing itself', async () => {
  const later = { name: '29990101000000_later', sql: 'CREATE TABLE later (id int);' };
  expect(await applyMigrations(database.url, [...readMigrations(), later])).toEqual([later.name]);
  await sql(serviceUrl, 'INSERT INTO later VALUES (1)');
  await sql(serviceUrl, 'UPDATE later SET id = 2');
  expect(await sql(serviceUrl, 'DELETE FROM later RETURNING id')).toEqual([{ id: 2 }]);
  const doctor = await runCommand(['doctor'], {
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://teamspaces.example.com',
    DATABASE_URL: serviceUrl,
    AUTH_JWT_SECRET: SECRET,
  });
  expect(doctor.output).toMatch(/^warn {2}migrations .* 29990101000000_later of a newer version/m);
  expect(doctor.output).toMatch(/^ok {4}permissions/m);
  expect(doctor.status).toBe(0);
  await expect(sql(serviceUrl, 'DROP TABLE later')).rejects.toThrow('must be owner');
  await expect(sql(serviceUrl, 'DELETE FROM _prisma_migrations')).rejects.toThrow('denied');
});
