import { deepEqual, notEqual } from 'node:assert/strict';
import type { Space } from './loader/job.js';
import { type Shape, spacesOf } from './seed.js';
import { type Server, tokenOf } from './servers.js';

/** Workspaces of their own: the checks change them. */
export const CHECK_SHAPES: Shape[] = [
  { team: 'check', workspace: 'space', collections: 3, pages: 4 },
  { team: 'main', workspace: 'tree-1', collections: 50, pages: 19 },
];

const PLACE = 'team_slug=check&workspace_slug=space';

interface Answer {
  status: number;
  body: unknown;
}

type Ask = (method: string, path: string, body?: object, caller?: string) => Promise<Answer>;

/**
 * Asks all servers the same and compares their answers: the same shape and values, apart from the
 * ids and times of what was created. Refusals are asked of the service and the fair baseline only;
 * the light one checks nothing.
 * @throws AssertionError naming the first request whose answers differ
 */
export async function assertEqualAnswers(
  servers: readonly Server[],
  template: string,
): Promise<void> {
  const [space] = (await spacesOf(template, CHECK_SHAPES.slice(0, 1), 100)) as [Space];
  const answers: [string, Answer[]][] = [];
  for (const server of servers) {
    const ask = asker(server);
    const given = await story(ask, space.parents, space.pages);
    answers.push([server.name, given]);
    if (server.name === 'light') continue;
    given.push(...(await refusals(ask, space.parents, space.pages)));
  }
  const [[, expected]] = answers as [[string, Answer[]]];
  for (const [name, given] of answers) {
    for (const [n, answer] of given.entries()) {
      notEqual(answer.status, 500, `${name} fails at answer ${n + 1}`);
      deepEqual(answer, expected[n], `${name} differs from the service at answer ${n + 1}`);
    }
  }
}

async function story(
  ask: Ask,
  [first, second, third]: string[],
  pages: { id: string; parent: string }[],
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const names = new Map<string, string>();
  const add = async (...request: Parameters<Ask>): Promise<string> => {
    const answer = await ask(...request);
    const { id = '', name = '' } = answer.body as { id?: string; name?: string };
    if (request[0] === 'POST' && id) names.set(id, `<${name}>`);
    answers.push(anonymous(answer, names));
    return id;
  };
  const move = (id: string, parent: string, index: number, newParent?: string) =>
    add('POST', `/collections/reorder?${PLACE}`, {
      ...{ id, parent, index },
      ...(newParent !== undefined && { newParent }),
    });
  const tree = () => add('GET', `/collections?${PLACE}`);
  const inFirst = pages.filter(({ parent }) => parent === first).map(({ id }) => id);
  const [one = '', two = ''] = inFirst;

  await add('GET', '/teams');
  await add('GET', '/teams', undefined, 'grace');
  await add('GET', '/teams/main');
  await add('GET', '/teams/check/workspaces');
  await add('GET', '/collections?team_slug=main&workspace_slug=tree-1');
  await tree();
  const page = {
    name: 'A new page',
    object: 'item',
    content: { type: 'doc', n: [1, { a: null }] },
  };
  const created = await add('POST', `/collections?${PLACE}`, { ...page, parent: first });
  await add('POST', `/collections?${PLACE}`, { name: 'A new chapter' });
  await add('POST', `/collections?${PLACE}`, { name: 'A new top page', object: 'item' });
  await add('PUT', `/collections/${one}?${PLACE}`, { content: { saved: true } });
  await tree();
  await move(created, first ?? '', 0);
  await tree();
  await move(one, first ?? '', 2);
  await move(two, first ?? '', 99);
  await tree();
  await move(two, first ?? '', 1, second);
  await move(third ?? '', '', 0, second);
  await tree();
  return answers;
}

/** What must be refused, with its status only: the words are each server's own. */
async function refusals(
  ask: Ask,
  [first = '', second = '', third = '']: string[],
  pages: { id: string; parent: string }[],
): Promise<Answer[]> {
  const page = pages.find(({ parent }) => parent === first)?.id ?? '';
  const nobody = '01999999-9999-7999-8999-999999999999';
  const create = (body: object) => ask('POST', `/collections?${PLACE}`, body);
  const move = (body: object) =>
    ask('POST', `/collections/reorder?${PLACE}`, { index: 0, ...body });
  const answers = [
    await ask('GET', '/teams/main', undefined, 'grace'),
    await ask('GET', '/teams/none'),
    await ask('GET', '/collections?team_slug=check&workspace_slug=none'),
    await ask('GET', `/collections?${PLACE}`, undefined, 'grace'),
    await create({ parent: page }),
    await create({ parent: nobody }),
    await create({ content: {} }),
    await move({ id: nobody }),
    await move({ id: page, newParent: page }),
    await move({ id: page, parent: second }),
    await move({ id: page, object: 'collection' }),
    await move({ id: second, newParent: third }),
    await ask('PUT', `/collections/${first}?${PLACE}`, { content: {} }),
  ];
  return answers.map(({ status }) => ({ status, body: null }));
}

function asker({ port }: Server): Ask {
  return async (method, path, body, caller = 'ada') => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokenOf(caller)}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Ids of what was created become its name, times become a word. */
function anonymous({ status, body }: Answer, names: Map<string, string>): Answer {
  const plain = JSON.parse(JSON.stringify(body), (_key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return names.get(value) ?? (TIME.test(value) ? '<time>' : value);
  });
  return { status, body: plain };
}
