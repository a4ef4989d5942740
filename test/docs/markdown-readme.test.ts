import { join } from 'node:path';
import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { aFolder, filesIn, removeFolders } from '../support/folders.js';
import { runReadme } from '../support/packages.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await removeFolders();
  await service.stop();
});

test('the code of the README compiles and runs against the packed packages', async () => {
  const person = somebody('Ada');
  const ada = service.as(person);
  await ada.post('/teams', { name: 'Acme', slug: 'acme' });
  await ada.post('/teams/acme/workspaces', { name: 'Handbook' });
  await ada.post('/teams/acme/workspaces', { name: 'Published' });
  const docs = { '1-hello.md': '---\ntitle: Hello\n---\n# Hello\n', 'guides/a.md': 'a' };
  const folder = await aFolder({ 'docs/1-hello.md': docs['1-hello.md'], 'docs/guides/a.md': 'a' });
  const lines = await runReadme({
    folder,
    packages: {
      'teamspaces-client': 'clients/typescript',
      'teamspaces-markdown': 'clients/markdown',
    },
    env: { TEAMSPACES_URL: service.url, TEAMSPACES_TOKEN: tokenOf(person) },
  });
  expect(lines).toEqual([
    '2 to create, 0 are there',
    '3 of 3',
    '[]',
    '3 created, 0 updated, 0 moved, 0 pruned',
    '2 pages in 1 folders',
    'acme has no handbok',
  ]);
  expect(await filesIn(join(folder, 'docs-again'))).toEqual(docs);
}, 240_000);
