import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { applyMigrations } from '../../src/database/migrations.js';
import { somebody, startService, type TestService } from '../support/app.js';
import { anItem, type ItemBody, ok, type TeamBody } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { describeWith } from '../support/programs.js';
import { installedPostgres, startInstalledPostgres } from './installed-postgres.js';

const TIMEOUT = 180_000;
const run = promisify(execFile);

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

describeWith('pg_dump', programs)('a backup by pg_dump', () => {
  let server: Awaited<ReturnType<typeof startInstalledPostgres>>;
  let folder: string;
  beforeAll(async () => {
    server = await startInstalledPostgres(programs ?? '');
    folder = await mkdtemp(join(tmpdir(), 'teamspaces-backup-'));
  }, TIMEOUT);
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test(
    'is restored as it was, and what clients remember of the time after it is not believed',
    async () => {
      const original = await server.create('original');
      await applyMigrations(original);
      const lost = await startService({}, original);
      await fill(lost);
      const kept = await ok<ItemBody>(createOnce(lost));
      const before = await list(lost);
      const team = await ok<TeamBody>(lost.as(ada).get('/teams/acme'));

      const file = join(folder, 'teamspaces.dump');
      await run(join(programs ?? '', 'pg_dump'), ['--format=custom', `--file=${file}`, original]);
      // The backup does not know of these, but clients do.
      await anItem(lost.as(ada), QUERY, { name: 'Lost' });
      const after = await list(lost);
      await lost.stop();

      const copy = await server.create('copy');
      const restore = ['--clean', '--if-exists', '--no-owner', `--dbname=${copy}`, file];
      await run(join(programs ?? '', 'pg_restore'), restore);
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
      }
    },
    TIMEOUT,
  );
});
