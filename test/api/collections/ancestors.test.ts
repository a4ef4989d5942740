import { type Caller, somebody, startService, type TestService } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.js';
import { testInside } from '../../support/inside.js';

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

interface WithAncestors extends ItemBody {
  ancestors: { id: string }[];
}

/** A read that sends one statement to the tree sees one moment of it. */
testInside('include=ancestors: item and ancestors are read by one statement', async () => {
  const shelf = await anItem(ada, query);
  const page = await anItem(ada, query, { parent: shelf.id, object: 'item' });
  for (const path of [
    `/collections/${page.id}${query}&include=ancestors`,
    `/collections/by-slug/${page.meta.slug}${query}&include=ancestors`,
  ]) {
    const { statements } = await proxy.during(() => ok(ada.get(path)));
    expect(statements.filter(({ text }) => text.includes('collections'))).toHaveLength(1);
  }
});

test('include=ancestors: the last ancestor is the parent, while the item moves', async () => {
  const shelves: string[] = [];
  for (const name of ['Left', 'Right']) {
    const outer = await anItem(ada, query, { name });
    shelves.push((await anItem(ada, query, { name, parent: outer.id })).id);
  }
  const page = await anItem(ada, query, { object: 'item', parent: shelves[0] });
  let isOver = false;
  const move = async () => {
    for (let n = 1; !isOver; n++) {
      const place = { id: page.id, index: 0, newParent: shelves[n % 2] };
      await ok(ada.post(`/collections/reorder${query}`, place));
    }
  };
  const read = async () => {
    for (let n = 0; n < 100; n++) {
      const path = `/collections/${page.id}${query}&include=ancestors`;
      const { parent, ancestors } = await ok<WithAncestors>(ada.get(path));
      expect([parent, ancestors.length]).toEqual([ancestors.at(-1)?.id, 2]);
    }
  };
  const moving = move();
  await Promise.all([read(), read()]).finally(() => {
    isOver = true;
  });
  await moving;
});
