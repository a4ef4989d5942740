import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, somebody } from '../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';
import { everyItem, usageOf } from '../support/tree.js';
import { type TwoInstances, twoInstances } from '../support/two-instances.js';

/** Deletions of the workspace by each of two clients. */
const ROUNDS = runs(10, 200);
/** Clients that write meanwhile. */
const WRITERS = 8;

let both: TwoInstances;
let callers: [Caller, Caller];
let team: string;
beforeAll(async () => {
  both = await twoInstances({ PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' });
  callers = both.as(somebody());
});
beforeEach(async () => {
  team = await aTeam(callers[0]);
});
afterEach(() => assertInvariants(both.databaseUrl));
afterAll(() => both.stop());

/** Responses by what was asked and their status. */
type Count = Map<string, number>;
const count = (counts: Count, what: string, status: number): void => {
  const key = `${what} ${status}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** What one client knows of its writes. */
interface Written {
  /** Names of the pages that it made and did not delete. */
  pages: Set<string>;
  /** The last number that was saved to its own page. */
  saved: number;
  own: string;
}

test('writes in a workspace that is deleted and restored through two instances: what was acknowledged is there', async () => {
  const workspace = await aWorkspace(callers[0], team);
  const { query } = workspace;
  const counts: Count = new Map();
  const writers: Written[] = [];
  for (let n = 0; n < WRITERS; n++) {
    const { id } = await anItem(callers[0], query, { object: 'item', name: `own ${n}` });
    writers.push({ pages: new Set([`own ${n}`]), saved: 0, own: id });
  }
  let left = 2;
  const write = async (n: number): Promise<void> => {
    const caller = callers[n % 2] as Caller;
    const mine = writers[n] as Written;
    for (let step = 1; left > 0; step++) {
      // By the workspace, and by the item alone.
      const where = step % 2 ? query : '';
      if (step % 3 === 0) {
        const content = { number: step };
        const { status } = await caller.put(`/collections/${mine.own}${where}`, { content });
        count(counts, 'save', status);
        if (status === 200) mine.saved = step;
        continue;
      }
      const name = `page ${n} ${step}`;
      const made = await caller.post(`/collections${query}`, { object: 'item', name });
      count(counts, 'create', made.status);
      if (made.status !== 200) continue;
      mine.pages.add(name);
      if (step % 4 > 0) continue;
      const { status } = await caller.delete(`/collections/${made.body.id}${where}`);
      count(counts, 'delete', status);
      if (status === 200) mine.pages.delete(name);
    }
  };
  const toAndFro = async (caller: Caller): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      count(counts, 'workspace deleted', (await caller.delete(workspace.path)).status);
      const restore = `/teams/${team}/trash/${workspace.id}/restore`;
      count(counts, 'workspace restored', (await caller.post(restore)).status);
      await sleep(Math.random() * 20);
    }
    left--;
  };
  await Promise.all([...callers.map(toAndFro), ...writers.map((_, n) => write(n))]);

  // The last one of the two may have deleted it behind the restore of the other.
  await callers[0].post(`/teams/${team}/trash/${workspace.id}/restore`);
  expect([...counts.keys()].filter((key) => !/ (200|404)$/.test(key))).toEqual([]);
  for (const what of ['create', 'save', 'workspace deleted', 'workspace restored']) {
    expect(counts.get(`${what} 200`)).toBeGreaterThan(0);
  }
  expect(counts.get('create 404')).toBeGreaterThan(0);
  const [one, two] = await Promise.all(callers.map((caller) => theTree(caller, query)));
  expect(one).toEqual(two);
  const names = everyItem(one as ItemBody[]).map(({ name }) => name);
  expect(names.sort()).toEqual(writers.flatMap(({ pages }) => [...pages]).sort());
  for (const { own, saved } of writers) {
    const { content } = await ok<{ content: { number?: number } }>(
      callers[1].get(`/collections/${own}`),
    );
    expect(content.number ?? 0).toBe(saved);
  }
  expect(await usageOf(callers[0], team)).toMatchObject({ pages: names.length, workspaces: 1 });
});

test('of two that delete or restore a workspace at once, one succeeds', async () => {
  const { id, path } = await aWorkspace(callers[0], team);
  for (let n = 0; n < 10; n++) {
    const deleted = await both.atOnce(
      id,
      callers.map((caller) => () => caller.delete(path).then(({ status }) => status)),
    );
    expect(deleted.sort()).toEqual([200, 404]);
    expect((await usageOf(callers[0], team)).workspaces).toBe(0);
    const restored = await both.atOnce(
      id,
      callers.map(
        (caller) => () =>
          caller.post(`/teams/${team}/trash/${id}/restore`).then(({ status }) => status),
      ),
    );
    expect(restored.sort()).toEqual([200, 404]);
    expect((await usageOf(callers[0], team)).workspaces).toBe(1);
  }
  const rows = await sql(both.databaseUrl, 'SELECT FROM workspaces WHERE id = $1', [id]);
  expect(rows).toHaveLength(1);
});
