import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { aTeam, aWorkspace, ok } from '../support/builders.js';
import { assertInvariants } from '../support/invariants.js';
import { sql } from '../support/sql.js';
import { putRows, usageOf } from '../support/tree.js';

const COUNT = 10_000;

/** Milliseconds: a plan that reads the workspace for each row takes minutes. */
const BOUND = 3_000;

// Each on a database of its own, where the statistics know one list and nothing else.
let service: TestService;
let ada: Caller;
let team: string;
let workspace: Awaited<ReturnType<typeof aWorkspace>>;
beforeEach(async () => {
  const env = { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}', RATE_LIMIT_PER_MINUTE: '0' };
  service = await startService(env);
  ada = service.as(somebody());
  team = await aTeam(ada);
  workspace = await aWorkspace(ada, team);
});
afterEach(async () => {
  await assertInvariants(service.databaseUrl);
  await service.stop();
});

const analyze = () => sql(service.databaseUrl, 'ANALYZE');

/** A collection with 10,000 children, every other one a page; answers its id and theirs. */
function aLargeList(): Promise<string[]> {
  const children = Array.from({ length: COUNT }, (_, n) => ({
    object: n % 2 === 0 ? ('item' as const) : ('collection' as const),
    parent: 0,
  }));
  return putRows(service.databaseUrl, workspace.id, [{ object: 'collection' }, ...children]);
}

/** Plans of a connection that were made while the table was empty. */
async function planEarly(): Promise<void> {
  const items = [{ children: [{ children: [{ object: 'item' }] }] }];
  for (let time = 0; time < 3; time++) {
    const [made] = await ok<{ id: string }[]>(
      ada.post(`/collections/batch${workspace.query}`, { items }),
    );
    await ok(ada.delete(`/collections/${made?.id}${workspace.query}`));
  }
}

const order = ([parent, ...children]: readonly string[]) =>
  ok(ada.put(`/collections/order${workspace.query}`, { parent, children: children.toReversed() }));

test.each([
  ['collection', 'never analyzed', []],
  ['collection', 'analyzed', [analyze]],
  ['workspace', 'analyzed', [analyze]],
  ['collection', 'analyzed, then put in order', [analyze, order]],
  ['workspace', 'put in order, then analyzed', [order, analyze]],
])(
  'where one list of 10,000 is all there is, it goes with its %s at once: %s',
  async (what, state, steps) => {
    await planEarly();
    const list = await aLargeList();
    for (const step of steps) await step(list);
    const path =
      what === 'workspace' ? workspace.path : `/collections/${list[0]}${workspace.query}`;
    const start = performance.now();
    await ok(ada.delete(path));
    const took = Math.round(performance.now() - start);
    process.stdout.write(`large: ${COUNT} children, ${state}: ${what} deleted in ${took} ms\n`);
    expect(took).toBeLessThan(BOUND);
    expect(await sql(service.databaseUrl, 'SELECT 1 FROM collections')).toEqual([]);
    expect((await usageOf(ada, team)).pages).toBe(0);
  },
);
