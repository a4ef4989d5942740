import type { Browser, Page } from 'playwright-core';
import { somebody, startService, type TestService, tokenOf } from '../support/app.js';
import {
  CHROMIUM,
  type Complaints,
  DESKTOP,
  launch,
  PHONE,
  screenshot,
  watch,
} from '../support/browser.js';
import { anItem, ok } from '../support/builders.js';
import { describeWith } from '../support/programs.js';
import { authorize, openSwagger, showResponse, tryOut } from '../support/swagger-ui.js';

describeWith('chromium', CHROMIUM)('a person with a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  const ada = somebody('Ada');
  beforeAll(async () => {
    // Not where the page is opened: what is tried out must go to where it was.
    service = await startService({ PUBLIC_URL: 'https://teamspaces.example.com' });
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(() => page.context().close());

  /** A window on the service, which the test has to leave without a complaint. */
  async function open(viewport: { width: number; height: number }) {
    const context = await browser.newContext({ viewport });
    // Generous: a busy machine is slow, not wrong.
    context.setDefaultTimeout(120_000);
    page = await context.newPage();
    complaints = watch(page, service.url);
  }

  const place = { team_slug: 'acme', workspace_slug: 'handbook' };

  test('goes from a token to a tree in Swagger UI, and sees a conflict explained', async () => {
    await open(DESKTOP);
    await openSwagger(page, service.url);
    await screenshot(page, 'docs-desktop');
    await authorize(page, tokenOf(ada));

    expect((await tryOut(page, 'teams-createTeam')).status).toBe('200');
    expect((await tryOut(page, 'workspaces-createWorkspace')).status).toBe('200');
    const create = async (body: object) => {
      const shown = await tryOut(page, 'collections-createCollection', { parameters: place, body });
      expect(shown.status).toBe('200');
      return (JSON.parse(shown.body) as { id: string }).id;
    };
    const guides = await create({ name: 'Guides' });
    const first = await create({ name: 'First day', object: 'item', parent: guides });
    await create({ name: 'Holidays', object: 'item', parent: guides });
    const moved = await tryOut(page, 'collections-reorderItem', {
      parameters: place,
      body: { id: first, index: 1, parent: guides },
    });
    expect(moved.status).toBe('200');

    const tree = await tryOut(page, 'collections-getCollections', { parameters: place });
    await showResponse(page, 'collections-getCollections');
    await screenshot(page, 'docs-tree-desktop');
    const [top] = JSON.parse(tree.body) as { children: { name: string }[] }[];
    expect(top?.children.map(({ name }) => name)).toEqual(['Holidays', 'First day']);

    const taken = await tryOut(page, 'teams-createTeam');
    await showResponse(page, 'teams-createTeam');
    await screenshot(page, 'docs-conflict-desktop');
    expect(taken.status).toBe('409');
    expect(taken.body).toContain('slug acme is already taken');
    expect(taken.body).toContain('/api-reference/errors#conflict');

    expect(complaints.foreign).toEqual([]);
    // The browser itself reports the conflict, and nothing else.
    expect(complaints.errors).toEqual([expect.stringContaining('409')]);
  }, 600_000);

  /** All that the browser keeps for the page, and what the page keeps until it is closed. */
  async function stored(): Promise<string> {
    const kept = await page.context().storageState({ indexedDB: true });
    return JSON.stringify([kept, await page.evaluate('({ ...sessionStorage })')]);
  }

  /** Stores a token under this name, as version 0.1.0 did. */
  const storeAsBefore = (name: string, token: string) =>
    page.evaluate(`localStorage.setItem('${name}', '{"token":"${token}"}')`);

  test('stores no token in Swagger UI: a reload forgets it', async () => {
    await open(DESKTOP);
    await openSwagger(page, service.url);
    const token = tokenOf(ada);
    await authorize(page, token);
    const me = await tryOut(page, 'me-getMe');
    expect([me.status, JSON.parse(me.body).name]).toEqual(['200', 'Ada']);
    expect(await stored()).not.toContain(token);
    await storeAsBefore('authorized', token);
    await page.reload();
    await page.locator('.opblock').first().waitFor();
    expect(await stored()).not.toContain(token);
    expect((await tryOut(page, 'me-getMe')).status).toBe('401');
    expect(complaints).toEqual({ errors: [expect.stringContaining('401')], foreign: [] });
  }, 600_000);

  test('stores no token in the reference: a reload forgets it', async () => {
    await open(DESKTOP);
    await page.clock.install();
    await page.goto(`${service.url}/reference`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const token = tokenOf(ada);
    const field = page.getByPlaceholder('Token').first();
    await field.fill(token);
    // What it keeps, it writes a while later.
    await page.clock.runFor(60_000);
    expect(await stored()).not.toContain(token);
    await storeAsBefore('scalar-reference-auth-api-1', token);
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await stored()).not.toContain(token);
    expect(complaints).toEqual({ errors: [], foreign: [] });
  }, 600_000);

  test('reads a large tree as plain text, since colours would block the page', async () => {
    await open(DESKTOP);
    const owner = service.as(ada);
    await ok(owner.post('/teams', { name: 'Large', slug: 'large' }));
    await ok(owner.post('/teams/large/workspaces', { name: 'Handbook' }));
    const query = '?team_slug=large&workspace_slug=handbook';
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => anItem(owner, query, { name: `Page ${n}` })),
    );
    await openSwagger(page, service.url);
    await authorize(page, tokenOf(ada));
    const parameters = { ...place, team_slug: 'large' };
    const shown = await tryOut(page, 'collections-getCollections', { parameters });
    expect(JSON.parse(shown.body)).toHaveLength(300);
    const response = '#operations-collections-getCollections .live-responses-table';
    expect(await page.locator(`${response} .highlight-code pre span`).count()).toBe(0);
    expect(complaints).toEqual({ errors: [], foreign: [] });
  }, 600_000);

  test('reads and tries Swagger UI on a phone, without scrolling sideways', async () => {
    await open(PHONE);
    await openSwagger(page, service.url);
    await screenshot(page, 'docs-phone');
    await authorize(page, tokenOf(ada));
    await tryOut(page, 'me-getMe');
    await screenshot(page, 'docs-answer-phone');
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(PHONE.width);
    expect(complaints).toEqual({ errors: [], foreign: [] });
  }, 600_000);

  test.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])(
    'reads the reference with code samples on a %s',
    async (name, viewport) => {
      await open(viewport);
      await page.goto(`${service.url}/reference`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await screenshot(page, `reference-${name}`);
      await page.goto(`${service.url}/reference#tag/teams/POST/teams`);
      await page.getByText('Create a team').first().waitFor();
      await screenshot(page, `reference-operation-${name}`);
      expect(complaints).toEqual({ errors: [], foreign: [] });
    },
    600_000,
  );
});
