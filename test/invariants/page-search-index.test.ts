import type { Database } from '../../src/database/database.js';
import { type InsideService, startStillService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { describeAlone } from '../support/inside.js';
import { type Known, someone } from '../support/members.js';
import { faultsOfIndex } from '../support/page-storm/index-check.js';
import { age, catchUp, placesIn, writerOf } from '../support/page-storm/index-hands.js';
import { type Workspace } from '../support/scene.js';
import { sql } from '../support/sql.js';

describeAlone('the index of search in pages', () => {
  let one: InsideService;
  /** The same database, by way of the proxy. */
  let two: InsideService;
  let proxy: DatabaseProxy;
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let ada: Known;
  let team: string;
  let workspace: Workspace;
  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ url: databaseUrl, drop } = database);
    proxy = await startDatabaseProxy(databaseUrl);
    const env = { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' };
    one = await startStillService(env, databaseUrl);
    two = await startStillService(env, proxy.url);
    ada = await someone(one);
  });
  beforeEach(async () => {
    team = await aTeam(ada);
    workspace = await aWorkspace(ada, team);
  });
  afterEach(async () => {
    proxy.decide = () => 'pass';
    await catchUp(one);
    expect(await faultsOfIndex(databaseUrl)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await proxy.stop();
    await drop();
  });

  const place = async (id = workspace.id) => {
    const found = (await placesIn(databaseUrl)).find((each) => each.id === id);
    if (!found) throw new Error('it is gone');
    return found;
  };
  const page = (text: string, query = workspace.query) =>
    anItem(ada, query, { object: 'item', name: 'Page', content: { text } });
  const save = (id: string, text: string) =>
    ok(ada.put(`/collections/${id}`, { content: { text } }));
  const batch = (count: number, text: string, object = 'item') =>
    ok<ItemBody[]>(
      ada.post(`/collections/batch${workspace.query}`, {
        items: Array.from({ length: count }, () => ({
          ...{ name: 'Page', object, ...(object === 'item' && { content: { text } }) },
        })),
      }),
    );
  async function search(q: string, path = `/collections/search${workspace.query}&`, limit = 100) {
    const { status, body, text, headers } = await ada.get(`${path}q=${q}&in=all&limit=${limit}`);
    if (status !== 200) throw new Error(text);
    return { ids: (body as ItemBody[]).map(({ id }) => id), behind: headers['search-behind'] };
  }
  /** Pages with this word in the index, whether they have it or not. */
  const indexed = (word: string) =>
    sql<{ id: string }>(
      databaseUrl,
      `SELECT DISTINCT p.id FROM page_words p CROSS JOIN unnest(tsvector_to_array(words)) AS lexeme
       WHERE lexeme LIKE '%' || $1`,
      [word],
    ).then((rows) => rows.map(({ id }) => id));

  /** Does something when a portion has read all that it writes, and before it does. */
  async function whileItHasRead(work: () => PromiseLike<unknown>): Promise<void> {
    const database = two.provider<Pick<Database, 'transaction'>>('Database');
    const { transaction } = database;
    let isDone = false;
    database.transaction = async (...given) => {
      database.transaction = transaction;
      await work();
      isDone = true;
      return transaction.apply(database, given) as Promise<never>;
    };
    await writerOf(two).writePortion(await place(), null);
    expect(isDone).toBe(true);
  }

  test('a search with a small limit finds the newest pages, not those that it looks at itself', async () => {
    const other = await aWorkspace(ada, team);
    await page('banana', other.query);
    const newest = await page('banana');
    await writerOf(one).writePortion(await place(), null);
    while (await writerOf(one).writePortion(await place(), null)) await age(databaseUrl);
    const { ids, behind } = await search('banana', `/teams/${team}/search?`, 1);
    expect([ids, behind]).toEqual([[newest.id], undefined]);
  });

  test('a search looks at 50 changed pages, and says if there are more', async () => {
    const made: string[] = [];
    for (let n = 0; n < 50; n++) made.push((await page('banana')).id);
    const all = await search('banana');
    expect([all.ids.length, all.behind]).toEqual([50, undefined]);
    await page('banana');
    const more = await search('banana');
    expect([more.ids.length, more.behind]).toEqual([50, expect.stringMatching(/^\d+$/)]);
    expect(more.ids).not.toContain(made[0]);
    await catchUp(one);
    const caught = await search('banana');
    expect([caught.ids.length, caught.behind]).toEqual([51, undefined]);
  });

  test('a change of more rows than a portion is followed to its end, wherever it is interrupted', async () => {
    await catchUp(one);
    await batch(450, 'cherry');
    const writer = writerOf(two);
    const found: number[] = [];
    for (let n = 0; n < 3; n++) {
      const progress = await writer.writePortion(await place(), null);
      found.push((await indexed('cherry')).length);
      // A search looks at the newest 200 changes.
      expect((await search('cherry')).behind !== undefined).toBe(n === 0);
      // What is written does not depend on the instance.
      proxy.decide = ({ name }) => (name === 'pageIndex.move' ? 'cut before' : 'pass');
      if (progress) await writer.writePortion(await place(), null).catch(() => undefined);
      proxy.decide = () => 'pass';
    }
    expect(found).toEqual([200, 400, 450]);
  });

  test('an interrupted portion is written as a whole or not at all', async () => {
    await page('first');
    await catchUp(one);
    const made = await Promise.all(['date', 'date', 'date'].map((text) => page(text)));
    for (const decision of ['cut before', 'cut after'] as const) {
      for (const name of ['pageIndex.move', 'pageIndex.insertWords']) {
        let calls = 0;
        proxy.decide = (statement) =>
          statement.name === name && (name === 'pageIndex.move' || ++calls === 2)
            ? decision
            : 'pass';
        await expect(writerOf(two).writePortion(await place(), null)).rejects.toThrow();
        proxy.decide = () => 'pass';
        expect(await indexed('date')).toEqual([]);
        expect((await search('date')).ids).toHaveLength(3);
      }
    }
    proxy.decide = ({ text }) => (text === 'COMMIT' ? 'cut after' : 'pass');
    await writerOf(two)
      .writePortion(await place(), null)
      .catch(() => undefined);
    proxy.decide = () => 'pass';
    expect(await indexed('date')).toHaveLength(made.length);
  });

  test('an interrupted portion of a rebuild leaves the words as they were', async () => {
    const made = await Promise.all(['endive', 'endive', 'endive'].map((text) => page(text)));
    await catchUp(one);
    const [kept = '', ...others] = made.map(({ id }) => id);
    await sql(databaseUrl, "UPDATE page_words SET words = '' WHERE id = $1", [kept]);
    await sql(
      databaseUrl,
      `UPDATE search_positions SET loaded_id = '00000000-0000-0000-0000-000000000000'
       WHERE workspace_id = $1`,
      [workspace.id],
    );
    for (const decision of ['cut before', 'cut after'] as const) {
      for (const name of ['pageIndex.deleteWordsBetween', 'pageIndex.insertWords']) {
        proxy.decide = (statement) => (statement.name === name ? decision : 'pass');
        await expect(writerOf(two).writePortion(await place(), null)).rejects.toThrow();
        proxy.decide = () => 'pass';
        expect((await indexed('endive')).sort()).toEqual(others.toSorted());
      }
    }
    await writerOf(two).writePortion(await place(), null);
    expect(await indexed('endive')).toHaveLength(made.length);
  });

  test('a page that was indexed a moment ago waits, and its workspace does not', async () => {
    const hot = await page('elder');
    await catchUp(one);
    await writerOf(one).rewritePage(await place(), hot.id);
    await save(hot.id, 'elder fig');
    const other = await page('fig');
    const progress = await writerOf(one).writePortion(await place(), null);
    expect(progress).toMatchObject({ mustWait: true });
    expect(await indexed('fig')).toEqual([other.id]);
    expect((await search('fig')).ids.sort()).toEqual([hot.id, other.id].sort());
    await save(hot.id, 'elder grape');
    expect((await search('grape')).ids).toEqual([hot.id]);
    expect((await search('fig')).ids).toEqual([other.id]);
  });

  test('a log that has lost changes: the index begins again, and a search says so', async () => {
    const kept = await page('grape');
    await catchUp(one);
    const lost = await page('grape');
    await page('other');
    await sql(
      databaseUrl,
      `DELETE FROM tree_changes WHERE workspace_id = $1 AND version < (
         SELECT max(version) FROM tree_changes WHERE workspace_id = $1)`,
      [workspace.id],
    );
    const { ids, behind } = await search('grape');
    expect([ids, behind]).toEqual([[kept.id], expect.any(String)]);
    await catchUp(one);
    const caught = await search('grape');
    expect([caught.ids, caught.behind]).toEqual([[lost.id, kept.id], undefined]);
  });

  test('a log of which nothing is left: the index begins again, and a search says so', async () => {
    await page('melon');
    await sql(databaseUrl, 'DELETE FROM tree_changes WHERE workspace_id = $1', [workspace.id]);
    expect((await search('melon')).behind).toBeDefined();
    await catchUp(one);
    const { ids, behind } = await search('melon');
    expect([ids.length, behind]).toEqual([1, undefined]);
  });

  test('a first load has all pages between collections, and what changes meanwhile', async () => {
    await batch(210, '', 'collection');
    const made = await batch(205, 'honey');
    await batch(210, '', 'collection');
    const [first, last] = [made[0]?.id ?? '', made.at(-1)?.id ?? ''];
    await sql(databaseUrl, 'DELETE FROM tree_changes WHERE workspace_id = $1', [workspace.id]);
    const writer = writerOf(one);
    for (let n = 0; n < 3; n++) await writer.writePortion(await place(), null);
    expect((await search('honey')).behind).toBeDefined();
    await save(first, 'iris');
    await save(last, 'iris');
    await ok(ada.delete(`/collections/${made[1]?.id}?permanent=true`));
    expect((await search('honey')).behind).toBeDefined();
    await catchUp(one);
    expect((await search('iris')).ids).toEqual([last, first]);
    expect(await indexed('honey')).not.toContain(made[1]?.id);
    expect((await search('honey')).ids).toHaveLength(100);
  });

  test('words that were left of a page that is gone are not found, and are removed with its change', async () => {
    const { id } = await page('olive');
    await catchUp(one);
    // As an instance of 0.2.0 deletes it.
    await sql(databaseUrl, `CREATE TABLE kept AS SELECT * FROM page_words WHERE id = '${id}'`);
    await ok(ada.delete(`/collections/${id}`));
    await sql(databaseUrl, 'INSERT INTO page_words SELECT * FROM kept');
    await sql(databaseUrl, 'DROP TABLE kept');
    expect(await indexed('olive')).toEqual([id]);
    expect((await search('olive')).ids).toEqual([]);
    await catchUp(one);
    expect(await indexed('olive')).toEqual([]);
  });

  describe('a portion that has read a page', () => {
    test('does not bring back what a purge of its versions has removed', async () => {
      await page('first');
      await catchUp(one);
      const { id } = await page('jasmine secretword');
      await whileItHasRead(async () => {
        await save(id, 'jasmine');
        await ok(ada.delete(`/collections/${id}/versions`));
      });
      expect(await indexed('secretword')).toEqual([]);
      await catchUp(one);
      await save(id, 'jasmine secretword');
      await catchUp(one);
      await save(id, 'jasmine');
      expect(await indexed('secretword')).toEqual([id]);
      await ok(ada.delete(`/collections/${id}/versions`));
      expect(await indexed('secretword')).toEqual([]);
      expect((await search('jasmine')).ids).toEqual([id]);
    });

    test.each<[string, (id: string, to: Workspace) => PromiseLike<unknown>]>([
      ['moved to the trash', (id) => ok(ada.delete(`/collections/${id}`))],
      ['deleted for good', (id) => ok(ada.delete(`/collections/${id}?permanent=true`))],
      [
        'transferred',
        (id, { slug }) => ok(ada.post(`/collections/${id}/transfer`, { workspace_slug: slug })),
      ],
    ])('does not bring it back when it was %s', async (_, remove) => {
      const to = await aWorkspace(ada, team);
      await page('first');
      await catchUp(one);
      const { id } = await page('kiwi');
      await whileItHasRead(() => remove(id, to));
      expect(await indexed('kiwi')).toEqual([]);
      await catchUp(one);
      const words = await indexed('kiwi');
      await remove((await page('kiwi')).id, to);
      expect(await indexed('kiwi')).toEqual(words);
    });

    test('and is overtaken by another instance does not write what it has read', async () => {
      const held = await page('lemon');
      await catchUp(one);
      await writerOf(one).rewritePage(await place(), held.id);
      await save(held.id, 'lemon again');
      const { id } = await page('mango');
      // The page that waits holds the position: it is where it was, whoever writes.
      await whileItHasRead(async () => {
        await save(id, 'nectarine');
        await writerOf(one).writePortion(await place(), null);
        expect(await indexed('nectarine')).toEqual([id]);
        expect(await writerOf(one).writePortion(await place(), null)).toMatchObject({
          mustWait: true,
        });
      });
      expect(await indexed('nectarine')).toEqual([id]);
    });
  });
});
