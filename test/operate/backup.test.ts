import { applyMigrations } from '../../src/database/migrations.js';
import { textOfBlock } from '../docs/markdown.js';
import { somebody, startService, type TestService } from '../support/app.js';
import { anItem, type ItemBody, ok, type TeamBody } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { closeSql, sql } from '../support/sql.js';
import { installedPostgres, startInstalledPostgres } from './installed-postgres.js';

const TIMEOUT = 180_000;
const programs = installedPostgres();

const ada = somebody();
const QUERY = '?team_slug=acme&workspace_slug=docs';

/** A team with pages that were moved about, an invite, and a response that is kept under a key. */
async function fill(service: TestService): Promise<void> {
  const caller = service.as(ada);
  await ok(caller.post('/teams', { name: 'Acme', slug: 'acme' }));
  await ok(caller.post('/teams/acme/workspaces', { name: 'Docs', visibility: 'private' }));
  const shelf = await anItem(caller, QUERY, { name: 'Shelf' });
  for (let i = 0; i < 20; i++) {
    const content = { text: `Grüße ${i} ✓`, number: 1e300 };
    const page = await anItem(caller, QUERY, { object: 'item', name: `${i}`, content });
    const newParent = i % 3 === 0 ? shelf.id : null;
    await ok(caller.post(`/collections/reorder${QUERY}`, { id: page.id, index: i % 5, newParent }));
  }
  const invites = [{ email: 'bob@example.com', role: 'member' }];
  await ok(caller.post('/teams/acme/invites', { invites }));
}

const list = async (service: TestService) => {
  const { headers, text } = await service.as(ada).get(`/collections${QUERY}&include=content`);
  return { etag: String(headers.etag), text };
};
const createOnce = (service: TestService) =>
  service
    .as(ada)
    .post(`/collections${QUERY}`, { name: 'Once' })
    .set('idempotency-key', 'before-the-backup');

const NOT_ANALYZED = 'SELECT relname FROM pg_stat_user_tables WHERE last_analyze IS NULL';

describeWith('pg_dump', programs)('a backup by pg_dump', () => {
  let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
  beforeAll(async () => {
    server = await startInstalledPostgres(programs ?? '');
  }, TIMEOUT);
  afterAll(() => server.stop());

  /** Runs the commands of docs/recover.md of which one has this name, but for our own. @returns what they have printed */
  const run = (name: string, DATABASE_URL: string): Promise<string> => {
    const commands = textOfBlock('docs/recover.md', 'sh', name).replace(/^npx .*$/gm, '');
    return server.shell(`exec 2>&1\n${commands}`, { DATABASE_URL });
  };

  /** An empty database, and its address for its owner, who is not a superuser. */
  async function createOwned(name: string): Promise<string> {
    const url = await server.create(name);
    await sql(url, `CREATE ROLE ${name} LOGIN`);
    await sql(url, `ALTER DATABASE ${name} OWNER TO ${name}`);
    await closeSql(url);
    return Object.assign(new URL(url), { username: name }).href;
  }

  test(
    'is restored as it was, and what clients remember of the time after it is not believed',
    async () => {
      const original = await createOwned('original');
      await applyMigrations(original);
      const lost = await startService({}, original);
      await fill(lost);
      const kept = await ok<ItemBody>(createOnce(lost));
      const before = await list(lost);
      const team = await ok<TeamBody>(lost.as(ada).get('/teams/acme'));

      expect(await run('pg_dump', original)).toBe('');
      // The backup does not know of these, but clients do.
      await anItem(lost.as(ada), QUERY, { name: 'Lost' });
      const after = await list(lost);
      await lost.stop();

      const copy = await createOwned('copied');
      expect(await run('pg_restore', copy)).toBe('');
      expect(await sql(copy, NOT_ANALYZED)).toEqual([]);
      expect(await applyMigrations(copy)).toEqual([]);
      await assertInvariants(copy);
      const service = await startService({}, copy);
      try {
        expect(await list(service)).toEqual(before);
        expect(await ok(service.as(ada).get('/teams/acme'))).toEqual(team);
        const replayed = await createOnce(service);
        expect(replayed.headers['idempotent-replayed']).toBe('true');
        expect(replayed.body).toEqual(kept);

        // As many changes as were lost: another tree, and so another tag than that of the lost one.
        await anItem(service.as(ada), QUERY, { name: 'Found' });
        const remembered = service.as(ada).get(`/collections${QUERY}&include=content`);
        const response = await remembered.set('if-none-match', after.etag);
        expect(response.status).toBe(200);
        expect(response.text).toMatch('"Found"');
        expect(response.text).not.toMatch('"Lost"');
        await assertInvariants(copy);
      } finally {
        await service.stop();
        await closeSql(copy);
      }
    },
    TIMEOUT,
  );
});
