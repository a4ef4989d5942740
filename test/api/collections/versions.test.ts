import type { Test } from 'supertest';
import { auditLog } from '../../support/audit.js';
import { anItem, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { testInside } from '../../support/inside.js';
import { holdWorkspace } from '../../support/locks.js';
import { aMember, claiming, giveRole, type Known, someone } from '../../support/members.js';
import { PageHistory } from '../../support/page-history.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ env: { RATE_LIMIT_PER_MINUTE: '0' }, each: 'workspace', verify: true });

interface VersionBody {
  version: number;
  since: string;
  until: string;
  by: { _id: string; name: string } | null;
  bytes: number;
  content?: { n: number };
}
type Page = ItemBody & {
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: string;
  updatedAt: string;
  content: object;
};

const SECRET = { password: 'hunter2' };
const ABSENT = '01890000-0000-7000-8000-000000000000';

/** A page that she created, with the content {"n":1}. */
const aCreatedPage = () =>
  anItem(at.ada, at.query, { object: 'item', name: 'Page', content: { n: 1 } });
/** A page that she created empty, and in which she saved the content {"n":1}. */
async function aPage(body: object = {}): Promise<Page> {
  const page = await anItem(at.ada, at.query, { object: 'item', name: 'Page', ...body });
  return save(page, { n: 1 });
}
const pathOf = ({ id }: ItemBody, more = '') => `/collections/${id}/versions${more}`;
const versionsOf = (page: ItemBody, by: Known = at.ada) => ok<VersionBody[]>(by.get(pathOf(page)));
const save = (page: ItemBody, content: object, by: Known = at.ada) =>
  ok<Page>(by.put(`/collections/${page.id}`, { content }));
const read = ({ id }: ItemBody) => ok<Page>(at.ada.get(`/collections/${id}`));
const restore = (page: ItemBody, version: number, by: Known = at.ada) =>
  by.post(pathOf(page, `/${version}/restore`));

/** What was last written began so many seconds earlier. */
async function age({ id }: ItemBody, seconds = 600): Promise<Date> {
  const [row] = await sql<{ since: Date }>(at.databaseUrl, SINCE, [id]);
  const since = new Date((row as { since: Date }).since.getTime() - seconds * 1000);
  const text = 'UPDATE collections SET written_since = $2 WHERE id = $1';
  await sql(at.databaseUrl, text, [id, since]);
  return since;
}

/** What the versions of a page hold, newest first. */
async function contentsOf(page: ItemBody): Promise<number[]> {
  const contents: number[] = [];
  for (const { version } of await versionsOf(page)) {
    const { content } = await ok<VersionBody>(at.ada.get(pathOf(page, `/${version}`)));
    contents.push((content as { n: number }).n);
  }
  return contents;
}

/** As the version of the service before versions saves a page: it knows nothing of authors. */
const saveAsBefore = ({ id }: ItemBody, n: number) =>
  sql(
    at.databaseUrl,
    `UPDATE collections SET content = $2::json, version = version + 1, updated_at = now()
     WHERE id = $1`,
    [id, JSON.stringify({ n })],
  );

describe('a save keeps what was there as a version', () => {
  test('not within 10 minutes of the same person, and one later', async () => {
    const page = await aPage();
    await save(page, { n: 2 });
    await age(page, 590);
    await save(page, { n: 3 });
    expect(await versionsOf(page)).toEqual([]);
    const since = await age(page, 10);
    const { updatedAt } = await save(page, { n: 4 });
    await save(page, { n: 5 });
    const [kept, ...others] = await versionsOf(page);
    expect(others).toEqual([]);
    expect(kept).toEqual({
      ...{ version: 4, since: since.toISOString(), until: updatedAt },
      ...{ by: { _id: at.ada.id, name: 'Ada' }, bytes: 7 },
    });
    expect(await contentsOf(page)).toEqual([3]);
    await age(page);
    await save(page, { n: 6 });
    expect(await contentsOf(page)).toEqual([5, 3]);
  });

  test('each one of two people who save in turn', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    for (const [n, by] of [at.ada, bob, at.ada, bob, bob].entries()) {
      await save(page, { n: n + 2 }, by);
    }
    expect(await contentsOf(page)).toEqual([4, 3, 2]);
    const by = (await versionsOf(page)).map(({ by }) => by?._id);
    expect(by).toEqual([at.ada.id, bob.id, at.ada.id]);
  });

  test('also a patch, but nothing else: not a name, a place or an equal content', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    const other = await anItem(at.ada, at.query);
    await ok(bob.put(`/collections/${page.id}`, { name: 'Other', parent: other.id }));
    await save(page, { n: 1 }, bob);
    expect(await versionsOf(page)).toEqual([]);
    // Still hers: he has saved what she wrote.
    await save(page, { n: 2 });
    expect(await versionsOf(page)).toEqual([]);
    await ok(bob.put(`/collections/${page.id}`, { name: 'His' }));
    const patch = [{ op: 'replace', path: '/n', value: 3 }];
    await ok(bob.patch(`/collections/${page.id}/content`, patch));
    expect(await contentsOf(page)).toEqual([2]);
    expect(await versionsOf(page)).toMatchObject([{ by: { _id: at.ada.id } }]);
  });

  test.each([
    ['another order of members', '{"a":1,"b":{"c":[],"d":2}}', '{"b":{"d":2,"c":[]},"a":1}', false],
    ['other escapes', '{"a":"é/b","b":1}', String.raw`{"b":1,"a":"\u00e9\/b"}`, false],
    ['another value of the same length', '{"a":1,"b":2}', '{"a":2,"b":1}', true],
    ['another order of a list', '{"a":[1,2]}', '{"a":[2,1]}', true],
    // It would take PostgreSQL too long to compare such numbers.
    ['a number of 16,000 places', '{"a":1e-16000,"b":1}', '{"b":1,"a":1e-16000}', true],
  ])('if the content is another one: %s', async (_, before, after, isKept) => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    const saveText = (by: Known, content: string) =>
      ok(
        by
          .put(`/collections/${page.id}`)
          .set('content-type', 'application/json')
          .send(`{"content":${content}}`),
      );
    await saveText(at.ada, before);
    await saveText(bob, after);
    expect(await versionsOf(page)).toHaveLength(isKept ? 1 : 0);
    expect((await read(page)).content).toEqual(JSON.parse(after));
  });

  test('with all its digits, and its size in bytes', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    const digits = '{"n":0.10000000000000000000000001e30,"t":"ü"}';
    const put = at.ada.put(`/collections/${page.id}`).set('content-type', 'application/json');
    await ok(put.send(`{"content":${digits}}`));
    await save(page, { n: 2 }, bob);
    const [{ version, bytes }] = (await versionsOf(page)) as [VersionBody];
    expect(bytes).toBe(Buffer.byteLength(digits));
    const { text } = await at.ada.get(pathOf(page, `/${version}`));
    expect(text).toContain(`"content":${digits}`);
    expect((await restore(page, version)).text).toContain(`"content":${digits}`);
    expect((await at.ada.get(`/collections/${page.id}`)).text).toContain(digits);
  });

  test('what was created, copied or restored, also by the same person', async () => {
    const page = await aCreatedPage();
    await save(page, { n: 2 });
    expect(await contentsOf(page)).toEqual([1]);
    await ok(restore(page, 1));
    expect(await contentsOf(page)).toEqual([2, 1]);
    await save(page, { n: 3 });
    expect(await contentsOf(page)).toEqual([1, 2, 1]);
    const copy = await ok<Page>(at.ada.post(`/collections/${page.id}/duplicate`, {}));
    const patch = [{ op: 'replace', path: '/n', value: 4 }];
    await ok(at.ada.patch(`/collections/${copy.id}/content`, patch));
    expect(await contentsOf(copy)).toEqual([3]);
    // Who renames it has not saved what is in it.
    const renamed = await aCreatedPage();
    await ok(at.ada.put(`/collections/${renamed.id}`, { name: 'Other' }));
    await save(renamed, { n: 2 });
    expect(await contentsOf(renamed)).toEqual([1]);
  });

  test('what was applied, and what it was applied to', async () => {
    const apply = (n: number) => {
      const items = [{ key: 'page', name: 'Page', object: 'item', content: { n } }];
      const path = `/collections/apply${at.query}`;
      return ok<{ ids: { page: string } }>(at.ada.put(path, { items }));
    };
    const { ids } = await apply(1);
    const page = { id: ids.page } as ItemBody;
    await apply(2);
    await save(page, { n: 3 });
    expect(await contentsOf(page)).toEqual([2, 1]);
    // What she has saved herself just now is no version.
    await apply(4);
    expect(await contentsOf(page)).toEqual([2, 1]);
    await apply(5);
    expect(await contentsOf(page)).toEqual([4, 2, 1]);
  });

  test('nothing of an empty page, which is then of who saved it', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await anItem(bob, at.query, { object: 'item' });
    await save(page, { n: 1 });
    await save(page, { n: 2 });
    expect(await versionsOf(page)).toEqual([]);
    await save(page, {}, bob);
    await save(page, { n: 3 }, bob);
    expect(await versionsOf(page)).toMatchObject([{ by: { _id: at.ada.id } }]);
    expect(await contentsOf(page)).toEqual([2]);
  });

  for (const kind of ['saves of several people', 'patches of several people', 'a restore of one']) {
    testInside(`each one of those that are committed together: ${kind}`, async () => {
      const [bob, cleo] = [
        await aMember(at, at.team, 'member'),
        await aMember(at, at.team, 'member'),
      ];
      const created = await aCreatedPage();
      const history = PageHistory.of(created, at.ada);
      await history.save(at.ada, { n: 2 });
      const write = (by: Known, n: number) => {
        if (kind.startsWith('saves')) return history.save(by, { n });
        if (kind.startsWith('a restore') && n === 5) {
          return history.write('restore', by, (path) => by.post(`${path}/versions/1/restore`));
        }
        const patch = [{ op: 'add', path: `/n${n}`, value: n }];
        return history.write('save', by, (path) => by.patch(`${path}/content`, patch));
      };
      const other = await aPage();
      const lock = await holdWorkspace(at.databaseUrl, at.workspace.id);
      const writes = [save(other, { n: 9 })];
      await lock.waiting(1);
      const inTurn = kind.endsWith('people')
        ? [at.ada, bob, cleo, cleo, at.ada, bob]
        : Array<Known>(6).fill(cleo);
      for (const [n, by] of inTurn.entries()) {
        writes.push(ok<Page>(write(by, n + 3)));
        await at.queued(at.workspace.id, n + 1);
      }
      // A rename in the same batch is no write of content.
      writes.push(ok<Page>(cleo.put(`/collections/${created.id}`, { name: 'Renamed' })));
      await at.queued(at.workspace.id, inTurn.length + 1);
      await lock.release();
      await Promise.all(writes);
      expect(await history.found(at.ada)).toEqual(history.expected());
    });
  }

  testInside(
    'what one has saved away and back again, committed together, is theirs then',
    async () => {
      const bob = await aMember(at, at.team, 'member');
      const created = await aCreatedPage();
      const history = PageHistory.of(created, at.ada);
      await history.save(bob, { n: 2 });
      const other = await aPage();
      const lock = await holdWorkspace(at.databaseUrl, at.workspace.id);
      const writes: Promise<unknown>[] = [save(other, { n: 9 })];
      await lock.waiting(1);
      for (const [n, content] of [{ n: 3 }, { n: 4 }, { n: 2 }].entries()) {
        writes.push(history.save(at.ada, content));
        await at.queued(at.workspace.id, n + 1);
      }
      await lock.release();
      await Promise.all(writes);
      await history.save(bob, { n: 5 });
      expect(await history.found(at.ada)).toEqual(history.expected());
      expect(await contentsOf(created)).toEqual([2, 2, 1]);
    },
  );

  test('of a page that was saved before authors were recorded: by nobody', async () => {
    const page = await aPage();
    await saveAsBefore(page, 2);
    expect(await read(page)).toMatchObject({ createdBy: at.ada.id, updatedBy: null });
    await ok(at.ada.put(`/collections/${page.id}`, { name: 'Other' }));
    expect(await read(page)).toMatchObject({ updatedBy: at.ada.id });
    await save(page, { n: 3 });
    const [kept] = await versionsOf(page);
    expect(kept).toMatchObject({ by: null, bytes: 7 });
    expect(Date.parse(kept?.since as string)).toBeLessThanOrEqual(
      Date.parse(kept?.until as string),
    );
    await saveAsBefore(page, 4);
    const { updatedAt } = await read(page);
    await save(page, { n: 5 });
    expect(await contentsOf(page)).toEqual([4, 2]);
    expect((await versionsOf(page))[0]).toMatchObject({ since: updatedAt, by: null });
  });

  test('of a page that 0.2.0 has saved, also by the same person: it does not say how it was written', async () => {
    const page = await aPage();
    await sql(
      at.databaseUrl,
      `UPDATE collections SET content = '{"n":2}', version = version + 1, author_version = version + 1
       WHERE id = $1`,
      [page.id],
    );
    await save(page, { n: 3 });
    await save(page, { n: 4 });
    expect(await contentsOf(page)).toEqual([2]);
    expect(await versionsOf(page)).toMatchObject([{ by: { _id: at.ada.id } }]);
  });

  test('50 of a page, and 8 MiB; those of other pages stay', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    const { page: other } = await overwritten();
    for (let n = 2; n <= 53; n++) await save(page, { n }, n % 2 === 0 ? bob : at.ada);
    const contents = await contentsOf(page);
    expect([contents.length, contents[0], contents.at(-1)]).toEqual([50, 52, 3]);
    // With the rest of the content, 1 MiB.
    const text = 'x'.repeat(1024 * 1024 - 17);
    for (let n = 0; n < 10; n++) await save(page, { n, text }, n % 2 === 0 ? bob : at.ada);
    const kept = await versionsOf(page);
    expect(kept.map(({ bytes }) => bytes)).toEqual(Array(8).fill(1024 * 1024));
    expect(await contentsOf(other)).toEqual([1]);
  });
});

const SINCE = 'SELECT written_since AS since FROM collections WHERE id = $1';

/** A page that bob has overwritten: she wrote {"n":1}, he {"n":2}. */
async function overwritten() {
  const bob = await aMember(at, at.team, 'member');
  const page = await aPage();
  await save(page, { n: 2 }, bob);
  const [version] = (await versionsOf(page)) as [VersionBody];
  return { bob, page, version: version.version };
}

describe('GET /collections/{id}/versions', () => {
  test('200 in pages, newest first; at the long path, too', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    for (let n = 2; n <= 6; n++) await save(page, { n }, n % 2 === 0 ? bob : at.ada);
    const seen: number[][] = [];
    let next: string | undefined = `${at.workspace.path}/collections/${page.id}/versions?limit=2`;
    while (next) {
      const { body, headers } = await at.ada.get(next);
      seen.push((body as VersionBody[]).map(({ version }) => version));
      const link = /^<([^>]+)>; rel="next"$/.exec(headers.link ?? '')?.[1];
      next = link && new URL(link).pathname + new URL(link).search;
    }
    expect(seen).toEqual([[6, 5], [4, 3], [2]]);
    expect((await at.ada.get(pathOf(page, '?limit=5'))).headers.link).toBeUndefined();
  });

  test('200 without those that have expired', async () => {
    const { page, version } = await overwritten();
    await sql(at.databaseUrl, "UPDATE page_versions SET until = '2000-01-01' WHERE id = $1", [
      page.id,
    ]);
    expect(await versionsOf(page)).toEqual([]);
    expect((await at.ada.get(pathOf(page, `/${version}`))).status).toBe(404);
    expect((await restore(page, version)).status).toBe(404);
  });

  test('200 with one that was written long ago, and overwritten lately', async () => {
    const { page, version } = await overwritten();
    await sql(at.databaseUrl, "UPDATE page_versions SET since = '2000-01-01' WHERE id = $1", [
      page.id,
    ]);
    expect(await contentsOf(page)).toEqual([1]);
    await ok(restore(page, version));
    expect(await read(page)).toMatchObject({ content: { n: 1 } });
  });

  test('400 for a limit or a cursor that is wrong', async () => {
    const page = await aPage();
    expect((await at.ada.get(pathOf(page, '?limit=0'))).status).toBe(400);
    expect((await at.ada.get(pathOf(page, '?cursor=x'))).status).toBe(400);
  });

  test('403 for readers, 404 for who may not know of the page, 422 for a collection', async () => {
    const { page, version } = await overwritten();
    const reader = await aMember(at, at.team, 'member');
    await giveRole(at, at.workspace.id, reader, 'reader');
    const guest = await aMember(at, at.team, 'guest');
    const shelf = await anItem(at.ada, at.query);
    const stranger = await someone(at, 'Mallory');
    for (const path of [pathOf(page), pathOf(page, `/${version}`)]) {
      expect((await reader.get(path)).status).toBe(403);
      expect((await stranger.get(path)).status).toBe(403);
      const { status, text } = await guest.get(path);
      const absent = await guest.get(path.replace(page.id, ABSENT));
      expect([status, text]).toEqual([404, absent.text]);
    }
    expect((await restore(page, version, reader)).status).toBe(403);
    expect((await restore(page, version, guest)).status).toBe(404);
    const refusal = error(
      'unprocessable_entity',
      'versions can only belong to a page (object item)',
    );
    expect((await at.ada.get(pathOf(shelf))).body).toEqual(refusal);
    expect((await at.ada.get(pathOf(shelf, '/1'))).body).toEqual(refusal);
    expect((await restore(shelf, 1)).body).toEqual(refusal);
    expect((await at.ada.delete(pathOf(shelf))).body).toEqual(refusal);
  });

  test('403 for a narrowed token: to read or restore them is to write, to delete them to manage', async () => {
    const { page, version } = await overwritten();
    const statuses = async (scope: string) => {
      const caller = claiming(at, at.ada.person, { scope: `teamspaces:${scope}` });
      const answers = [
        await caller.get(pathOf(page)),
        await caller.get(pathOf(page, `/${version}`)),
        await caller.post(pathOf(page, `/${version}/restore`)),
        await caller.delete(pathOf(page)),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statuses('read')).toEqual([403, 403, 403, 403]);
    expect(await statuses('write')).toEqual([200, 200, 200, 403]);
    expect((await statuses('manage'))[3]).toBe(200);
  });
});

describe('GET /collections/{id}/versions/{version}', () => {
  test('200 with an ETag, 304 for who has it', async () => {
    const { page, version } = await overwritten();
    const path = pathOf(page, `/${version}`);
    const { body, headers } = await at.ada.get(path);
    expect(body).toMatchObject({ version, content: { n: 1 } });
    const etag = headers.etag as string;
    for (const known of [etag, `"x", W/${etag}`]) {
      expect((await at.ada.get(path).set('if-none-match', known)).status).toBe(304);
    }
    await save(page, { n: 9 });
    expect((await at.ada.get(path)).headers.etag).toBe(etag);
    // Another version, and the same number of another page.
    const other = await overwritten();
    for (const another of [pathOf(page, '/3'), pathOf(other.page, `/${other.version}`)]) {
      expect((await at.ada.get(another).set('if-none-match', etag)).status).toBe(200);
    }
  });

  test('404 for another number', async () => {
    const { page } = await overwritten();
    for (const version of ['1', '0', '-1', '1.5', 'x', '99999999999', '2147483648']) {
      const { body } = await at.ada.get(pathOf(page, `/${version}`));
      expect(body).toMatchObject({ error: { code: 'not_found' } });
    }
  });
});

describe('POST /collections/{id}/versions/{version}/restore', () => {
  test('200: the page has it again, and what was there is a version, however young', async () => {
    const { page, version } = await overwritten();
    const before = await at.ada.get(`/collections/${page.id}`);
    const { cursor } = await ok<{ cursor: string }>(at.ada.get(`/collections/changes${at.query}`));
    const answer = await restore(page, version);
    expect(answer.body).toMatchObject({ content: { n: 1 }, updatedBy: at.ada.id });
    const after = await at.ada.get(`/collections/${page.id}`);
    expect(after.body).toEqual(answer.body);
    expect(answer.headers.etag).toBe(after.headers.etag);
    expect(answer.headers.etag).not.toBe(before.headers.etag);
    expect(await contentsOf(page)).toEqual([2, 1]);
    // At once back again, by the same person.
    await ok(restore(page, 3));
    expect(await contentsOf(page)).toEqual([1, 2, 1]);
    // What it has already is not kept.
    await ok(restore(page, 3));
    expect(await contentsOf(page)).toEqual([1, 2, 1]);
    const feed = await ok<{ changes: { id: string; item: Page }[] }>(
      at.ada.get(`/collections/changes${at.query}&cursor=${cursor}&include=content`),
    );
    expect(feed.changes).toMatchObject([{ id: page.id, item: { content: { n: 2 } } }]);
  });

  test('200 once under an Idempotency-Key', async () => {
    const { page, version } = await overwritten();
    const keyed = () => restore(page, version).set('idempotency-key', 'restore');
    const answer = await keyed();
    await save(page, { n: 3 });
    const replay = await keyed();
    expect(replay.text).toBe(answer.text);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(await read(page)).toMatchObject({ content: { n: 3 } });
  });

  test('409 for a stale If-Match', async () => {
    const { page, version } = await overwritten();
    const { headers } = await at.ada.get(`/collections/${page.id}`);
    await save(page, { n: 3 });
    const stale = await restore(page, version).set('if-match', headers.etag as string);
    expect(stale.status).toBe(409);
    expect(await read(page)).toMatchObject({ content: { n: 3 } });
    const current = (await at.ada.get(`/collections/${page.id}`)).headers.etag;
    await ok(restore(page, version).set('if-match', current as string));
  });

  test('404 for a version that the page does not have', async () => {
    const { page, version } = await overwritten();
    const other = await aPage();
    expect((await restore(other, version)).body).toEqual(
      error('not_found', 'version not found: check its number in the list of versions'),
    );
    expect((await restore(page, 77)).status).toBe(404);
    expect((await restore({ ...page, id: ABSENT }, version)).status).toBe(404);
  });
});

describe('DELETE /collections/{id}/versions', () => {
  test('200: they are gone, and the audit log says so', async () => {
    const { page, version } = await overwritten();
    const { page: other } = await overwritten();
    await save(page, { n: 3 });
    await ok(at.ada.delete(pathOf(page)));
    expect(await versionsOf(page)).toEqual([]);
    expect(await versionsOf(other)).toHaveLength(1);
    expect((await restore(page, version)).status).toBe(404);
    expect(await read(page)).toMatchObject({ content: { n: 3 } });
    const [entry] = await auditLog(at.ada, at.team);
    expect(entry).toMatchObject({
      ...{ action: 'item.versionsPurged', actor: { _id: at.ada.id } },
      ...{ target: { type: 'item', id: page.id }, details: { versions: 2 } },
    });
    // Nothing to delete is nothing to record, and no change of the tree.
    const list = async () => (await at.ada.get(`/collections${at.query}`)).headers.etag;
    const before = await list();
    await ok(at.ada.delete(pathOf(page)));
    expect((await auditLog(at.ada, at.team))[0]?._id).toBe(entry?._id);
    expect(await list()).toBe(before);
  });

  test('200: what stored responses hold of it is gone, too', async () => {
    const { query } = at;
    const keyed = (key: string, request: Test) => request.set('idempotency-key', `purged-${key}`);
    const create = () =>
      keyed('create', at.ada.post(`/collections${query}`, { object: 'item', content: SECRET }));
    const page = await ok<Page>(create());
    // One that names the page is still of another page.
    const linked = { object: 'item', content: { n: 7, link: page.id } };
    const other = await ok<Page>(keyed('other', at.ada.post(`/collections${query}`, linked)));
    await save(other, { n: 8 });
    await save(page, { n: 2 });
    const [{ version }] = (await versionsOf(page)) as [VersionBody];
    const back = () => keyed('restore', restore(page, version));
    const patch = () =>
      keyed(
        'patch',
        at.ada.patch(`/collections/${page.id}/content`, [{ op: 'add', path: '/n', value: 3 }]),
      );
    for (const request of [back, patch]) await ok(request());
    await save(page, { n: 4 });
    for (const request of [create, back, patch])
      expect((await request()).text).toContain('hunter2');
    await ok(at.ada.delete(pathOf(page)));
    for (const request of [create, back, patch]) {
      const replay = await request();
      expect(replay.headers['idempotent-replayed']).toBe('true');
      // What it is now, as in a response that was too long to be stored with its content.
      expect(replay.body).toMatchObject({ id: page.id, content: { n: 4 } });
      expect(replay.text).not.toContain('hunter2');
    }
    await save(other, { n: 8 });
    const again = await ok<Page>(keyed('other', at.ada.post(`/collections${query}`, linked)));
    expect(again).toEqual(other);
    // Stored since, with no version to purge.
    const last = () =>
      keyed(
        'last',
        at.ada.patch(`/collections/${page.id}/content`, [
          { op: 'add', path: '/s', value: 'hunter2' },
        ]),
      );
    await ok(last());
    await save(page, { n: 5 });
    await ok(at.ada.delete(pathOf(page)));
    expect((await last()).text).not.toContain('hunter2');
  });

  test('403 for who does not manage the workspace', async () => {
    const { bob, page } = await overwritten();
    expect((await bob.delete(pathOf(page))).status).toBe(403);
    expect(await versionsOf(page)).toHaveLength(1);
  });
});

describe('the versions of a page', () => {
  const count = async ({ id }: ItemBody) =>
    (await sql(at.databaseUrl, 'SELECT FROM page_versions WHERE id = $1', [id])).length;

  test('stay while it is in the trash, and come back with it', async () => {
    const { page, version } = await overwritten();
    const { updatedAt } = await read(page);
    await ok(at.ada.delete(`/collections/${page.id}`));
    expect((await at.ada.get(pathOf(page))).status).toBe(404);
    expect((await at.ada.get(pathOf(page, `/${version}`))).status).toBe(404);
    expect((await restore(page, version)).status).toBe(404);
    await ok(at.ada.post(`/collections/trash/${page.id}/restore`, {}));
    expect(await contentsOf(page)).toEqual([1]);
    // Who wrote the text before the deletion, and when, is still known.
    await save(page, { n: 3 });
    expect((await versionsOf(page)).map(({ by }) => by?.name)).toEqual(['member', 'Ada']);
    expect((await versionsOf(page))[0]).toMatchObject({ since: updatedAt });
  });

  test('go with one that is deleted for good', async () => {
    const { page } = await overwritten();
    await ok(at.ada.delete(`/collections/${page.id}?permanent=true`));
    expect(await count(page)).toBe(0);
  });

  test('go along to another workspace; a copy has none', async () => {
    const { page } = await overwritten();
    const copy = await ok<Page>(at.ada.post(`/collections/${page.id}/duplicate`, {}));
    expect(await versionsOf(copy)).toEqual([]);
    expect(copy).toMatchObject({ createdBy: at.ada.id, updatedBy: at.ada.id });
    // What is in a copy is of whoever made it.
    const bob = await aMember(at, at.team, 'member');
    const his = await ok<Page>(bob.post(`/collections/${page.id}/duplicate`, {}));
    await save(his, { n: 3 });
    expect(await versionsOf(his)).toMatchObject([{ by: { _id: bob.id } }]);
    const other = await aWorkspace(at.ada, at.team);
    const moved = await ok<Page>(
      at.ada.post(`/collections/${page.id}/transfer`, { workspace_slug: other.slug }),
    );
    expect(moved).toMatchObject({ createdBy: at.ada.id, updatedBy: at.ada.id });
    expect(await contentsOf(page)).toEqual([1]);
    expect((await at.ada.get(pathOf(page, at.query))).status).toBe(404);
    await save(page, { n: 3 });
    await save(page, { n: 4 });
    expect(await contentsOf(page)).toEqual([2, 1]);
    // Her save goes on there.
    await ok(
      at.ada.post(`/collections/${page.id}/transfer`, { workspace_slug: at.workspace.slug }),
    );
    await save(page, { n: 5 });
    expect(await contentsOf(page)).toEqual([2, 1]);
  });

  test('a transfer neither ends nor begins what somebody saves', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const [saved, created] = [await aPage(), await aCreatedPage()];
    const { createdAt } = await read(created);
    for (const page of [saved, created]) {
      const to = { workspace_slug: other.slug };
      await ok(at.ada.post(`/collections/${page.id}/transfer`, to));
      await save(page, { n: 2 });
    }
    expect(await versionsOf(saved)).toEqual([]);
    expect(await versionsOf(created)).toMatchObject([{ since: createdAt }]);
    expect(await contentsOf(created)).toEqual([1]);
  });

  test('positions of siblings that are spread anew change neither a page nor whose it is', async () => {
    const bob = await aMember(at, at.team, 'member');
    const page = await aPage();
    const last = await anItem(at.ada, at.query);
    const before = await read(page);
    const positionOf = ({ id }: ItemBody) =>
      sql(at.databaseUrl, 'SELECT position FROM collections WHERE id = $1', [id]);
    const put = ({ id }: ItemBody, position: string) =>
      sql(at.databaseUrl, 'UPDATE collections SET position = $2 WHERE id = $1', [id, position]);
    await put(page, 'a0V');
    // So long a position leaves no room after it.
    await put(last, `${'z'.repeat(61)}V`);
    await anItem(bob, at.query);
    expect(await positionOf(page)).not.toEqual([{ position: 'a0V' }]);
    expect(await read(page)).toEqual(before);
    await save(page, { n: 2 });
    expect(await versionsOf(page)).toEqual([]);
  });

  test('come back with a workspace', async () => {
    const { page } = await overwritten();
    await ok(at.ada.delete(at.workspace.path));
    expect((await at.ada.get(pathOf(page))).status).toBe(404);
    await ok(at.ada.post(`/teams/${at.team}/trash/${at.workspace.id}/restore`, {}));
    expect(await contentsOf(page)).toEqual([1]);
  });
});

describe('records show who made and who changed an item', () => {
  test('single, in lists, in the feed and as children', async () => {
    const bob = await aMember(at, at.team, 'member');
    const shelf = await anItem(at.ada, at.query);
    const page = await aPage({ parent: shelf.id });
    await ok(bob.put(`/collections/${page.id}`, { name: 'By Bob' }));
    const by = { createdBy: at.ada.id, updatedBy: bob.id };
    expect(await read(page)).toMatchObject(by);
    expect((await read(shelf)).children).toMatchObject([by]);
    const [listed] = await ok<ItemBody[]>(at.ada.get(`/collections${at.query}`));
    expect(listed).toMatchObject({ createdBy: at.ada.id, updatedBy: at.ada.id, children: [by] });
    const { changes } = await ok<{ changes: { id: string; item: object }[] }>(
      at.ada.get(`/collections/changes${at.query}`),
    );
    expect(changes.find(({ id }) => id === page.id)?.item).toMatchObject(by);
  });

  testInside('a move, a restore from the trash, and a batch of several people', async () => {
    const bob = await aMember(at, at.team, 'member');
    const pages = [await aPage(), await aPage(), await aPage()] as [Page, Page, Page];
    const shared = await aPage();
    const cleo = await aMember(at, at.team, 'member');
    await ok(bob.post(`/collections/reorder${at.query}`, { id: pages[2].id, index: 0 }));
    expect(await read(pages[2])).toMatchObject({ updatedBy: bob.id });
    await ok(at.ada.delete(`/collections/${pages[0].id}`));
    const restored = await ok<Page>(bob.post(`/collections/trash/${pages[0].id}/restore`, {}));
    expect(restored).toMatchObject({ createdBy: at.ada.id, updatedBy: bob.id });
    expect(await read(pages[0])).toMatchObject({ createdBy: at.ada.id, updatedBy: bob.id });
    const lock = await holdWorkspace(at.databaseUrl, at.workspace.id);
    const create = (by: Known, n: number) =>
      ok<Page>(by.post(`/collections${at.query}`, { name: `${n}` }));
    const writes = [create(at.ada, 0)];
    await lock.waiting(1);
    writes.push(...[bob, at.ada, bob].map(create));
    writes.push(save(pages[0], { n: 7 }), save(pages[1], { n: 7 }, bob));
    // One page by two: whoever wrote last has changed it, whatever they wrote.
    const ofBoth = [save(shared, { n: 7 }, cleo)];
    ofBoth.push(ok(at.ada.put(`/collections/${shared.id}`, { name: 'Hers' })));
    await at.queued(at.workspace.id, 7);
    await lock.release();
    const written = await Promise.all(writes);
    const expected = [at.ada, bob, at.ada, bob, at.ada, bob].map(({ id }) => id);
    expect(written.map(({ updatedBy }) => updatedBy)).toEqual(expected);
    const stored = await Promise.all(written.map(read));
    expect(stored.map(({ updatedBy }) => updatedBy)).toEqual(expected);
    expect(await Promise.all(ofBoth)).toContainEqual(await read(shared));
  });
});
