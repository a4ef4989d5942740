import { verifyDatabase } from '../../src/cli/verify/invariants.js';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody } from '../support/builders.js';
import { sql } from '../support/sql.js';

let service: TestService;
let ada: Caller;
let a: ItemBody;
let b: ItemBody;
beforeEach(async () => {
  service = await startService();
  ada = service.as(somebody());
  const { query } = await aWorkspace(ada, await aTeam(ada), { visibility: 'private' });
  a = await anItem(ada, query);
  b = await anItem(ada, query, { parent: a.id });
  await anItem(ada, query, { parent: b.id, object: 'item' });
});
afterEach(() => service.stop());

const broken = async (): Promise<string[]> =>
  (await verifyDatabase(service.databaseUrl))
    .filter(({ violations }) => violations > 0)
    .map(({ name }) => name);

/** Breaks a rule that the database itself would hold. */
async function force(text: string, values: unknown[] = []): Promise<void> {
  await sql(service.databaseUrl, 'ALTER TABLE collections DROP CONSTRAINT collections_parent_fkey');
  await sql(
    service.databaseUrl,
    'ALTER TABLE collections DROP CONSTRAINT collections_siblings_position_key',
  );
  await sql(service.databaseUrl, text, values);
}

test('a database that only the service wrote to is clean', async () => {
  expect(await broken()).toEqual([]);
});

describe('finds', () => {
  test.each([
    ['usage.pages equals the pages', 'UPDATE team_usage SET pages = 7'],
    ['usage.users equals the members', 'UPDATE team_usage SET users = 7'],
    ['usage.workspaces equals the workspaces', 'UPDATE team_usage SET workspaces = 7'],
    ['every team has an owner', "UPDATE team_members SET role = 'member'"],
    ['every private workspace has an editor', "UPDATE workspace_members SET role = 'reader'"],
    [
      'positions are at most 64 characters long',
      "UPDATE collections SET position = position || repeat('1', 64) WHERE parent_id IS NULL",
    ],
  ])('what breaks "%s"', async (name, text) => {
    await sql(service.databaseUrl, text);
    expect(await broken()).toEqual([name]);
  });

  test('two siblings in one position', async () => {
    await force('UPDATE collections SET parent_id = NULL, position = $1', ['a0']);
    expect(await broken()).toEqual(['order is total: no two siblings share a position']);
  });

  test('a cycle', async () => {
    await force("UPDATE collections SET parent_id = $1, position = 'a5' WHERE id = $2", [
      b.id,
      a.id,
    ]);
    expect(await broken()).toEqual(['there is no cycle: every item is reached from the top level']);
  });

  test('a page as a parent', async () => {
    await force("UPDATE collections SET object = 'item', content = '{}' WHERE id = $1", [b.id]);
    expect(await broken()).toContain('a parent is a collection');
  });

  test('a parent that is not there', async () => {
    await force('DELETE FROM collections WHERE id = $1', [b.id]);
    expect(await broken()).toContain('a parent exists and is in the same workspace');
  });
});
