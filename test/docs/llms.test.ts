import { Manual } from '@teamspaces/manual-site/manual';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { type ItemBody, ok, theTree } from '../support/builders.js';
import { goldenDocument } from '../support/golden.js';
import { everyItem } from '../support/tree.js';

const PUBLIC_URL = 'https://teamspaces.example.com';

let service: TestService;
let text: string;
beforeAll(async () => {
  service = await startService({ PUBLIC_URL });
  const response = await service.with(null).get('/llms.txt');
  expect([response.status, response.headers['content-type']]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ]);
  text = response.text;
});
afterAll(() => service.stop());

const CALL = /^\d+\. .+: `(GET|POST|PUT|DELETE) ([^`]+)`(?: `(.+)`)?$/gm;

/** A name of the text stands for the id that the tree has for it. */
async function filled(template: string, ada: Caller): Promise<string> {
  if (!template.includes('<id of')) return template;
  const tree = everyItem(await theTree(ada, '?team_slug=acme&workspace_slug=handbook'));
  const idOf = (name: string) => `${tree.find((item: ItemBody) => item.name === name)?.id}`;
  return template.replace(/<id of ([^>]+)>/g, (_, name) => idOf(name));
}

test('its ten calls succeed, one after the other', async () => {
  const ada = service.as(somebody());
  const calls = [...text.matchAll(CALL)];
  expect(calls).toHaveLength(10);
  for (const [, method, path, body] of calls) {
    const at = await filled(`${path}`, ada);
    const sent = body === undefined ? undefined : JSON.parse(await filled(body, ada));
    const send = { GET: ada.get, POST: ada.post, PUT: ada.put, DELETE: ada.delete }[`${method}`];
    await ok(send?.(at, sent) ?? Promise.reject(new Error(`${method}`)));
  }
  const [guides] = await theTree(ada, '?team_slug=acme&workspace_slug=handbook');
  expect(guides?.children?.map(({ name }) => name)).toEqual(['Holidays', 'First day']);
});

test('it has the form of llmstxt.org, with the address that callers use', () => {
  expect(text).toMatch(/^# \S+\n\n> .+\n/);
  expect(text).toContain(`Base address: ${PUBLIC_URL}\n`);
  expect(text).not.toContain('localhost');
});

test('it lists every page of the manual, as Markdown, with what the index says of it', async () => {
  const manual = await Manual.read('.');
  const listed = [...text.matchAll(/^- \[.+?\]\((\S+)\)/gm)].map(([, link]) => `${link}`);
  const paths = manual.pages.map(({ path }) => path || 'index');
  // The page on decisions lists those of its folder.
  const written = paths.flatMap((path) =>
    path.startsWith('decisions/') ? [] : [`${PUBLIC_URL}/manual/${path}.md`],
  );
  expect(written.filter((address) => !listed.includes(address))).toEqual([]);
  expect(text).toContain(
    `- [Quick start](${PUBLIC_URL}/manual/quick-start.md): the first requests\n`,
  );
  expect(text.match(/^## .*$/gm)).toEqual(
    expect.arrayContaining(['## Use the API', '## Guides', '## Run the service']),
  );
});

test('its links lead somewhere', async () => {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => new URL(`${link}`));
  expect(links.length).toBeGreaterThan(3);
  for (const { origin, pathname } of links) {
    expect(origin).toBe(PUBLIC_URL);
    expect([pathname, (await service.with(null).get(pathname)).status]).toEqual([pathname, 200]);
  }
});

test('its operations are those of the document', () => {
  const { paths } = goldenDocument<{ paths: Record<string, object> }>();
  const templates = Object.keys(paths).map(
    (path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
  );
  for (const [, , path] of text.matchAll(CALL)) {
    const plain = `${path}`.split('?')[0]?.replace(/<[^>]+>/g, 'id') ?? '';
    expect([plain, templates.some((one) => one.test(plain))]).toEqual([plain, true]);
  }
});
