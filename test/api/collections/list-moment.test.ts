import { type Caller, somebody, startService, type TestService } from '../../support/app.js';
import { anItem, aTeam, aWorkspace } from '../../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: TestService;
let ada: Caller;
let query: string;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
  service = await startService({}, proxy.url);
  ada = service.as(somebody());
  query = (await aWorkspace(ada, await aTeam(ada))).query;
});
afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await database.drop();
});

describe('GET /collections?parent=', () => {
  test('the parent and what is below it are of one moment: one statement', async () => {
    const parent = await anItem(ada, query);
    await anItem(ada, query, { parent: parent.id, object: 'item' });
    const { statements } = await proxy.during(async () => {
      const { body } = await ada.get(`/collections${query}&parent=${parent.id}`).expect(200);
      expect(body).toHaveLength(1);
    });
    const about = statements.filter(({ text }) => text.includes('FROM collections'));
    expect(about.map(({ name }) => name)).toEqual(['tree.below']);
  });

  test('If-None-Match: * asks whether there is such a list', async () => {
    const parent = await anItem(ada, query);
    const page = await anItem(ada, query, { object: 'item' });
    const ask = (more: string) =>
      ada
        .get(`/collections${query}${more}`)
        .set('if-none-match', '*')
        .then(({ status }) => status);
    expect(await ask('')).toBe(304);
    expect(await ask(`&parent=${parent.id}`)).toBe(304);
    expect(await ask(`&parent=${page.id}`)).toBe(422);
    expect(await ask(`&parent=${crypto.randomUUID()}`)).toBe(404);
    expect(await ask('&parent=nothing')).toBe(404);
  });
});
