import { verifyDatabase } from '../../cli/verify/invariants.js';
import { somebody, startStillService } from '../support/app.js';
import { anItem, aWorkspace, freshSlug, ok } from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { catchUp } from '../support/page-storm/index-hands.js';
import { sql } from '../support/sql.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fill(database.url);
  await sql(database.url, `${DROP_CONSTRAINTS}; ${KEEP}`);
});
afterEach(() => sql(database.url, RESTORE));
afterAll(() => database.drop());

/**
 * Team One: a private workspace with the collections A (in it the collection B, with the page P, and
 * the page Q) and C, and a public one with the collection D, and in its trash the collection T (in it
 * the page U), the collection V (in it the page W) and the page X. Team Two, somebody else's: a workspace
 * with the collection E, an empty one, and in the trash one with the collection F (in it the page G).
 * Team Three: nothing at all.
 */
async function fill(databaseUrl: string): Promise<void> {
  const service = await startStillService({}, databaseUrl);
  const [ada, bob] = [service.as(somebody('Ada')), service.as(somebody('Bob'))];
  const team = async (caller: typeof ada, name: string) => {
    const slug = freshSlug();
    await ok(caller.post('/teams', { name, slug }));
    return slug;
  };
  const one = await team(ada, 'One');
  const secret = await aWorkspace(ada, one, { name: 'Secret', visibility: 'private' });
  const a = await anItem(ada, secret.query, { name: 'A' });
  const b = await anItem(ada, secret.query, { name: 'B', parent: a.id });
  await anItem(ada, secret.query, { name: 'P', parent: b.id, object: 'item' });
  await anItem(ada, secret.query, { name: 'Q', parent: a.id, object: 'item' });
  await anItem(ada, secret.query, { name: 'C' });
  const open = await aWorkspace(ada, one, { name: 'Open' });
  await anItem(ada, open.query, { name: 'D' });
  const t = await anItem(ada, open.query, { name: 'T' });
  await anItem(ada, open.query, { name: 'U', parent: t.id, object: 'item' });
  const v = await anItem(ada, open.query, { name: 'V' });
  await anItem(ada, open.query, { name: 'W', parent: v.id, object: 'item' });
  const x = await anItem(ada, open.query, { name: 'X', object: 'item' });
  for (const { id } of [t, v, x]) await ok(ada.delete(`/collections/${id}`));
  const two = await team(bob, 'Two');
  const other = await aWorkspace(bob, two, { name: 'Other' });
  await anItem(bob, other.query, { name: 'E' });
  await aWorkspace(bob, two, { name: 'Empty' });
  const gone = await aWorkspace(bob, two, { name: 'Gone' });
  const f = await anItem(bob, gone.query, { name: 'F' });
  await anItem(bob, gone.query, { name: 'G', parent: f.id, object: 'item' });
  await ok(bob.delete(gone.path));
  await team(bob, 'Three');
  await catchUp(service);
  await service.stop();
}

/** The database itself holds most of the invariants, too. */
const DROP_CONSTRAINTS = `
  DO $$
  DECLARE each record;
  BEGIN
    FOR each IN
      SELECT conrelid::regclass AS relation, conname FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'u', 'p', 'c')
      ORDER BY contype = 'f' DESC
    LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.relation, each.conname);
    END LOOP;
    -- Its rows are copied back, with all columns.
    ALTER TABLE collections ALTER COLUMN list_id DROP EXPRESSION;
  END $$`;

const TABLES = ['teams', 'team_usage', 'team_members', 'workspaces', 'workspace_members'].concat([
  'collections',
  'trash_deletions',
  'trash_items',
  'page_versions',
  'audit_entries',
  'tree_changes',
  'search_positions',
  'page_words',
]);
const KEEP = TABLES.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table}`).join('; ');
const RESTORE = TABLES.map(
  (table) => `TRUNCATE ${table}; INSERT INTO ${table} TABLE kept_${table}`,
).join('; ');

const team = (name: string) => `(SELECT id FROM teams WHERE name = '${name}')`;
const workspace = (name: string) => `(SELECT id FROM workspaces WHERE name = '${name}')`;
const item = (name: string) => `(SELECT id FROM collections WHERE name = '${name}')`;
/** @param versions each with its number, its ordinal and the sum of bytes; all are older than the page */
const versionsOf = (id: string, versions = '(0, 1, 2)') => `
  INSERT INTO page_versions (team_id, id, version, since, until, bytes, content, ordinal, total_bytes)
  SELECT ${team('One')}, ${id}, version, now(), now(), 2, '{}', ordinal, total
  FROM (VALUES ${versions}) AS n (version, ordinal, total)`;
const trashed = (name: string) => `(SELECT id FROM trash_items WHERE name = '${name}')`;
const place = (name: string) => `(SELECT position FROM collections WHERE name = '${name}')`;
const NOWHERE = "'01890000-0000-7000-8000-000000000000'";

/** Items that hang on nothing are not reached from the top level, either. */
const CYCLE = 'there is no cycle: every item is reached from the top level';

const INDEX_KNOWS =
  'a page in the index of search is in its workspace, or has left it since the index was written';
const INDEX_HAS = 'the index of search has every word of a page (a sample of 1,000)';

/** What breaks each invariant, and no other (but those of `also`); a name with a comma stands twice. */
const BREAKS: Record<string, { by: Record<string, string>; also?: string[] }> = {
  'order is total: no two siblings share a position': {
    by: {
      'at the top level': `UPDATE collections SET position = ${place('A')} WHERE name = 'C'`,
      'in a collection': `UPDATE collections SET position = ${place('B')} WHERE name = 'Q'`,
    },
  },
  'positions are at most 64 characters long': {
    by: {
      'one of 65': "UPDATE collections SET position = rpad(position, 65, '1') WHERE name = 'C'",
    },
  },
  'an id is of one item only, across all teams': {
    by: { 'in two teams': `UPDATE collections SET id = ${item('A')} WHERE name = 'E'` },
  },
  'an id is of one workspace only, across all teams': {
    by: {
      'in two teams': `
        WITH members AS (
          UPDATE workspace_members SET workspace_id = ${workspace('Secret')}
          WHERE workspace_id = ${workspace('Empty')}
        ) UPDATE workspaces SET id = ${workspace('Secret')} WHERE name = 'Empty'`,
    },
  },
  'an item is in a workspace of its team': {
    by: {
      'a workspace that is not there': `UPDATE collections SET workspace_id = ${NOWHERE} WHERE name = 'D'`,
      "another team's": `UPDATE collections SET workspace_id = ${workspace('Other')} WHERE name = 'D'`,
    },
  },
  'a parent exists and is in the same workspace': {
    by: {
      'in another workspace': `UPDATE collections SET parent_id = ${item('D')} WHERE name = 'C'`,
      'the other way round': `UPDATE collections SET parent_id = ${item('A')} WHERE name = 'D'`,
    },
  },
  'a parent exists and is in the same workspace, ': {
    by: {
      'not there': `UPDATE collections SET parent_id = ${NOWHERE} WHERE name = 'C'`,
      'in another team': `UPDATE collections SET parent_id = ${item('E')} WHERE name = 'C'`,
    },
    also: [CYCLE],
  },
  'a parent is a collection': {
    by: { 'a page': `UPDATE collections SET parent_id = ${item('P')} WHERE name = 'C'` },
  },
  'every team has counters': {
    by: { none: `DELETE FROM team_usage WHERE team_id = ${team('Three')}` },
  },
  'usage.pages equals the pages': {
    by: {
      'too many': `UPDATE team_usage SET pages = 3 WHERE team_id = ${team('One')}`,
      'too few': `UPDATE team_usage SET pages = 1 WHERE team_id = ${team('One')}`,
      'of a team without any': `UPDATE team_usage SET pages = 1 WHERE team_id = ${team('Two')}`,
    },
  },
  'usage.collections equals the collections': {
    by: {
      'too many': `UPDATE team_usage SET collections = 5 WHERE team_id = ${team('One')}`,
      'too few': `UPDATE team_usage SET collections = 3 WHERE team_id = ${team('One')}`,
      'of a team without any': `UPDATE team_usage SET collections = 1 WHERE team_id = ${team('Three')}`,
    },
  },
  'usage.users equals the members': {
    by: {
      'too many': `UPDATE team_usage SET users = 2 WHERE team_id = ${team('One')}`,
      'too few': `UPDATE team_usage SET users = 0 WHERE team_id = ${team('One')}`,
    },
  },
  'usage.workspaces equals the workspaces': {
    by: {
      'too many': `UPDATE team_usage SET workspaces = 3 WHERE team_id = ${team('One')}`,
      'too few': `UPDATE team_usage SET workspaces = 1 WHERE team_id = ${team('One')}`,
      'of a team without any': `UPDATE team_usage SET workspaces = 1 WHERE team_id = ${team('Three')}`,
    },
  },
  'every team has an owner': {
    by: {
      'a moderator': `UPDATE team_members SET role = 'moderator' WHERE team_id = ${team('Two')}`,
    },
  },
  'every private workspace has an editor': {
    by: {
      'a reader': `UPDATE workspace_members SET role = 'reader' WHERE workspace_id = ${workspace('Secret')}`,
      nobody: `DELETE FROM workspace_members WHERE workspace_id = ${workspace('Secret')}`,
    },
  },
  'every workspace member is a member of the team': {
    by: {
      "another team's": `
        INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
        SELECT ${team('One')}, ${workspace('Open')}, user_id, 'reader'
        FROM team_members WHERE team_id = ${team('Two')}`,
      'of a workspace that is not there': `
        INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
        SELECT team_id, ${NOWHERE}, user_id, 'reader'
        FROM team_members WHERE team_id = ${team('One')}`,
    },
  },
  'an entry of the audit log is of a team': {
    by: { 'not there': `UPDATE audit_entries SET team_id = ${NOWHERE}` },
  },
  'a deletion is in a workspace of its team': {
    by: {
      'not there': `UPDATE trash_deletions SET workspace_id = ${NOWHERE} WHERE name = 'X'`,
      "another team's": `UPDATE trash_deletions SET workspace_id = ${workspace('Other')} WHERE name = 'X'`,
    },
  },
  'a workspace in the trash holds as many pages and collections as it counts': {
    by: {
      'more pages': "UPDATE workspaces SET deleted_pages = 0 WHERE name = 'Gone'",
      'fewer collections': "UPDATE workspaces SET deleted_collections = 2 WHERE name = 'Gone'",
      'one page less': "DELETE FROM collections WHERE name = 'G'",
    },
  },
  'an item in the trash belongs to a deletion': {
    by: {
      none: `
        INSERT INTO trash_items SELECT team_id, ${NOWHERE}, ${NOWHERE}, NULL, object, name, slug, position,
          content, version, created_at, updated_at FROM trash_items WHERE name = 'X'`,
    },
  },
  'an item is either in the tree or in the trash': {
    by: { both: `UPDATE trash_items SET id = ${item('D')} WHERE name = 'U'` },
  },
  'an item is in one deletion only': {
    by: { two: `UPDATE trash_items SET id = ${trashed('U')} WHERE name = 'W'` },
  },
  'a deletion holds the item that was deleted': {
    by: { another: `UPDATE trash_items SET id = ${NOWHERE} WHERE name = 'X'` },
    also: ['what is below a deleted item has its parent in the same deletion'],
  },
  'a deletion holds as many pages and collections as it counts': {
    by: {
      'more pages': "UPDATE trash_deletions SET pages = 0 WHERE name = 'T'",
      'fewer collections': "UPDATE trash_deletions SET collections = 2 WHERE name = 'V'",
      'one item less': "DELETE FROM trash_items WHERE name = 'U'",
    },
  },
  'a version is older than its page': {
    by: { 'one that is as young': versionsOf(item('P'), '(1, 1, 2)') },
  },
  'versions of a page are counted and summed in their order': {
    by: {
      'two with one number': versionsOf(item('P'), '(-1, 1, 2), (0, 1, 4)'),
      'in the other order': versionsOf(item('P'), '(-1, 2, 2), (0, 1, 4)'),
      'with too few bytes': versionsOf(item('P'), '(-1, 1, 2), (0, 2, 3)'),
      'with too many bytes': versionsOf(item('P'), '(-1, 1, 2), (0, 2, 5)'),
    },
  },
  'a title has the name that it was given with, and is another text': {
    by: {
      'without a name': `UPDATE collections SET title = 'A title' WHERE name = 'A'`,
      'without a title': `UPDATE trash_items SET titled_name = name WHERE name = 'U'`,
      'that is the name': `UPDATE collections SET title = name, titled_name = name WHERE name = 'A'`,
    },
  },
  'a version is of a page, in the tree or in the trash': {
    by: {
      'not there': versionsOf(NOWHERE),
      'a collection': versionsOf(item('A')),
    },
  },
  'what is below a deleted item has its parent in the same deletion': {
    by: {
      'not there': `UPDATE trash_items SET parent_id = ${NOWHERE} WHERE name = 'U'`,
      'in another': `UPDATE trash_items SET parent_id = ${trashed('V')} WHERE name = 'U'`,
    },
  },
  [INDEX_KNOWS]: {
    by: {
      'not there': `
        INSERT INTO page_words (team_id, workspace_id, id, part, tree_version, changed_at, bytes, count, words)
        SELECT team_id, workspace_id, ${NOWHERE}, 0, tree_version, changed_at, bytes, count, words
        FROM page_words WHERE id = ${item('P')}`,
      'in another workspace': `
        INSERT INTO page_words (team_id, workspace_id, id, part, tree_version, changed_at, bytes, count, words)
        SELECT team_id, ${workspace('Open')}, id, 0, tree_version, changed_at, bytes, count, words
        FROM page_words WHERE id = ${item('P')}`,
    },
  },
  [INDEX_HAS]: {
    by: {
      none: `DELETE FROM page_words WHERE id = ${item('P')}`,
      'one that is missing': `UPDATE page_words SET words = '' WHERE id = ${item('P')}`,
    },
  },
  [CYCLE]: {
    by: {
      'of two': `UPDATE collections SET parent_id = ${item('B')}, position = 'z' WHERE name = 'A'`,
      'of one': `UPDATE collections SET parent_id = id WHERE name = 'C'`,
    },
  },
};

const broken = async (): Promise<string[]> =>
  (await verifyDatabase(database.url))
    .filter(({ violations }) => violations > 0)
    .map(({ name }) => name);

test('a database that only the service wrote to is clean', async () => {
  expect(await broken()).toEqual([]);
});

test('whatever breaks an invariant is found, and under its name alone', async () => {
  const offenders: unknown[] = [];
  const tested = new Set<string>();
  for (const [key, { by, also = [] }] of Object.entries(BREAKS)) {
    const name = key.replace(/, $/, '');
    tested.add(name);
    for (const [how, text] of Object.entries(by)) {
      await sql(database.url, text);
      const found = await broken();
      if (found.join('; ') !== [name, ...also].join('; ')) offenders.push([key, how, found]);
      await sql(database.url, RESTORE);
    }
  }
  expect(offenders).toEqual([]);
  // Each invariant has something above that breaks it.
  const names = (await verifyDatabase(database.url)).map(({ name }) => name);
  expect([...tested].sort()).toEqual(names.toSorted());
});

test('a deletion that was purged may have lost a part of its items', async () => {
  await sql(
    database.url,
    "UPDATE trash_deletions SET purged_at = now(); DELETE FROM trash_items WHERE name IN ('T', 'X')",
  );
  expect(await broken()).toEqual([]);
});

test.each([
  ['its workspace has no index yet', 'DELETE FROM search_positions'],
  [
    'its workspace is being loaded',
    "UPDATE search_positions SET loaded_id = '00000000-0000-0000-0000-000000000000'",
  ],
  ['it has changed since', 'UPDATE search_positions SET version = 0'],
  [
    'the log has lost its changes',
    'UPDATE search_positions SET version = 0; DELETE FROM tree_changes',
  ],
])('the index of search may lack the words of a page: %s', async (_, text) => {
  await sql(database.url, 'DELETE FROM page_words');
  expect(await broken()).toEqual([INDEX_HAS]);
  await sql(database.url, text);
  expect(await broken()).toEqual([]);
});

test('the index of search may lack the words of a page that was set aside', async () => {
  await sql(database.url, "UPDATE page_words SET words = ''");
  expect(await broken()).toEqual([INDEX_HAS]);
  await sql(database.url, 'UPDATE page_words SET is_set_aside = true');
  expect(await broken()).toEqual([]);
});

test('counts what breaks an invariant, and shows five', async () => {
  await sql(database.url, `UPDATE collections SET parent_id = ${NOWHERE}`);
  const found = await verifyDatabase(database.url);
  const parents = found.find(({ name }) => name.startsWith('a parent exists'));
  expect(parents).toMatchObject({ violations: 9, examples: Array(5).fill(expect.any(String)) });
  expect(parents?.examples.join()).toContain(NOWHERE.replaceAll("'", ''));
});
