import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { aMember, anInvite, giveRole, someone } from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { Replica } from '../support/replica.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { pagesOf } from '../support/tree.js';
import { aVersion } from '../support/versions.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' },
  once: 'workspace',
});

/** Someone to whom many teams have sent an invite. */
let invited: Awaited<ReturnType<typeof someone>>;

/** A page with several versions. */
let page: string;

beforeAll(async () => {
  const { ada, team, workspace, query } = at;
  invited = await someone(at, 'Invited');
  for (let n = 0; n < 5; n++) {
    await giveRole(at, workspace.id, await aMember(at, team, 'member'), 'reader');
    await anInvite(ada, team, `p${n}@example.com`);
    await anInvite(ada, await aTeam(ada), invited.person.email);
    await anItem(ada, query);
    const { id } = await anItem(ada, query);
    await ok(ada.delete(`/collections/${id}`));
    await ok(ada.delete((await aWorkspace(ada, team)).path));
  }
  page = (await anItem(ada, query, { object: 'item' })).id;
  for (let n = 0; n < 5; n++) await aVersion(at, ada, page);
  // The feed shows them as one commit.
  const items = Array.from({ length: 5 }, () => ({}));
  await ok(ada.post(`/collections/batch${query}`, { items }));
  for (const [table, column] of [
    ['teams', 'created_at'],
    ['team_members', 'joined_at'],
    ['workspace_members', 'created_at'],
    ['team_invites', 'created_at'],
    ['collections', 'created_at'],
    ['trash_deletions', 'deleted_at'],
    ['audit_entries', 'at'],
    ['page_versions', 'until'],
  ]) {
    await sql(at.databaseUrl, `UPDATE ${table} SET ${column} = now()`);
  }
  await sql(
    at.databaseUrl,
    'UPDATE workspaces SET deleted_at = now() WHERE deleted_at IS NOT NULL',
  );
});

/** The ids in an array, or in the `users` of a list of people; the numbers of versions. */
function idsIn(body: unknown): string[] {
  const rows = (body as { users?: object[] }).users ?? (body as object[]);
  return rows.map((row) => String(Object.entries(row).find(([name]) => isKey(name))?.[1]));
}

const isKey = (name: string): boolean => ['_id', 'id', 'version'].includes(name);

test('in pages, every list shows each of the rows of one moment once, in the order of the whole', async () => {
  const { ada, team, workspace, query } = at;
  const lists = [
    ['/teams', ada],
    [`/teams/${team}/members`, ada],
    [`/teams/${team}/invites`, ada],
    ['/invites', invited],
    [`${workspace.path}/members`, ada],
    [`/teams/${team}/trash`, ada],
    [`/teams/${team}/audit-log`, ada],
    [`/collections/trash${query}`, ada],
    [`/collections/${page}/versions`, ada],
    [`/collections${query}`, ada],
  ] as const;
  const wrong = await offenders(lists, async ([path, caller]) => {
    const whole = idsIn(await ok(caller.get(path)));
    expect(whole.length).toBeGreaterThanOrEqual(5);
    expect(new Set(whole).size).toBe(whole.length);
    const pages: string[][] = [];
    const limited = `${path}${path.includes('?') ? '&' : '?'}limit=2`;
    for await (const page of pagesOf(caller, limited)) {
      pages.push(idsIn(page));
      if (pages.length > whole.length) break;
    }
    expect(pages.flat()).toEqual(whole);
    expect(pages.slice(0, -1).filter(({ length }) => length !== 2)).toEqual([]);
  });
  expect(wrong).toEqual([]);
});

test('every list is in the order of time, whatever the ids', async () => {
  const { ada, team, workspace } = at;
  const lists = [
    ['/teams', ada, 'teams', 'created_at', 'id'],
    [`/teams/${team}/members`, ada, 'team_members', 'joined_at', 'user_id'],
    [`/teams/${team}/invites`, ada, 'team_invites', 'created_at', 'id'],
    ['/invites', invited, 'team_invites', 'created_at', 'id'],
    [`${workspace.path}/members`, ada, 'workspace_members', 'created_at', 'user_id'],
    [`/teams/${team}/workspaces`, ada, 'workspaces', 'created_at', 'id'],
    [`/teams/${team}/trash`, ada, 'workspaces', 'deleted_at', 'id'],
    [`/teams/${team}/audit-log`, ada, 'audit_entries', 'at', 'id'],
  ] as const;
  for (let n = 0; n < 2; n++) await aWorkspace(ada, team);
  const wrong = await offenders(lists, async ([path, caller, table, time, id]) => {
    const set = async (value: string) => {
      await sql(at.databaseUrl, `UPDATE ${table} SET ${time} = ${value} WHERE ${time} IS NOT NULL`);
      return idsIn(await ok(caller.get(path)));
    };
    const byId = await set('now()');
    expect(byId.length).toBeGreaterThan(2);
    // An id begins with its time: an older one is made the newer one.
    const reversed = `to_timestamp(4e9 - ('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint
      / 1000.0)`;
    expect(await set(reversed)).toEqual(byId.toReversed());
  });
  expect(wrong).toEqual([]);
});

test('the feed shows each change of one commit once', async () => {
  const whole = new Replica(at.query);
  const paged = new Replica(at.query, '&limit=2');
  const ids = ({ items }: Replica) => [...items.keys()].sort();
  for (let n = 0; n < 2; n++) {
    await whole.follow(at.ada);
    await paged.follow(at.ada);
    expect(ids(paged)).toEqual(ids(whole));
    expect(paged.changes).toBe(whole.changes);
    const items = Array.from({ length: 5 }, () => ({}));
    await ok(at.ada.post(`/collections/batch${at.query}`, { items }));
  }
});
