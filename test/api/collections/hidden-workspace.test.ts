import { type Caller, somebody, startService, type TestService } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.js';
import { testInside } from '../../support/inside.js';
import { aMember } from '../../support/people.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: TestService;
let ada: Caller;
let team: string;
let eve: Caller;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
  service = await startService({}, proxy.url);
  ada = service.as(somebody());
  team = await aTeam(ada);
  eve = service.as(await aMember(service, team, 'member'));
  await ok(eve.get('/teams'));
});
afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await database.drop();
});

/** Statements and round trips tell what a response's time would tell. */
testInside(
  'a write to a hidden workspace costs what one to a workspace that does not exist costs',
  async () => {
    const hidden = await aWorkspace(ada, team, { name: 'Hidden', visibility: 'private' });
    const page = await anItem(ada, hidden.query, { object: 'item' });
    // Everything is prepared and remembered that can be.
    await ok(ada.put(`/collections/${page.id}${hidden.query}`, { name: 'Known' }));
    const writes: Record<string, (query: string) => PromiseLike<{ status: number; text: string }>> =
      {
        createCollection: (query) => eve.post(`/collections${query}`, { name: 'Mine' }),
        createCollections: (query) =>
          eve.post(`/collections/batch${query}`, { items: [{ name: 'Mine' }] }),
        reorderItem: (query) => eve.post(`/collections/reorder${query}`, { id: page.id, index: 0 }),
        orderCollections: (query) =>
          eve.put(`/collections/order${query}`, { parent: null, children: [page.id] }),
        updateCollection: (query) => eve.put(`/collections/${page.id}${query}`, { name: 'Mine' }),
        deleteCollection: (query) => eve.delete(`/collections/${page.id}${query}`),
      };
    const absent = hidden.query.replace(hidden.slug, 'not-there');
    for (const [name, write] of Object.entries(writes)) {
      const seen = [];
      for (const query of [absent, hidden.query]) {
        let answer: { status: number; text: string } | undefined;
        const { statements, roundTrips } = await proxy.during(async () => {
          answer = await write(query);
        });
        const texts = statements.map(({ text }) => text).filter((text) => text !== 'DISCARD PLANS');
        seen.push({ name, status: answer?.status, body: answer?.text, texts, roundTrips });
      }
      expect(seen[0]?.status).toBe(404);
      expect(seen[1]).toEqual(seen[0]);
    }
  },
);
