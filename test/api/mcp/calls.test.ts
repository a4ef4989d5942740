import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../operate/process.js';
import { tokenOf } from '../../support/app.js';
import { auditLog } from '../../support/audit.js';
import { anItem } from '../../support/builders.js';
import { testInside } from '../../support/inside.js';
import { call } from '../../support/mcp.js';
import { scene } from '../../support/scene.js';

const at = scene({ env: { RATE_LIMIT_PER_MINUTE: '0' }, each: 'workspace' });

/** Calls a tool as somebody, in the test's workspace. */
const calling =
  (token: string) =>
  (name: string, input: object = {}, more: Parameters<typeof call>[4] = {}) =>
    call(at.url, token, name, { team: at.team, workspace: at.workspace.slug, ...input }, more);
const ada = () => calling(tokenOf(at.ada.person));
test('a call is recorded as the request of the caller', async () => {
  const requestId = `model-${crypto.randomUUID()}`;
  const { id } = await anItem(at.ada, at.query);
  const { isError, headers } = await ada()(
    'delete_item',
    { id },
    {
      headers: { 'x-request-id': requestId },
    },
  );
  expect([isError, headers.get('x-request-id')]).toEqual([false, requestId]);
  const [entry] = await auditLog(at.ada, at.team);
  expect(entry).toMatchObject({ action: 'item.deleted', requestId });
});

describe('a response of more than 1 MiB', () => {
  const large = { text: 'x'.repeat(1024 * 1024 - 100) };

  test('is an error that says how to read it instead', async () => {
    const { id } = await anItem(at.ada, at.query, { object: 'item', content: large });
    const { isError, text, status } = await ada()('read_page', { id });
    expect([status, isError, text]).toEqual([
      ...[
        200,
        true,
        expect.stringMatching(/^The response has more than 1 MiB: .* GET \/coll.*\.$/),
      ],
    ]);
  });

  test('of a change says that it was made', async () => {
    const { id } = await anItem(at.ada, at.query, { object: 'item', content: large });
    const operations = [{ op: 'replace', path: '/text', value: 'y'.repeat(1024 * 1024 - 100) }];
    const { isError, text } = await ada()('patch_page', { id, operations });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^The change was made, but/)]);
    const { body } = await at.ada.get(`/collections/${id}`);
    expect(body.content.text[0]).toBe('y');
  });

  test('of a tree is read level by level', async () => {
    const title = '漢'.repeat(255);
    const children = Array.from({ length: 400 }, () => ({ title }));
    const items = [
      { name: 'Shelf', children },
      { name: 'Other', children },
    ];
    await at.ada.post(`/collections/batch?${at.query.slice(1)}`, { items }).expect(200);
    const { isError, text } = await ada()('read_tree');
    expect([isError, JSON.parse(text)]).toMatchObject([
      ...[false, { items: [{ title: 'Shelf' }, { title: 'Other' }], complete: false }],
    ]);
  });
});

testInside('a caller that goes away ends what it waits for', async () => {
  const call = ada();
  const { cursor } = JSON.parse((await call('read_changes')).text);
  const gone = new AbortController();
  const held = Array.from({ length: 10 }, () =>
    call('read_changes', { cursor, wait: 25 }, { signal: gone.signal }).catch(() => 'gone'),
  );
  const next = () => call('read_changes', { cursor, wait: 1 });
  await until(async () => (await next()).isError);
  expect((await next()).text).toMatch(/^rate_limit_exceeded: /);
  gone.abort();
  expect(new Set(await Promise.all(held))).toEqual(new Set(['gone']));
  // Their time is over after 25 seconds.
  for (let tries = 0; tries < 50 && (await next()).isError; tries++) await sleep(100);
  expect(await next()).toMatchObject({ status: 200, isError: false });
});

test('content keeps what JSON says, also where it is written as text', async () => {
  const call = ada();
  const content = { nested: [[], {}, null, 1.5, 'ä😀'], value: { content: { value: 'deep' } } };
  for (const given of [content, JSON.stringify(content)]) {
    const created = await call('create_item', { kind: 'page', title: 'Page', content: given });
    const { id } = JSON.parse(created.text);
    expect(JSON.parse((await call('read_page', { id })).text).content).toEqual(content);
  }
});
