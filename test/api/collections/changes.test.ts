import { randomUUID } from 'node:crypto';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../../support/builders.js';
import { aMember, claiming, giveRole } from '../../support/members.js';
import { changesOf, Replica } from '../../support/replica.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem, idsOf, putRows } from '../../support/tree.js';

/** A workspace for each test. */
const ANY_NUMBER = { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' };

const at = scene({ once: 'team', each: 'workspace', verify: true, env: ANY_NUMBER });

/** Some items: a collection that holds a collection and a page, and a page. */
const someItems = () =>
  ok<ItemBody[]>(
    at.ada.post(`/collections/batch${at.query}`, {
      items: [
        {
          name: 'Ünïcode "quoted" \\ 日本',
          children: [
            { name: 'Inner', children: [{ name: 'P', object: 'item', content: { n: 1 } }] },
            { name: 'Leaf', object: 'item' },
          ],
        },
        { name: 'Top', object: 'item', content: { text: 'x' } },
      ],
    }),
  );

/** A change of the tree that the log does not have. */
const newStamp = () =>
  sql(
    at.databaseUrl,
    'UPDATE workspaces SET tree_version = tree_version + 1, tree_stamp = $2 WHERE id = $1',
    [at.workspace.id, randomUUID()],
  );

/** A copy that has read everything. */
async function aReplica(more = ''): Promise<Replica> {
  const replica = new Replica(at.query, more);
  await replica.follow(at.ada);
  return replica;
}

const expectEqual = async (replica: Replica) =>
  expect(replica.tree()).toEqual(await theTree(at.ada, replica.query));

describe('GET /collections/changes: 200', () => {
  test('an empty workspace: no changes, and a cursor', async () => {
    const page = await changesOf(at.ada, at.query);
    expect(page).toEqual({ changes: [], cursor: expect.any(String), more: false });
    expect(await changesOf(at.ada, at.query, page.cursor)).toEqual(page);
    await anItem(at.ada, at.query);
    const next = await changesOf(at.ada, at.query, page.cursor);
    expect(next.changes).toHaveLength(1);
  });

  test.each([1, 7, 1000])('the first load, and what follows, in pages of %d', async (limit) => {
    await someItems();
    const replica = await aReplica(`&limit=${limit}`);
    await expectEqual(replica);
    expect(replica.changes).toBe(5);
    const [shelf] = await someItems();
    await ok(at.ada.put(`/collections/${shelf?.id}`, { name: 'New' }));
    await ok(at.ada.post(`/collections/reorder${at.query}`, { id: shelf?.id, index: 0 }));
    await replica.follow(at.ada);
    await expectEqual(replica);
    expect(replica.changes).toBe(limit === 1 ? 5 + 7 : 5 + 5);
  });

  test('include=content has the content as it was sent; without it there is none', async () => {
    await someItems();
    const replica = await aReplica('&include=content');
    const withContent = await ok<ItemBody[]>(at.ada.get(`/collections${at.query}&include=content`));
    expect(replica.tree()).toEqual(withContent);
    const page = everyItem(withContent).find(({ object }) => object === 'item') as ItemBody;
    await ok(at.ada.put(`/collections/${page.id}`, { content: { ключ: [1.5, null] } }));
    await replica.follow(at.ada);
    expect(replica.items.get(page.id)?.content).toEqual({ ключ: [1.5, null] });
    const plain = await aReplica();
    expect([...plain.items.values()].some((item) => 'content' in item)).toBe(false);
  });

  test('a change: the record of a list without children, and its position', async () => {
    const [shelf] = await someItems();
    const { changes } = await changesOf(at.ada, at.query);
    const [listed] = await theTree(at.ada, at.query);
    const { children: _children, ...record } = listed as ItemBody;
    expect(changes.find(({ id }) => id === shelf?.id)).toEqual({
      id: shelf?.id,
      deleted: false,
      item: { ...record, position: expect.stringMatching(/^[0-9A-Za-z]+$/) },
    });
  });

  test('a move is one change, of a subtree as well; a deletion and a restore are one for each item', async () => {
    const [shelf, top] = await someItems();
    const replica = await aReplica();
    const [inner, leaf] = shelf?.children ?? [];
    const move = { id: inner?.id, index: 0, newParent: null };
    await ok(at.ada.post(`/collections/reorder${at.query}`, move));
    let page = await changesOf(at.ada, at.query, replica.cursor);
    expect(page.changes.map(({ id, deleted }) => [id, deleted])).toEqual([[inner?.id, false]]);
    await ok(at.ada.delete(`/collections/${inner?.id}`));
    page = await changesOf(at.ada, at.query, page.cursor);
    const gone = idsOf(everyItem([inner as ItemBody])).sort();
    expect(page.changes).toEqual(gone.map((id) => ({ id, deleted: true })));
    await replica.follow(at.ada);
    expect([...replica.items.keys()].sort()).toEqual([shelf?.id, leaf?.id, top?.id].sort());
    await expectEqual(replica);
    await ok(at.ada.post(`/collections/trash/${inner?.id}/restore`, {}));
    page = await changesOf(at.ada, at.query, page.cursor);
    const came = page.changes.map(({ id, deleted }) => [id, deleted]);
    expect(came).toEqual(gone.map((id) => [id, false]));
    await replica.follow(at.ada);
    await expectEqual(replica);
  });

  test('siblings whose positions were spread anew appear as well', async () => {
    const [one = ''] = await putRows(at.databaseUrl, at.workspace.id, [
      { object: 'item' },
      { object: 'item' },
    ]);
    await ok(at.ada.put(`/collections/${one}`, { name: 'One', key: 'one' }));
    const replica = await aReplica();
    const before = await at.ada.get(`/collections/${one}`);
    const crowd = `UPDATE collections SET position = 'z' || repeat('z', 60) || 'V' WHERE id = $1`;
    await sql(at.databaseUrl, crowd, [one]);
    await anItem(await aMember(at, at.team, 'member'), at.query);
    await replica.follow(at.ada);
    await expectEqual(replica);
    // Nothing else of them has changed.
    expect((await at.ada.get(`/collections/${one}`)).text).toBe(before.text);
  });

  test('an item that changed five times appears once, with its newest state', async () => {
    const page = await anItem(at.ada, at.query, { object: 'item' });
    const { cursor } = await changesOf(at.ada, at.query);
    for (let n = 0; n < 5; n++) await ok(at.ada.put(`/collections/${page.id}`, { name: `N${n}` }));
    const { changes } = await changesOf(at.ada, at.query, cursor);
    expect(changes).toMatchObject([{ id: page.id, item: { name: 'N4' } }]);
  });

  test('what changes during the first load comes after it', async () => {
    const items = (await someItems()).flatMap((item) => everyItem([item]));
    const replica = new Replica(at.query, '&limit=2');
    expect(await replica.step(at.ada)).toBe(true);
    const loaded = [...replica.items.keys()];
    for (const id of loaded) await at.ada.delete(`/collections/${id}`);
    const left = items.filter(({ id }) => !loaded.includes(id));
    for (const { id } of left) await at.ada.put(`/collections/${id}`, { name: 'Late' });
    await anItem(at.ada, at.query);
    await replica.follow(at.ada);
    await expectEqual(replica);
  });

  test('a page may end inside a commit, and the deletion of many items is read in pages', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) =>
      n === 0 ? { object: 'collection' as const } : { object: 'item' as const, parent: 0 },
    );
    const [shelf = ''] = await putRows(at.databaseUrl, at.workspace.id, rows);
    const other = await anItem(at.ada, at.query);
    const replica = await aReplica('&limit=300');
    expect(replica.pages).toBe(7);
    await ok(at.ada.delete(`/collections/${shelf}`));
    for (let n = 0; n < 3; n++) {
      expect(await replica.step(at.ada)).toBe(true);
      // Others write meanwhile.
      await ok(at.ada.put(`/collections/${other.id}`, { name: `N${n}` }));
    }
    await replica.follow(at.ada);
    expect([...replica.items.keys()]).toEqual([other.id]);
    await expectEqual(replica);
  });

  test('include=content: a page of the feed ends after 4 MiB', async () => {
    const text = 'x'.repeat(700_000);
    for (let n = 0; n < 8; n++) {
      await anItem(at.ada, at.query, { object: 'item', content: { text } });
    }
    const replica = new Replica(at.query, '&include=content');
    expect(await replica.step(at.ada)).toBe(true);
    expect(replica.items.size).toBe(6);
    await replica.follow(at.ada);
    expect(replica.items.size).toBe(8);
    const [page] = replica.items.values();
    for (let n = 0; n < 9; n++) {
      await ok(at.ada.put(`/collections/${page?.id}`, { content: { n, text } }));
    }
    replica.pages = 0;
    await replica.follow(at.ada);
    expect([replica.pages, replica.items.get(page?.id ?? '')?.content]).toEqual([
      1,
      { n: 8, text },
    ]);
  });

  test('commits that changed no item are no changes, and no gap', async () => {
    const replica = await aReplica('&limit=1');
    for (let n = 0; n < 3; n++) {
      await sql(
        at.databaseUrl,
        `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
         SELECT team_id, id, tree_version + 1, id, tree_stamp FROM workspaces WHERE id = $1`,
        [at.workspace.id],
      );
      await newStamp();
    }
    await anItem(at.ada, at.query);
    await replica.follow(at.ada);
    await expectEqual(replica);
  });

  test('a cursor is honoured after many writes', async () => {
    await someItems();
    const replica = await aReplica('&limit=100');
    for (let n = 0; n < 40; n++) {
      const many = Array.from({ length: 10 }, (_, i) => anItem(at.ada, at.query, { index: i }));
      await Promise.all(many);
    }
    await replica.follow(at.ada);
    await expectEqual(replica);
  });

  test('the long form, and teamId, name the workspace as well', async () => {
    await someItems();
    const short = await changesOf(at.ada, at.query);
    const { body } = await at.ada.get(`${at.workspace.path}/collections/changes`).expect(200);
    expect(body).toEqual(short);
  });

  test('a token narrowed to teamspaces:read is enough, and so is reading access', async () => {
    await someItems();
    const reader = await aMember(at, at.team, 'guest');
    await giveRole(at, at.workspace.id, reader, 'reader');
    const narrowed = claiming(at, reader.person, { scope: 'teamspaces:read' });
    expect((await changesOf(narrowed, at.query)).changes).toHaveLength(5);
  });

  test('version of a workspace changes with every change of its tree, and only then', async () => {
    const version = async () =>
      (await ok<{ version: string }>(at.ada.get(at.workspace.path))).version;
    const first = await version();
    await ok(at.ada.put(at.workspace.path, { description: 'Another' }));
    expect(await version()).toBe(first);
    const page = await anItem(at.ada, at.query, { object: 'item' });
    const second = await version();
    expect(second).not.toBe(first);
    await ok(at.ada.put(`/collections/${page.id}`, { content: { n: 1 } }));
    expect(await version()).not.toBe(second);
    const list = await ok<{ _id: string; version: string }[]>(
      at.ada.get(`/teams/${at.team}/workspaces`),
    );
    const listed = list.find(({ _id }) => _id === at.workspace.id);
    expect(listed?.version).toBe(await version());
  });
});

describe('GET /collections/changes: 400', () => {
  const message = 'cursor must come from a response of this feed';

  test.each([
    ['limit=0', 'limit must be a whole number from 1 to 1000'],
    ['limit=1001', 'limit must be a whole number from 1 to 1000'],
    ['wait=26', 'wait must be a whole number from 0 to 25'],
    ['wait=1.5', 'wait must be a whole number from 0 to 25'],
    ['include=children', 'include must be content'],
    ['cursor=', 'cursor must be at least 1 character'],
    ['cursor=nothing', message],
    [`cursor=${Buffer.from('a b c').toString('base64url')}`, message],
  ])('%s', async (more, expected) => {
    const { status, body } = await at.ada.get(`/collections/changes${at.query}&${more}`);
    expect([status, body.error?.message]).toEqual([400, expected]);
  });

  test('a cursor of a list', async () => {
    await someItems();
    const list = await at.ada.get(`/collections${at.query}&limit=1`).expect(200);
    const link = /cursor=([\w-]+)/.exec(list.headers.link ?? '')?.[1];
    const answer = await at.ada.get(`/collections/changes${at.query}&cursor=${link}`);
    expect([answer.status, answer.body.error.message]).toEqual([400, message]);
  });

  test('no workspace is named', async () => {
    await at.ada.get('/collections/changes').expect(400);
  });
});

describe('GET /collections/changes: 404', () => {
  test('access lost, and the workspace gone', async () => {
    const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const eve = await aMember(at, at.team, 'member');
    await giveRole(at, hidden.id, eve, 'reader');
    const { cursor } = await changesOf(eve, hidden.query);
    await ok(at.ada.delete(`${hidden.path}/members`, { userId: eve.id }));
    const path = `/collections/changes${hidden.query}&cursor=${cursor}`;
    await eve.get(path).expect(404);
    await ok(at.ada.get(path));
    await ok(at.ada.delete(hidden.path));
    await at.ada.get(path).expect(404);
  });
});

describe('GET /collections/changes: 409, never a gap', () => {
  const tooOld =
    'this cursor is too old: start again without one, and drop what is not in the response';
  const statusOf = async (cursor: string | null) => {
    const answer = await at.ada.get(`/collections/changes${at.query}&cursor=${cursor}`);
    if (answer.status === 409) expect(answer.body.error.message).toBe(tooOld);
    return answer.status;
  };
  const change = () => anItem(at.ada, at.query);
  /** What the database holds of the workspace, to be restored later. */
  async function aDump(): Promise<() => Promise<void>> {
    const of = (table: string, key: string) =>
      sql(at.databaseUrl, `SELECT to_json(t) AS row FROM ${table} t WHERE ${key} = $1`, [
        at.workspace.id,
      ]);
    const [head] = await sql<{ tree_version: string; tree_stamp: string }>(
      at.databaseUrl,
      'SELECT tree_version, tree_stamp FROM workspaces WHERE id = $1',
      [at.workspace.id],
    );
    const items = (await of('collections', 'workspace_id')).map(({ row }) => row.id);
    return async () => {
      const values = [at.workspace.id, head?.tree_version];
      await sql(
        at.databaseUrl,
        'DELETE FROM tree_changes WHERE workspace_id = $1 AND version > $2',
        values,
      );
      await sql(
        at.databaseUrl,
        `WITH gone AS (
           DELETE FROM collections WHERE workspace_id = $1 AND id <> ALL ($2) RETURNING team_id
         ) UPDATE team_usage SET collections = collections - (SELECT count(*) FROM gone)
         WHERE team_id = (SELECT team_id FROM workspaces WHERE id = $1)`,
        [at.workspace.id, items],
      );
      await sql(
        at.databaseUrl,
        'UPDATE workspaces SET tree_version = $2, tree_stamp = $3 WHERE id = $1',
        [...values, head?.tree_stamp],
      );
    };
  }

  test('a cursor of another workspace, which had this slug before, during a load and a wait, too', async () => {
    const { query, slug, path } = await aWorkspace(at.ada, at.team);
    await ok(at.ada.post(`/collections/batch${query}`, { items: [{}, {}, {}] }));
    const [loading, loaded] = [new Replica(query, '&limit=1'), new Replica(query)];
    await loading.step(at.ada);
    await loaded.follow(at.ada);
    await ok(at.ada.put(path, { slug: `${slug}-before` }));
    await ok(at.ada.put(at.workspace.path, { slug }));
    for (const cursor of [loading.cursor, loaded.cursor, `${loaded.cursor}&wait=1`]) {
      const answer = await at.ada.get(`/collections/changes${query}&cursor=${cursor}`);
      expect([answer.status, answer.body.error.message]).toEqual([
        409,
        'this cursor belongs to another workspace: start again without one, and drop what is not in the response',
      ]);
    }
  });

  test('a dump was restored, and as many changes came after it', async () => {
    await change();
    const before = await aReplica();
    const restore = await aDump();
    await change();
    const after = await aReplica();
    await restore();
    // A replica that was promoted without the last commit looks the same.
    expect(await statusOf(after.cursor)).toBe(409);
    await change();
    expect(await statusOf(after.cursor)).toBe(409);
    await change();
    expect(await statusOf(after.cursor)).toBe(409);
    // Nothing that this one has seen was lost.
    await before.follow(at.ada);
    await expectEqual(before);
  });

  test('a page showed a state that was lost later, though its place is older', async () => {
    await change();
    const start = await aReplica('&limit=1');
    await change();
    const restore = await aDump();
    await change();
    await start.step(at.ada);
    await restore();
    await change();
    expect(await statusOf(start.cursor)).toBe(409);
  });

  test('a first load that was under way', async () => {
    await someItems();
    const restore = await aDump();
    await change();
    const replica = new Replica(at.query, '&limit=2');
    await replica.step(at.ada);
    await restore();
    await change();
    expect(await statusOf(replica.cursor)).toBe(409);
  });

  test('rows were purged: whoever has read to there goes on, all others start again', async () => {
    await change();
    const early = await aReplica();
    await change();
    const middle = await aReplica();
    const purge = (versions: number) =>
      sql(
        at.databaseUrl,
        `DELETE FROM tree_changes WHERE workspace_id = $1 AND version <= (
           SELECT min(version) + $2 - 1 FROM tree_changes WHERE workspace_id = $1
         )`,
        [at.workspace.id, versions],
      );
    await change();
    await purge(2);
    expect(await statusOf(early.cursor)).toBe(409);
    expect(await statusOf(middle.cursor)).toBe(200);
    const late = await aReplica();
    await purge(1);
    expect(await statusOf(middle.cursor)).toBe(409);
    // In a workspace without changes a cursor never grows old; the next change does not end it.
    expect(await statusOf(late.cursor)).toBe(200);
    await change();
    await late.follow(at.ada);
    await expectEqual(late);
  });

  test('rows were purged that a page has still to show', async () => {
    await change();
    const replica = await aReplica('&limit=1');
    for (let n = 0; n < 4; n++) await change();
    expect(await replica.step(at.ada)).toBe(true);
    expect(await statusOf(replica.cursor)).toBe(200);
    // The next one only.
    await sql(
      at.databaseUrl,
      `DELETE FROM tree_changes WHERE workspace_id = $1 AND version = (
         SELECT max(version) - 2 FROM tree_changes WHERE workspace_id = $1
       )`,
      [at.workspace.id],
    );
    expect(await statusOf(replica.cursor)).toBe(409);
  });

  test('rows of a version were purged that a page has ended in', async () => {
    const items = Array.from({ length: 4 }, () => ({ object: 'item' }));
    const replica = await aReplica('&limit=2');
    await ok(at.ada.post(`/collections/batch${at.query}`, { items }));
    expect(await replica.step(at.ada)).toBe(true);
    await sql(at.databaseUrl, 'DELETE FROM tree_changes WHERE workspace_id = $1', [
      at.workspace.id,
    ]);
    expect(await statusOf(replica.cursor)).toBe(409);
  });

  test('a change that is not in the log, as an older version of the service makes them', async () => {
    const replica = await aReplica();
    await change();
    await newStamp();
    expect(await statusOf(replica.cursor)).toBe(409);
    await change();
    expect(await statusOf(replica.cursor)).toBe(409);
    await expectEqual(await aReplica());
  });
});
