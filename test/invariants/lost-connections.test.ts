import { anItem, aTeam, aWorkspace, type ItemBody, theTree } from '../support/builders.js';
import type { Decision } from '../support/database-proxy.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, usageOf } from '../support/tree.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0},"pro":{"pages":4}}' },
  once: 'team',
  each: 'workspace',
  verify: true,
  proxied: true,
});
afterEach(() => {
  at.proxy.decide = () => 'pass';
});

/** Cuts the first connection that sends this statement, and no other. */
function cutOnce(isIt: (name: string, text: string) => boolean, decision: Decision): () => boolean {
  let wasCut = false;
  at.proxy.decide = ({ name, text }) => {
    if (wasCut || !isIt(name, text)) return 'pass';
    wasCut = true;
    return decision;
  };
  return () => wasCut;
}

/** The names of the workspace's pages. */
async function pages(): Promise<string[]> {
  const items = everyItem(await theTree(at.ada, at.query)).filter(
    ({ object }) => object === 'item',
  );
  return items.map(({ name }) => name);
}

const create = (name: string, parent?: string) =>
  at.ada.post(`/collections${at.query}`, { name, object: 'item', parent });

const isCommit = (_: string, text: string) => text === 'COMMIT';
/** What commits: COMMIT, or the only statement of a command alone. */
const isLast = (name: string, text: string) => text === 'COMMIT' || name.includes('Guarded');
const isLock = (name: string) => name === 'tree.lock';
const isRead = (name: string) => name.startsWith('workspaces.find.');

describe('a request alone', () => {
  test.each<[string, (name: string, text: string) => boolean, Decision]>([
    ['before its read arrives', isRead, 'cut before'],
    ['after its read', isRead, 'cut after'],
    ['before its write arrives', isLast, 'cut before'],
    ['after its write, before the answer', isLast, 'cut after'],
  ])('cut %s: no double, and the next one works', async (_, isIt, decision) => {
    const wasCut = cutOnce(isIt, decision);
    const { status } = await create('Alone');
    expect(wasCut()).toBe(true);
    const isDone = status === 200 || (isIt === isLast && decision === 'cut after');
    expect([200, 500]).toContain(status);
    expect(await pages()).toEqual(isDone ? ['Alone'] : []);
    expect((await create('Next')).status).toBe(200);
    expect(await pages()).toEqual(isDone ? ['Alone', 'Next'] : ['Next']);
  });
});

test('an update whose children cannot be read back is not reported as failed', async () => {
  const { id } = await anItem(at.ada, at.query, { name: 'Before' });
  at.proxy.decide = ({ name }) => (name === 'items.children' ? 'cut before' : 'pass');
  const { status, body } = await at.ada.put(`/collections/${id}${at.query}`, { name: 'After' });
  expect(status).toBe(500);
  expect(body.error.message).toContain('the outcome of this change is unknown');
  expect((await theTree(at.ada, at.query)).map(({ name }) => name)).toEqual(['After']);
});

describe('requests that are committed together', () => {
  const names = Array.from({ length: 24 }, (_, n) => `Page ${n}`);

  test.each<[string, (name: string, text: string) => boolean, Decision]>([
    ['before the lock', isLock, 'cut before'],
    ['between its two messages', isLock, 'cut after'],
    ['before COMMIT', isCommit, 'cut before'],
    ['after COMMIT, before the answers', isCommit, 'cut after'],
  ])('cut %s: each is there once or not at all, and none is doubled', async (_, isIt, decision) => {
    const shelf = (await anItem(at.ada, at.query)).id;
    let isBatch = false;
    // Only what is behind the lock is a batch.
    const wasCut = cutOnce((name, text) => {
      isBatch ||= isLock(name);
      return isBatch && isIt(name, text);
    }, decision);
    const answers = await Promise.all(names.map((name) => create(name, shelf)));
    expect(wasCut()).toBe(true);
    const there = await pages();
    expect(new Set(there).size).toBe(there.length);
    for (const [n, { status }] of answers.entries()) {
      expect([200, 500]).toContain(status);
      if (status === 200) expect(there).toContain(names[n]);
    }
    const failed = names.filter((_name, n) => answers[n]?.status === 500);
    // What was lost before its commit is done again; after that, nobody can know.
    expect(failed.length > 0).toBe(isIt === isCommit);
    // A batch is there as a whole or not at all.
    const failedAndThere = failed.filter((name) => there.includes(name));
    expect([0, failed.length]).toContain(failedAndThere.length);
    expect(failedAndThere.length > 0).toBe(decision === 'cut after' && isIt === isCommit);
    expect((await create('Next', shelf)).status).toBe(200);
  });

  test('cut before the lock, and then past the limit of the plan: only what is past it fails', async () => {
    const limited = await aTeam(at.ada);
    await sql(at.databaseUrl, "UPDATE teams SET plan = 'pro' WHERE slug = $1", [limited]);
    const place = `/collections${(await aWorkspace(at.ada, limited)).query}`;
    const wasCut = cutOnce(isLock, 'cut before');
    const answers = await Promise.all(
      names.map((name) => at.ada.post(place, { name, object: 'item' })),
    );
    expect(wasCut()).toBe(true);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(4).fill(200), ...Array(20).fill(403)]);
    expect((await usageOf(at.ada, limited)).pages).toBe(4);
  });

  test('connections that are cut at every tenth COMMIT: what was answered 200 is there once', async () => {
    const shelf = (await anItem(at.ada, at.query)).id;
    let commits = 0;
    at.proxy.decide = ({ text }) => {
      if (text !== 'COMMIT' || ++commits % 10 !== 0) return 'pass';
      return commits % 20 === 0 ? 'cut before' : 'cut after';
    };
    const statuses = new Map<string, number>();
    const client = async (number: number) => {
      for (let step = 0; step < 20; step++) {
        const name = `Page ${number}-${step}`;
        statuses.set(name, (await create(name, shelf)).status);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, number) => client(number)));
    at.proxy.decide = () => 'pass';
    const there = await pages();
    expect(new Set(there).size).toBe(there.length);
    const acknowledged = [...statuses].filter(([, status]) => status === 200);
    for (const [name] of acknowledged) expect(there).toContain(name);
    expect([...new Set(statuses.values())].sort()).toEqual([200, 500]);
  });
});

describe('other writes', () => {
  test('a move, a save, an order and a delete whose commit was not heard of are done once', async () => {
    const shelf = (await anItem(at.ada, at.query)).id;
    const made: ItemBody[] = [];
    for (const name of ['A', 'B', 'C']) {
      made.push(await anItem(at.ada, at.query, { name, object: 'item', parent: shelf }));
    }
    const [a, b, c] = idsOf(made);
    const { pages: before } = await usageOf(at.ada, at.team);
    const writes = [
      () => at.ada.post(`/collections/reorder${at.query}`, { id: a, index: 2 }),
      () => at.ada.put(`/collections/${b}${at.query}`, { content: { x: 1 } }),
      () => at.ada.put(`/collections/order${at.query}`, { parent: shelf, children: [a, c, b] }),
      () => at.ada.delete(`/collections/${c}${at.query}`),
    ];
    for (const write of writes) {
      const wasCut = cutOnce(isLast, 'cut after');
      expect((await write()).status).toBe(500);
      expect(wasCut()).toBe(true);
    }
    const [top] = await theTree(at.ada, at.query);
    expect(idsOf(top?.children ?? [])).toEqual([a, b]);
    expect((await at.ada.get(`/collections/${b}`)).body).toMatchObject({ content: { x: 1 } });
    expect((await usageOf(at.ada, at.team)).pages).toBe(before - 1);
  });

  test('an invite whose commit was not heard of is of unknown outcome, and safe to send again', async () => {
    const invite = (key: string, email: string) =>
      at.ada
        .post(`/teams/${at.team}/invites`, { invites: [{ email, role: 'guest' }] })
        .set('idempotency-key', key);
    for (const decision of ['cut before', 'cut after'] as const) {
      const email = `${decision.replace(' ', '-')}@example.com`;
      const wasCut = cutOnce(isCommit, decision);
      const { status, body } = await invite(decision.replace(' ', '-'), email);
      expect(wasCut()).toBe(true);
      expect(status).toBe(500);
      expect(body.error.message).toMatch(
        /outcome of this change is unknown.* same Idempotency-Key is safe/,
      );
      const again = await invite(decision.replace(' ', '-'), email);
      expect(again.status).toBe(200);
      expect(again.headers['idempotent-replayed']).toBe(
        decision === 'cut after' ? 'true' : undefined,
      );
    }
  });

  test('a read whose connection is cut is answered all the same', async () => {
    const shelf = (await anItem(at.ada, at.query)).id;
    for (const name of ['workspaces.find', 'items.findAndRead']) {
      for (const decision of ['cut before', 'cut after'] as const) {
        const wasCut = cutOnce((given) => given === name, decision);
        const path =
          name === 'items.findAndRead' ? `/collections/${shelf}` : `/collections${at.query}`;
        expect((await at.ada.get(path)).status).toBe(200);
        expect(wasCut()).toBe(true);
      }
    }
  });
});
