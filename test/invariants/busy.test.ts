import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../support/app.js';
import { anItem, aWorkspace, ok } from '../support/builders.js';
import { holdLock, holdWorkspace } from '../support/locks.js';
import { scene } from '../support/scene.js';

const at = scene({ each: 'workspace', env: { DATABASE_POOL_SIZE: '20' }, verify: true });

type Answer = Awaited<ReturnType<Caller['get']>>;

const BUSY = {
  status: 409,
  code: 'conflict',
  message:
    'this data is busy with changes by others, and nothing has happened: try again in a second',
  retryAfter: '1',
};

const told = async (request: PromiseLike<Answer>) => {
  const { status, body, headers } = await request;
  const { code, message } = body.error ?? {};
  return { status, code, message, retryAfter: headers['retry-after'] };
};

/** The requests that did not get that response. */
async function others(requests: Record<string, PromiseLike<Answer>>) {
  const answers = await Promise.all(
    Object.entries(requests).map(async ([name, request]) => [name, await told(request)] as const),
  );
  return answers.filter(([, answer]) => JSON.stringify(answer) !== JSON.stringify(BUSY));
}

test('409 with Retry-After for whatever waits for the lock of a workspace for too long, in a queue or not', async () => {
  const { ada, query, workspace } = at;
  const target = await aWorkspace(ada, at.team);
  const source = await aWorkspace(ada, at.team);
  const page = await anItem(ada, query, { object: 'item', name: 'Page' });
  const [came, copied] = [
    await anItem(ada, source.query, { object: 'item' }),
    await anItem(ada, target.query, { object: 'item' }),
  ];
  const gone = await anItem(ada, query, { object: 'item' });
  await ok(ada.delete(`/collections/${gone.id}`));
  const tree = async () => (await ada.get(`/collections${query}`)).body;
  const before = await tree();
  const lock = await holdWorkspace(at.databaseUrl, workspace.id);
  try {
    // The first one holds up all others of the queue; transfers wait in the queue of their target.
    const first = ada.put(`/collections/${page.id}`, { name: 'Renamed' }).then((answer) => answer);
    await lock.waiting(1);
    const key = (name: string) => ({ 'idempotency-key': name });
    const answers = await others({
      rename: first,
      create: ada.post(`/collections${query}`, { name: 'New' }),
      'create with a key': ada.post(`/collections${query}`, { name: 'New' }).set(key('a')),
      batch: ada.post(`/collections/batch${query}`, { items: [{}, {}] }),
      move: ada.post(`/collections/reorder${query}`, { id: page.id, index: 0 }),
      order: ada.put(`/collections/order${query}`, { parent: null, children: [page.id] }),
      patch: ada.patch(`/collections/${page.id}/content`, [{ op: 'add', path: '/a', value: 1 }]),
      delete: ada.delete(`/collections/${page.id}`),
      'delete for good': ada.delete(`/collections/${page.id}?permanent=true`),
      restore: ada.post(`/collections/trash/${gone.id}/restore`, {}),
      copy: ada.post(`/collections/${page.id}/duplicate`, {}),
      'transfer out': ada.post(`/collections/${page.id}/transfer`, { workspace_slug: target.slug }),
      'transfer in': ada.post(`/collections/${came.id}/transfer`, {
        workspace_slug: workspace.slug,
      }),
      'copy in': ada.post(`/collections/${copied.id}/duplicate`, {
        workspace_slug: workspace.slug,
      }),
      settings: ada.put(workspace.path, { description: 'New' }),
      'delete the workspace': ada.delete(workspace.path),
    });
    expect(answers).toEqual([]);
  } finally {
    await lock.release();
  }
  expect(await tree()).toEqual(before);
  // The same request succeeds now, under the same key.
  const again = ada.post(`/collections${query}`, { name: 'New' }).set({ 'idempotency-key': 'a' });
  expect((await again).status).toBe(200);
});

test('409 with Retry-After for whatever waits for the lock of a team for too long', async () => {
  const { ada, team, databaseUrl } = at;
  const path = `/teams/${team}`;
  const before = (await ada.get(path)).body;
  const lock = await holdLock(databaseUrl, 'SELECT FROM teams WHERE slug = $1 FOR UPDATE', [team]);
  try {
    const answers = await others({
      settings: ada.put(path, { description: 'New' }),
      'invite code': ada.post(`${path}/invite-code`),
      invites: ada.post(`${path}/invites`, {
        invites: [{ email: 'a@example.com', role: 'guest' }],
      }),
      workspace: ada.post(`${path}/workspaces`, { name: 'New' }),
      leave: ada.delete(`${path}/members`, { userId: 'x' }),
    });
    expect(answers).toEqual([]);
  } finally {
    await lock.release();
  }
  expect((await ada.get(path)).body).toEqual(before);
});

test('409 with Retry-After for whatever waits for several locks, one behind the other, for too long', async () => {
  const { ada, query, workspace, team, databaseUrl } = at;
  const page = await anItem(ada, query, { object: 'item' });
  const tree = async () => (await ada.get(`/collections${query}`)).body;
  const before = await tree();
  const lock = await holdWorkspace(databaseUrl, workspace.id);
  const counters = await holdLock(
    databaseUrl,
    'SELECT FROM team_usage WHERE team_id = (SELECT id FROM teams WHERE slug = $1) FOR UPDATE',
    [team],
  );
  try {
    const first = ada.put(`/collections/${page.id}`, { name: 'Renamed' }).then((answer) => answer);
    await lock.waiting(1);
    const create = () => ada.post(`/collections${query}`, { object: 'item' });
    // It waits in the queue until the first one gives up, then for the workspace, then for the counters.
    await sleep(1_500);
    const second = told(create());
    expect(await told(first)).toEqual(BUSY);
    await lock.waiting(1);
    await sleep(3_000);
    await lock.release();
    expect(await second).toEqual(BUSY);
  } finally {
    await lock.release();
    await counters.release();
  }
  expect(await tree()).toEqual(before);
});
