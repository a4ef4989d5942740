import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { runReadme } from '../support/packages.js';

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(async () => {
  await removeFolders();
  await service.stop();
});

/** Runs the code of a guide after the quick start. @returns what it prints */
async function run(guide: string): Promise<string[]> {
  const person = somebody('Ada');
  const ada = service.as(person);
  await ok(ada.post('/teams', { name: 'Acme', slug: 'acme' }));
  await ok(ada.post('/teams/acme/workspaces', { name: 'Handbook' }));
  const query = '?team_slug=acme&workspace_slug=handbook';
  const guides = await anItem(ada, query, { name: 'Guides' });
  for (const [name, text] of [
    ['First day', 'Welcome!'],
    ['Holidays', 'Ask Ada.'],
  ]) {
    await anItem(ada, query, { name, object: 'item', parent: guides.id, content: { text } });
  }
  return runReadme({
    folder: await aFolder(),
    packages: { 'teamspaces-client': 'clients/typescript' },
    page: `docs/guides/${guide}.md`,
    env: { TEAMSPACES_URL: service.url, TEAMSPACES_TOKEN: tokenOf(person) },
  });
}

test('the editor saves, notices what somebody else has saved, and saves over it when told', async () => {
  expect(await run('editor')).toEqual([
    'true',
    'Welcome! Eve has your badge.',
    'true Welcome! Bob has your badge and your keys.',
  ]);
}, 240_000);

test('the sidebar shows what others create and move', async () => {
  const below = ['  First day', '  Holidays'];
  expect(await run('sidebar')).toEqual(['Guides', ...below, 'Map', 'Guides', ...below]);
}, 240_000);

test('the search index finds what was saved since it was last updated', async () => {
  expect(await run('search-index')).toEqual(['[]', "[ 'Holidays' ]"]);
}, 240_000);
