import type { PageIndexer } from '../../src/collections/search/page-indexer.js';
import type { TrashPurge } from '../../src/collections/trash/trash-purge.js';
import type { DeliveryScheduler } from '../../src/webhooks/delivery/delivery-scheduler.js';
import type { WebhookSender } from '../../src/webhooks/delivery/webhook-sender.js';
import { aWorld, OPERATIONS, type Operation, type World } from '../contract/operations.js';
import { type InsideService, somebody, startServiceInside } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { WEBHOOK_ENV } from '../support/receiver.js';
import { sql } from '../support/sql.js';

let service: InsideService;
let world: World;
beforeAll(async () => {
  const PLAN_LIMITS = '{"free":{"pages":0,"users":0,"workspaces":0}}';
  service = await startServiceInside({ PLAN_LIMITS, ...WEBHOOK_ENV });
  // They would run beside what is counted, over all teams.
  service.provider<TrashPurge>('TrashPurge').wake = () => undefined;
  service.provider<PageIndexer>('PageIndexer').wake = () => undefined;
  service.provider<DeliveryScheduler>('DeliveryScheduler').wake = () => undefined;
  service.provider<WebhookSender>('WebhookSender').wake = () => undefined;
  world = await aWorld(service, service.as(somebody()));
});
afterAll(() => service.stop());

/** Statements that asked several shards, since the database was made. */
async function fannedOut(): Promise<number> {
  const [row] = await sql<{ count: number }>(
    service.databaseUrl,
    `SELECT query_execution_multi_shard::int AS count FROM citus_stat_counters
     WHERE name = current_database()`,
  );
  return row?.count ?? Number.NaN;
}

async function fannedOutBy(operation: Operation): Promise<number> {
  const call = await operation(world);
  const before = await fannedOut();
  const { status } = await call();
  expect([200, 304]).toContain(status);
  return (await fannedOut()) - before;
}

/** What names no team: a statement looks on every node for the item or the deletion, or for the caller's teams. */
const ON_EVERY_NODE = [
  'deleteCollection, a collection',
  'deleteCollection, a page',
  'deleteCollection, for good',
  'duplicateCollection',
  'duplicateCollection, replayed',
  'getCollection',
  'getTeams',
  'getVersion',
  'getVersions',
  'patchContent',
  'patchContent, with a new Idempotency-Key',
  'purgeFromTrash',
  'purgeVersions',
  'restoreFromTrash',
  'restoreFromTrash, replayed',
  'restoreVersion',
  'restoreVersion, with a new Idempotency-Key',
  'transferCollection',
  'updateCollection, a collection',
  'updateCollection, a rename',
  'updateCollection, content',
  'updateCollection, content of somebody else',
];

test('one node has all that an operation asks for, but for what names no team', async () => {
  const counts: [string, number][] = [];
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    counts.push([name, await fannedOutBy(operation)]);
  }
  const others = counts.filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(others).toEqual(ON_EVERY_NODE.map((name) => [name, 1]));
});

/** A new page by its id, in the workspace that is named. */
const inWorkspace =
  (request: (world: World, at: (rest?: string) => string) => PromiseLike<{ status: number }>) =>
  async (w: World) => {
    const { query } = w.workspace;
    const { id } = await anItem(w.ada, query, { object: 'item', content: { by: 'Ada' } });
    await ok(w.bob.put(`/collections/${id}${query}`, { content: { by: 'Bob' } }));
    return () => request(w, (rest = '') => `/collections/${id}${rest}${query}`);
  };
const TEXT = { content: { n: 1 } };
const IN_WORKSPACE: Record<string, Operation> = {
  updateCollection: inWorkspace((w, at) => w.ada.put(at(), TEXT)),
  patchContent: inWorkspace((w, at) =>
    w.ada.patch(at('/content'), [{ op: 'add', path: '/n', value: 1 }]),
  ),
  getVersions: inWorkspace((w, at) => w.ada.get(at('/versions'))),
  getVersion: inWorkspace((w, at) => w.ada.get(at('/versions/1'))),
  restoreVersion: inWorkspace((w, at) => w.ada.post(at('/versions/1/restore'))),
  purgeVersions: inWorkspace((w, at) => w.ada.delete(at('/versions'))),
  duplicateCollection: inWorkspace((w, at) => w.ada.post(at('/duplicate'), {})),
  deleteCollection: inWorkspace((w, at) => w.ada.delete(at())),
  'deleteCollection, for good': inWorkspace((w, at) => w.ada.delete(`${at()}&permanent=true`)),
};

test.each(Object.keys(IN_WORKSPACE))('%s asks one node if the workspace is named', async (name) => {
  expect(await fannedOutBy(IN_WORKSPACE[name] as Operation)).toBe(0);
});
