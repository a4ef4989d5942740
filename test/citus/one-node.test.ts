import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok, theTree } from '../support/builders.js';
import { sql } from '../support/sql.js';

let service: TestService;
let ada: Caller;
let team: string;
let query: string;
let path: string;
let folder: string;
let page: string;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_PER_MINUTE: '0' });
  ada = service.as(somebody());
  team = await aTeam(ada);
  ({ query, path } = await aWorkspace(ada, team));
  folder = (await anItem(ada, query)).id;
  page = (await anItem(ada, query, { object: 'item', parent: folder })).id;
  await theTree(ada, query);
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

describe('asks the one node that has the team', () => {
  const operations: Record<
    string,
    () => PromiseLike<{ status: number; text: string; body: unknown }>
  > = {
    'GET /teams/{team_slug}': () => ada.get(`/teams/${team}`),
    'PUT /teams/{team_slug}': () => ada.put(`/teams/${team}`, { name: 'Other' }),
    'GET /teams/{team_slug}/members': () => ada.get(`/teams/${team}/members`),
    'POST /teams/{team_slug}/workspaces': () =>
      ada.post(`/teams/${team}/workspaces`, { name: 'Second' }),
    'GET /teams/{team_slug}/workspaces': () => ada.get(`/teams/${team}/workspaces`),
    'PUT …/workspaces/{workspace_slug}': () => ada.put(path, { visibility: 'private' }),
    'GET …/workspaces/{workspace_slug}/members': () => ada.get(`${path}/members`),
    'POST /collections': () => ada.post(`/collections${query}`, { object: 'item', parent: folder }),
    'GET /collections': () => ada.get(`/collections${query}`),
    'GET /collections/search': () => ada.get(`/collections/search${query}&q=folder`),
    'GET /teams/{team_slug}/search': () => ada.get(`/teams/${team}/search?q=folder`),
    'GET /collections, a part': () => ada.get(`/collections${query}&limit=1&include=content`),
    'GET /collections/{id} in a workspace': () => ada.get(`/collections/${folder}${query}`),
    'PUT /collections/{id} in a workspace': () =>
      ada.put(`/collections/${page}${query}`, { name: 'New', content: { a: 1 } }),
    'POST /collections/reorder': () =>
      ada.post(`/collections/reorder${query}`, { id: page, index: 0, newParent: null }),
    'DELETE /collections/{id} in a workspace': () => ada.delete(`/collections/${page}${query}`),
    'GET /collections/trash': () => ada.get(`/collections/trash${query}`),
    'POST /collections/trash/{id}/restore in a workspace': () =>
      ada.post(`/collections/trash/${page}/restore${query}`, {}),
    'DELETE /collections/{id} in a workspace, for good': () =>
      ada.delete(`/collections/${page}${query}&permanent=true`),
    'DELETE /collections/trash': () => ada.delete(`/collections/trash${query}`),
  };
  test.each(Object.keys(operations))('%s', async (name) => {
    const before = await fannedOut();
    await ok((operations[name] as () => ReturnType<Caller['get']>)());
    expect((await fannedOut()) - before).toBe(0);
  });
});

/** The count when the purge that a request has woken is over. */
async function fannedOutByPurges(): Promise<number> {
  let count = await fannedOut();
  for (let before = -1; count !== before; count = await fannedOut()) {
    before = count;
    await sleep(1000);
  }
  return count;
}

test('asks every node only for what names no team: an item or a deletion by its id alone, the caller’s teams', async () => {
  const { id } = await anItem(ada, query);
  await ok(ada.delete(`/collections/${id}${query}`));
  const before = await fannedOutByPurges();
  await ok(ada.get(`/collections/${folder}`));
  await ok(ada.get('/teams'));
  await ok(ada.post(`/collections/trash/${id}/restore`, {}));
  expect((await fannedOut()) - before).toBe(3);
});
