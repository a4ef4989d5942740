import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { runReadme } from '../support/packages.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await removeFolders();
  await service.stop();
});

test('the code of the README compiles and runs against the packed package', async () => {
  const lines = await runReadme({
    folder: await aFolder(),
    packages: { 'teamspaces-client': 'clients/typescript' },
    env: { TEAMSPACES_URL: service.url, TEAMSPACES_TOKEN: tokenOf(somebody('Ada')) },
  });
  expect(lines).toEqual([
    'First day: what to bring, and whom to meet is at first-day-what-to-bring-and-whom-to-meet',
    'Guides / Your first day: what to bring, and whom to meet',
    'Your first day: what to bring, and whom to meet Your first day: what to bring, and whom to meet [Welcome]!',
    'first-day-what-to-bring-and-whom-to-meet',
    "[ 'Guides: 1' ]",
    'slug acme-docs is already taken: choose another one',
    'Guides',
    '1 member',
    '2 items',
    'Welcome to Acme!',
    "[ 'Get a badge' ]",
    'Signed in as Ada',
  ]);
}, 240_000);
