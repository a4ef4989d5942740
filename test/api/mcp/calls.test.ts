import { until } from '../../operate/process.js';
import { tokenOf } from '../../support/app.js';
import { auditLog } from '../../support/audit.js';
import { anItem } from '../../support/builders.js';
import { call, message, send } from '../../support/mcp.js';
import { someone } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const LIMIT = 100;
const at = scene({
  env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '1' },
  each: 'workspace',
});

/** Calls a tool as somebody, in the test's workspace. */
const calling =
  (token: string) =>
  (name: string, input: object = {}, more: Parameters<typeof call>[4] = {}) =>
    call(at.url, token, name, { team: at.team, workspace: at.workspace.slug, ...input }, more);
const ada = () => calling(tokenOf(at.ada.person));
/** What a user has left, as a response says. */
const leftIn = (headers: Headers): number =>
  Number(/^"user";r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('the rate limit', () => {
  /** Points of each call, of somebody who has made none before. */
  async function pointsOf(
    ...calls: ((token: string) => Promise<{ headers: Headers }>)[]
  ): Promise<number[]> {
    const { person } = await someone(at);
    let left = leftIn((await send(at.url, message('ping'), { token: tokenOf(person) })).headers);
    const points: number[] = [];
    for (const sent of calls) {
      const now = leftIn((await sent(tokenOf(person))).headers);
      points.push(left - now);
      left = now;
    }
    return points;
  }
  const tool = (name: string, input: object) => (token: string) => call(at.url, token, name, input);

  test('counts a call once, and a message that calls nothing as one', async () => {
    const { person } = await someone(at);
    const token = tokenOf(person);
    const team = `team-${person.sub}`;
    await at.with(`Bearer ${token}`).post('/teams', { name: 'Team', slug: team }).expect(200);
    const [list, teams, refused, none] = await pointsOf(
      (one) => send(at.url, message('tools/list'), { token: one }),
      tool('list_teams', {}),
      tool('read_tree', { team, workspace: 'none' }),
      tool('read_page', {}),
    );
    expect([list, teams, refused, none]).toEqual([1, 1, 1, 1]);
  });

  test('counts each call of a tool that makes several, and the bytes of a body once', async () => {
    const { person } = await someone(at);
    const caller = calling(tokenOf(person));
    const own = await at.as(person).post('/teams', { name: 'T', slug: `t-${person.sub}` });
    const { slug } = own.body.meta;
    await at.as(person).post(`/teams/${slug}/workspaces`, { name: 'Docs' }).expect(200);
    const inOwn = { team: slug, workspace: 'docs' };
    const before = leftIn((await caller('list_teams')).headers);
    // The title is looked up in the one team: the list of teams, and a search.
    const title = { id: 'Nothing' };
    const missed = leftIn((await call(at.url, tokenOf(person), 'read_page', title)).headers);
    const content = { text: 'x'.repeat(250 * 1024) };
    const page = { ...inOwn, kind: 'page', title: 'Large', content };
    const written = leftIn((await caller('create_item', page)).headers);
    expect([before - missed, missed - written]).toEqual([2, 3]);
  });

  test('refuses a call before it is read, and one that the message itself used up', async () => {
    const { person } = await someone(at);
    const token = tokenOf(person);
    const team = { name: 'Team', slug: `t-${person.sub}` };
    await at.as(person).post('/teams', team).expect(200);
    let { headers: last } = await send(at.url, message('ping'), { token });
    while (leftIn(last) > 1) last = (await send(at.url, message('ping'), { token })).headers;
    // It calls twice, and only one point is left.
    const inside = await call(at.url, token, 'read_page', { id: 'Nothing' });
    expect([inside.status, inside.isError, inside.text]).toEqual([
      ...[200, true, expect.stringMatching(/^rate_limit_exceeded: more than 100 .* \d+ seconds$/)],
    ]);
    const { status, headers, body } = await send(at.url, 'no JSON', { token });
    expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(body.error).toMatchObject({ data: { code: 'rate_limit_exceeded' } });
  });

  test('counts callers without a valid token by their address', async () => {
    const address = '10.9.8.7';
    const from = (token: string | null) =>
      send(at.url, message('ping'), { token, headers: { 'x-forwarded-for': address } });
    const policies = [await from(null), await from('x')].map(({ headers }) => [
      headers.get('ratelimit-policy'),
      headers.get('ratelimit')?.replace(/t=\d+/, ''),
    ]);
    // A failed authentication counts five.
    expect(policies).toEqual([
      [`"address";q=${LIMIT};w=60`, '"address";r=95;'],
      [`"address";q=${LIMIT};w=60`, '"address";r=90;'],
    ]);
  });
});

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

test('a caller that goes away ends what it waits for', async () => {
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
  await until(async () => !(await next()).isError);
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
