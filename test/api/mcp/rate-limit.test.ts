import { tokenOf } from '../../support/app.js';
import { call, message, send } from '../../support/mcp.js';
import { someone } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const LIMIT = 40;
const at = scene({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '1' } });

/** What a user has left, as a response says. */
const leftIn = (headers: Headers): number =>
  Number(/^"user";r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);

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

test('it counts a call once, and a message that calls nothing as one', async () => {
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

test('it counts each call of a tool that makes several, and the bytes of a body once', async () => {
  const { person } = await someone(at);
  const token = tokenOf(person);
  const own = await at.as(person).post('/teams', { name: 'T', slug: `t-${person.sub}` });
  const { slug } = own.body.meta;
  await at.as(person).post(`/teams/${slug}/workspaces`, { name: 'Docs' }).expect(200);
  const inOwn = { team: slug, workspace: 'docs' };
  const before = leftIn((await call(at.url, token, 'list_teams', {})).headers);
  // The title is looked up in the one team: the list of teams, and a search.
  const title = { id: 'Nothing' };
  const missed = leftIn((await call(at.url, token, 'read_page', title)).headers);
  const content = { text: 'x'.repeat(250 * 1024) };
  const page = { ...inOwn, kind: 'page', title: 'Large', content };
  const written = leftIn((await call(at.url, token, 'create_item', page)).headers);
  expect([before - missed, missed - written]).toEqual([2, 3]);
});

test('it refuses a call before it is read, and one that the message itself used up', async () => {
  const { person } = await someone(at);
  const token = tokenOf(person);
  const team = { name: 'Team', slug: `t-${person.sub}` };
  await at.as(person).post('/teams', team).expect(200);
  let { headers: last } = await send(at.url, message('ping'), { token });
  while (leftIn(last) > 1) last = (await send(at.url, message('ping'), { token })).headers;
  // It calls twice, and only one point is left.
  const inside = await call(at.url, token, 'read_page', { id: 'Nothing' });
  expect([inside.status, inside.isError, inside.text]).toEqual([
    ...[200, true, expect.stringMatching(/^rate_limit_exceeded: more than 40 .* \d+ seconds$/)],
  ]);
  const { status, headers, body } = await send(at.url, 'no JSON', { token });
  expect([status, Number(headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  expect(body.error).toMatchObject({ data: { code: 'rate_limit_exceeded' } });
});

test('it counts callers without a valid token by their address', async () => {
  const address = '10.9.8.7';
  const from = (token: string | null) =>
    send(at.url, message('ping'), { token, headers: { 'x-forwarded-for': address } });
  const policies = [await from(null), await from('x')].map(({ headers }) => [
    headers.get('ratelimit-policy'),
    headers.get('ratelimit')?.replace(/t=\d+/, ''),
  ]);
  // A failed authentication counts a tenth of the limit.
  expect(policies).toEqual([
    [`"address";q=${LIMIT};w=60`, `"address";r=${LIMIT - 4};`],
    [`"address";q=${LIMIT};w=60`, `"address";r=${LIMIT - 8};`],
  ]);
  let last = await from('x');
  while (last.status === 401) last = await from('x');
  expect([last.status, last.body]).toMatchObject([
    ...[429, { jsonrpc: '2.0', error: { code: -32_000, data: { code: 'rate_limit_exceeded' } } }],
  ]);
});
