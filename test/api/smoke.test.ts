import { somebody, startService, type TestService } from '../support/app.js';
import { aTeam, aWorkspace, anItem, theTree } from '../support/builders.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('works', async () => {
  const ada = service.as(somebody());
  const team = await aTeam(ada);
  const { query } = await aWorkspace(ada, team);
  await anItem(ada, query, { name: 'A' });
  expect(await theTree(ada, query)).toHaveLength(1);
});
