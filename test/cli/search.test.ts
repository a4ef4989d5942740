import { type InsideService, somebody, startStillService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { catchUp, placesIn, writerOf } from '../support/page-storm/index-hands.js';
import type { Workspace } from '../support/scene.js';
import { sql } from '../support/sql.js';

let database: TestDatabase;
let service: InsideService;
let ada: ReturnType<InsideService['as']>;
let team: string;
let workspace: Workspace;
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startStillService({}, database.url);
  ada = service.as(somebody('Ada'));
  team = await aTeam(ada);
  workspace = await aWorkspace(ada, team);
  await aWorkspace(ada, team);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const run = (...args: string[]) => runCommand(args, { DATABASE_URL: database.url });
const rebuild = (...args: string[]) => run('search', 'rebuild', ...args);
const doctor = async () =>
  (await run('doctor')).output.split('\n').find((line) => / search /.test(line));
const page = (text: string) => anItem(ada, workspace.query, { object: 'item', content: { text } });
const search = async (q: string) => {
  const { body, headers } = await ada.get(`/collections/search${workspace.query}&q=${q}&in=all`);
  return { ids: (body as ItemBody[]).map(({ id }) => id), behind: headers['search-behind'] };
};
const lease = (until: string) =>
  sql(database.url, `UPDATE search_rounds SET leased_until = now() + interval '${until}'`);

test('search rebuild has words written again, and pages are found meanwhile', async () => {
  expect((await rebuild()).output).toMatch(/^No index was found: the running service creates it/);
  const { id } = await page('apricot');
  await catchUp(service);
  // Words that the index lacks, and some that no page has.
  const lost = await page('blueberry');
  await catchUp(service);
  await sql(database.url, "UPDATE page_words SET words = '' WHERE id = $1", [lost.id]);
  await sql(
    database.url,
    `INSERT INTO page_words (team_id, workspace_id, id, part, tree_version, changed_at, bytes, count, words)
     SELECT team_id, workspace_id, gen_random_uuid(), part, tree_version, changed_at, bytes, count, words
     FROM page_words WHERE id = $1`,
    [id],
  );
  expect((await search('blueberry')).ids).toEqual([]);
  expect((await run('verify')).status).toBe(1);

  await lease('1 minute');
  expect(await rebuild()).toEqual({
    status: 0,
    output: 'The index of 2 workspaces will be written again.\n',
  });
  expect(await doctor()).toMatch(
    /lacks pages or changes of 2 of 2 workspaces; an instance of the service is working on it\.$/,
  );
  const { ids, behind } = await search('apricot');
  expect([ids, behind]).toEqual([[id], expect.stringMatching(/^\d+$/)]);

  await catchUp(service);
  expect(await doctor()).toBe('ok    search         The index has all pages of 2 workspaces.');
  expect(await search('blueberry')).toEqual({ ids: [lost.id], behind: undefined });
  expect((await run('verify')).status).toBe(0);
});

test('a portion that was read before a rebuild was requested is not written', async () => {
  const { id } = await page('cherry');
  await catchUp(service);
  await ok(ada.put(`/collections/${id}`, { content: { text: 'damson' } }));
  const place = (await placesIn(database.url)).find((each) => each.id === workspace.id);
  if (!place) throw new Error('it is gone');
  const positions = () =>
    sql<{ loaded_id: string | null }>(
      database.url,
      'SELECT loaded_id FROM search_positions WHERE workspace_id = $1',
      [place.id],
    );
  const db = service.provider<{ transaction(...given: unknown[]): Promise<unknown> }>('Database');
  const { transaction } = db;
  db.transaction = async (...given) => {
    db.transaction = transaction;
    await rebuild('--team', team, '--workspace', workspace.slug);
    return transaction.apply(db, given);
  };
  await sql(database.url, "UPDATE page_words SET indexed_at = indexed_at - interval '1 minute'");
  await writerOf(service).writePortion(place, null);
  expect(await positions()).toEqual([{ loaded_id: expect.stringMatching(/^0{8}-/) }]);
  await catchUp(service);
  expect(await positions()).toEqual([{ loaded_id: null }]);
});

test('search rebuild is for one team or workspace, and says what is not there', async () => {
  await catchUp(service);
  await lease('-5 minutes');
  expect((await rebuild('--team', team, '--workspace', workspace.slug)).output).toBe(
    'The index of 1 workspace will be written again. No instance keeps the index at present: start the service.\n',
  );
  expect(await doctor()).toMatch(
    /^warn {2}search .* 1 of 2 workspaces, and no instance of the service works on it: start one\.$/,
  );
  expect((await rebuild('--team', team)).output).toMatch(/^The index of 2 workspaces/);
  const missing = await rebuild('--team', 'nowhere');
  expect(missing).toMatchObject({ status: 1 });
  expect(missing.output).toContain('There is no team with the slug "nowhere".');
  const other = await rebuild('--team', team, '--workspace', 'nowhere');
  expect(other).toMatchObject({ status: 1 });
  expect(other.output).toContain(`The team ${team} has no workspace with the slug "nowhere".`);
  const alone = await rebuild('--workspace', workspace.slug);
  expect(alone).toMatchObject({ status: 2 });
  expect(alone.output).toContain('--workspace requires --team');
  const off = await runCommand(['doctor'], { DATABASE_URL: database.url, SEARCH_CONTENT: 'off' });
  expect(off.output).toContain('SEARCH_CONTENT is off: pages are found by title only.');
});
