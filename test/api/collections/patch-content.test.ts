import { anItem, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember, giveRole } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ each: 'workspace' });
const ABSENT = '01890000-0000-7000-8000-000000000000';
const PATCH_TYPE = 'application/json-patch+json';

const aPage = (content: object = {}) =>
  anItem(at.ada, at.query, { object: 'item', name: 'Page', content });
const patch = (id: string, operations: unknown) =>
  at.ada.patch(`/collections/${id}/content`, operations);
const contentOf = async (id: string): Promise<string> => {
  const [row] = await sql<{ content: string }>(
    at.databaseUrl,
    'SELECT content::text AS content FROM collections WHERE id = $1',
    [id],
  );
  return row?.content ?? '';
};
const append = (value: unknown) => [{ op: 'add', path: '/list/-', value }];

describe('PATCH /collections/{id}/content', () => {
  test('200 with the page as it is now, and its ETag', async () => {
    const page = await aPage({ list: ['a'], text: 'Hello' });
    const answer = await patch(page.id, [
      ...append('b'),
      { op: 'replace', path: '/text', value: 'Welcome' },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const read = await at.ada.get(`/collections/${page.id}`);
    expect(answer.body).toEqual(read.body);
    expect(answer.headers.etag).toBe(read.headers.etag);
    expect(read.body.content).toEqual({ list: ['a', 'b'], text: 'Welcome' });
    expect(read.body.updatedAt > read.body.createdAt).toBe(true);
  });

  test('200 at the long path, with both media types, with and without parameters', async () => {
    const { id } = await aPage({ list: [] });
    const types = [
      PATCH_TYPE,
      `${PATCH_TYPE}; charset=utf-8`,
      'application/json',
      'APPLICATION/JSON',
    ];
    for (const type of types) {
      const path = `${at.workspace.path}/collections/${id}/content`;
      await ok(
        at.ada
          .patch(path)
          .set('content-type', type)
          .send(JSON.stringify(append(type))),
      );
    }
    expect(JSON.parse(await contentOf(id))).toEqual({ list: types });
  });

  test('200 with every digit of numbers, before and after', async () => {
    const { id } = await aPage();
    const body =
      '[{"op":"add","path":"","value":{"big":12345678901234567890,"small":1.10,"e":1E-400}}]';
    await ok(at.ada.patch(`/collections/${id}/content`).type('json').send(body));
    const answer = await patch(id, [{ op: 'copy', from: '/big', path: '/copy' }]);
    const expected =
      '{"big":12345678901234567890,"small":1.10,"e":1E-400,"copy":12345678901234567890}';
    expect(answer.text).toContain(`"content":${expected}}`);
    expect(await contentOf(id)).toBe(expected);
  });

  test('200 without a new version if nothing changes', async () => {
    const { id } = await aPage({ a: 1 });
    const before = await at.ada.get(`/collections/${id}`);
    for (const nothing of [[], [{ op: 'test', path: '/a', value: 1.0 }]]) {
      const answer = await patch(id, nothing);
      expect([answer.status, answer.headers.etag, answer.body]).toEqual([
        200,
        before.headers.etag,
        before.body,
      ]);
    }
  });

  test('200 with 100 operations; 400 with 101', async () => {
    const { id } = await aPage({ list: [] });
    const many = Array.from({ length: 100 }, (_, n) => append(n)).flat();
    await ok(patch(id, many));
    expect(JSON.parse(await contentOf(id)).list).toHaveLength(100);
    const tooMany = await patch(id, [...many, ...append(1)]);
    expect([tooMany.status, tooMany.body]).toEqual([
      400,
      error('bad_request', 'the body must be a list of at most 100 operations'),
    ]);
  });

  test('400, 409 and 422 change nothing', async () => {
    const { id } = await aPage({ a: 1 });
    const before = await at.ada.get(`/collections/${id}`);
    const wrong = await offenders<[number, object[], string]>(
      [
        [400, [{ op: 'add', path: '/b' }], 'body[1].value is required'],
        [400, [{ op: 'add', path: '/b', value: '\u0000' }], 'body[1].value must not contain'],
        [400, [{ op: 'add', path: '/b', value: '\ud800' }], 'body[1].value must be well-formed'],
        [409, [{ op: 'test', path: '/a', value: 1 }], 'body[1].value is not what the content has'],
        [422, [{ op: 'remove', path: '/b' }], 'body[1].path is not there'],
        [
          422,
          [{ op: 'replace', path: '', value: 1 }],
          'body[1] must leave the content a JSON object',
        ],
      ],
      async ([status, operations, says]) => {
        const answer = await patch(id, [{ op: 'replace', path: '/a', value: 2 }, ...operations]);
        const code = { 400: 'bad_request', 409: 'conflict', 422: 'unprocessable_entity' }[status];
        expect([answer.status, answer.body]).toEqual([status, error(String(code), says)]);
      },
    );
    expect(wrong).toEqual([]);
    expect((await at.ada.get(`/collections/${id}`)).headers.etag).toBe(before.headers.etag);
  });

  test('400 for a member that an operation has twice, and it has a meaning', async () => {
    const { id } = await aPage({ a: 1 });
    const send = (body: string) =>
      at.ada.patch(`/collections/${id}/content`).set('content-type', PATCH_TYPE).send(body);
    const operation = '"op":"copy","path":"/b","from":"/a","value":1';
    for (const [name, twice] of [
      ['op', '"op":"copy"'],
      ['path', '"path":"/c"'],
      ['path', '"p\\u0061th":"/b"'],
      ['from', '"from":"/a"'],
      ['value', '"value":[{"value":1}]'],
    ]) {
      const { status, body } = await send(`[{${operation}}, {${twice},${operation}}]`);
      expect([twice, status, body]).toEqual([
        twice,
        400,
        error('bad_request', `body[1].${name} must be given once`),
      ]);
    }
    // Members of values, and those without a meaning, are not looked at; each operation has its own.
    const value = '{"op":1,"op":2,"path":{"path":1,"path":2}}';
    await send(
      `[{"op":"add","path":"/v","value":${value},"x":1,"x":{"op":1,"op":2}},{${operation}}]`,
    ).expect(200);
    expect(JSON.parse(await contentOf(id))).toEqual({
      a: 1,
      b: 1,
      v: { op: 2, path: { path: 2 } },
    });
  });

  test('400 for other media types, and for a JSON Patch elsewhere', async () => {
    const { id } = await aPage();
    for (const type of [
      'text/plain',
      'application/merge-patch+json',
      'application/json-patch+jsonx',
      '',
    ]) {
      const answer = await at.ada
        .patch(`/collections/${id}/content`)
        .set('content-type', type)
        .send('[]');
      expect([type, answer.status, answer.body]).toEqual([
        type,
        400,
        error('bad_request', `the Content-Type must be ${PATCH_TYPE} or application/json`),
      ]);
    }
    const elsewhere = await at.ada
      .put(`/collections/${id}`)
      .set('content-type', PATCH_TYPE)
      .send('{}');
    expect([elsewhere.status, elsewhere.body]).toEqual([
      400,
      error('bad_request', 'the Content-Type must be application/json'),
    ]);
  });

  test('403 for a reader, 404 for what is hidden or absent', async () => {
    const { id } = await aPage();
    const reader = await aMember(at, at.team, 'member');
    await giveRole(at, at.workspace.id, reader, 'reader');
    expect((await reader.patch(`/collections/${id}/content`, [])).status).toBe(403);
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    const stranger = await aMember(at, at.team, 'moderator');
    const hidden = await stranger.patch(`/collections/${id}/content`, []);
    const absent = await stranger.patch(`/collections/${ABSENT}/content`, []);
    expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
  });

  test('409 for an If-Match that is not the current ETag', async () => {
    const { id } = await aPage({ list: [] });
    const { etag } = (await at.ada.get(`/collections/${id}`)).headers;
    await ok(patch(id, append(1)).set('if-match', String(etag)));
    const stale = await patch(id, append(2)).set('if-match', String(etag));
    expect([stale.status, stale.body]).toEqual([409, error('conflict', 'If-Match is not')]);
    expect(JSON.parse(await contentOf(id))).toEqual({ list: [1] });
  });

  test('422 for a collection', async () => {
    const { id } = await anItem(at.ada, at.query);
    const answer = await patch(id, []);
    expect([answer.status, answer.body]).toEqual([
      422,
      error('unprocessable_entity', 'content can only be patched on a page'),
    ]);
  });
});

describe('a patch with an Idempotency-Key', () => {
  test('is done once, in both forms, also by twins, and only for its own request', async () => {
    const { id } = await aPage({ list: [] });
    for (const path of [`/collections/${id}`, `${at.workspace.path}/collections/${id}`]) {
      const send = (value: unknown) =>
        at.ada.patch(`${path}/content`, append(value)).set('idempotency-key', path);
      const [first, twin] = await Promise.all([send(path), send(path)]);
      expect([first.status, twin.status, twin.text]).toEqual([200, 200, first.text]);
      await ok(patch(id, append('between')));
      const again = await send(path);
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
      expect((await send('other')).status).toBe(422);
    }
    const { list } = JSON.parse(await contentOf(id));
    expect(list.filter((value: string) => value !== 'between')).toHaveLength(2);
  });

  test('that changes nothing is a success, too: it is not applied later', async () => {
    const { id } = await aPage({ list: [] });
    const tested = () =>
      at.ada
        .patch(`/collections/${id}/content`, [{ op: 'test', path: '/list', value: [] }])
        .set('idempotency-key', id);
    const first = await tested();
    await ok(patch(id, append('meanwhile')));
    const again = await tested();
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test('is not replayed to somebody who may no longer read the page', async () => {
    const { id } = await aPage({ list: [] });
    const member = await aMember(at, at.team, 'member');
    const send = () =>
      member.patch(`/collections/${id}/content`, append(1)).set('idempotency-key', 'mine');
    await ok(send());
    await ok(at.ada.put(at.workspace.path, { visibility: 'private' }));
    expect((await send()).status).toBe(404);
  });
});

describe('patches at the same moment', () => {
  test('that append to one array all arrive', async () => {
    const { id } = await aPage({ list: [] });
    const other = await aPage({ list: [] });
    const values = Array.from({ length: 60 }, (_, n) => n);
    await Promise.all(
      values.flatMap((n) => [ok(patch(id, append(n))), ok(patch(other.id, append(n)))]),
    );
    for (const page of [id, other.id]) {
      const { list } = JSON.parse(await contentOf(page));
      expect(list.sort((a: number, b: number) => a - b)).toEqual(values);
    }
  });

  test('with a test of what the others change: one of them succeeds', async () => {
    const { id } = await aPage({ n: 0 });
    const increment = [
      { op: 'test', path: '/n', value: 0 },
      { op: 'replace', path: '/n', value: 1 },
    ];
    const answers = await Promise.all(Array.from({ length: 20 }, () => patch(id, increment)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
  });

  test('beside renames, moves and writes of the whole content lose nothing', async () => {
    const { id } = await aPage({ list: [] });
    const requests = Array.from({ length: 20 }, (_, n) => [
      ok(patch(id, append(n))),
      ok(at.ada.put(`/collections/${id}`, { name: `Page ${n}` })),
      ok(at.ada.post(`/collections/reorder${at.query}`, { id, index: 0 })),
    ]);
    await Promise.all(requests.flat());
    expect(JSON.parse(await contentOf(id)).list).toHaveLength(20);
    const [saved] = await Promise.all([
      ok(at.ada.put(`/collections/${id}`, { content: { list: ['new'] } })),
      ok(patch(id, append('last'))),
    ]);
    expect(saved).toMatchObject({ content: { list: ['new'] } });
    expect([['new'], ['new', 'last']]).toContainEqual(JSON.parse(await contentOf(id)).list);
  });
});
