import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page, Route } from 'playwright-core';
import { startService, type TestService } from '../support/app.js';
import {
  CHROMIUM,
  type Complaints,
  DESKTOP,
  launch,
  PHONE,
  screenshot,
  watch,
} from '../support/browser.js';
import { describeWith } from '../support/programs.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

interface Violation {
  id: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe finds on the page by these rules of WCAG, one line for each element. */
async function violationsOf(page: Page, runOnly: string[]): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`${AXE}; axe.run(${options})`)) as {
    violations: Violation[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The pages, and an element that each shows when it is complete. */
const PAGES: Record<string, { path: string; complete: string }> = {
  manual: { path: '/manual', complete: 'h1' },
  'manual-concepts': { path: '/manual/concepts', complete: 'h1' },
  'manual-commands': { path: '/manual/commands', complete: 'h1' },
  'manual-performance': { path: '/manual/performance', complete: 'h1' },
  errors: { path: '/api-reference/errors', complete: 'h1' },
  docs: { path: '/docs#/collections/reorderItem', complete: '.opblock.is-open .response' },
  reference: { path: '/reference', complete: '.endpoints .endpoint' },
};

describeWith('chromium', CHROMIUM)('a page', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let complaints: Complaints;
  beforeAll(async () => {
    service = await startService();
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(() => page.context().close());

  async function open(
    name: string,
    viewport: { width: number; height: number },
    colorScheme: 'light' | 'dark',
  ): Promise<void> {
    const { path, complete } = PAGES[name] ?? { path: name, complete: 'h1' };
    const context = await browser.newContext({ viewport, colorScheme });
    // Generous: a busy machine is slow, not wrong.
    context.setDefaultTimeout(120_000);
    page = await context.newPage();
    complaints = watch(page, service.url);
    await page.goto(service.url + path);
    await page.locator(complete).first().waitFor();
  }

  const SCHEMES = ['light', 'dark'] as const;

  test.each(Object.keys(PAGES).flatMap((name) => SCHEMES.map((scheme) => [name, scheme] as const)))(
    '%s has the contrast of WCAG AA in %s colours, on a desktop and on a phone',
    async (name, scheme) => {
      for (const [screen, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
        await page?.context().close();
        await open(name, viewport, scheme);
        await screenshot(page, `${name}-${screen}-${scheme}`);
        expect(await violationsOf(page, ['color-contrast'])).toEqual([]);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect([screen, width]).toEqual([screen, viewport.width]);
        expect(complaints).toEqual({ errors: [], foreign: [] });
      }
    },
    600_000,
  );

  test.each(Object.keys(PAGES).filter((name) => !/docs|reference/.test(name)))(
    '%s, which is ours alone, has no problem by WCAG AA',
    async (name) => {
      await open(name, DESKTOP, 'light');
      expect(await violationsOf(page, ['wcag2a', 'wcag2aa', 'wcag21aa'])).toEqual([]);
    },
    600_000,
  );

  test('of the manual finds a page by its text, and goes there', async () => {
    await open('manual', DESKTOP, 'light');
    const search = page.getByRole('searchbox');
    await search.fill('retries');
    const first = page.getByRole('list', { name: 'Search results' }).getByRole('link').first();
    await first.click();
    await page.waitForURL(/\/manual\/retries#retries$/);
    await search.fill('cursor');
    const hits = page.getByRole('list', { name: 'Search results' }).getByRole('link');
    await hits.first().waitFor();
    const found = await hits.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    const pages = found.map((href) => `${href}`.split('#')[0]);
    expect(pages[0]).toMatch(/manual\/changes$/);
    expect(new Set(pages).size).toBe(pages.length);
    const decisions = pages.map((path) => `${path}`.includes('/decisions'));
    expect(decisions).toEqual([...decisions].sort());
    await search.fill('restore a page');
    // A short word, which is everywhere, does not decide.
    await hits.first().and(page.getByText('Trash')).waitFor();
    await hits.nth(1).and(page.getByText('Versions of pages')).waitFor();
    await search.fill('restore');
    await hits.first().and(page.locator('[href$="manual/trash#restore"]')).waitFor();
    // No page has the second one.
    await search.fill('words qwertzuiop');
    await page.getByText('Nothing was found.').waitFor();
    expect(complaints).toEqual({ errors: [], foreign: [] });
  }, 600_000);

  /** What people call our terms, and the page that explains them. */
  const OTHER_WORDS: Record<string, string[]> = {
    changes: ['real-time', 'websocket', 'cursor', 'polling'],
    'clients/cli': ['cli'],
    'clients/mcp': ['llm'],
    'clients/typescript': ['sdk', 'client'],
    concepts: [
      'folder',
      'folders',
      'pagination',
      'rename',
      'clone',
      'optimistic locking',
      'tenant',
    ],
    configure: ['rate limit', 'throttling', 'quota', 'timeout'],
    deploy: [
      'graceful',
      'graceful shutdown',
      'k8s',
      'helm',
      'docker',
      'readiness',
      'proxy',
      'nginx',
    ],
    'generated-clients': ['python'],
    identity: ['authentication', 'sso', 'oidc', 'login', 'jwt'],
    'import-export': ['export'],
    mcp: ['chatgpt', 'copilot', 'ai assistants'],
    monitor: ['prometheus', 'metrics', 'tracing', 'logging'],
    ordering: ['bulk'],
    people: ['gdpr', 'delete user'],
    'quick-start': ['getting started', 'tutorial'],
    recover: ['backup', 'disaster recovery'],
    retries: ['idempotency', 'idempotent', 'idempotency key', 'Idempotency-Key', 'retry'],
    roles: ['permission', 'permissions', 'rbac', 'acl', 'access control'],
    sync: ['gitops'],
    trash: ['soft delete', 'recycle bin', 'undelete', 'delete'],
    'versions-of-pages': ['history', 'revision'],
    webhooks: ['notifications', 'hmac'],
  };

  test('of the manual finds first the page that explains what others call otherwise', async () => {
    await open('manual', DESKTOP, 'light');
    const search = page.getByRole('searchbox');
    const hits = page.getByRole('list', { name: 'Search results' }).getByRole('link');
    // The first search fetches the entries; after it, results are there at once.
    await search.fill('retries');
    await hits.first().waitFor();
    const found = async (words: string) => {
      await search.fill(words);
      const links = await hits.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      return links.map((href) => /manual\/(.*)#/.exec(`${href}`)?.[1]);
    };
    for (const [path, all] of Object.entries(OTHER_WORDS)) {
      for (const words of all) expect([words, (await found(words))[0]]).toEqual([words, path]);
    }
    expect((await found('subscribe')).sort()).toEqual(['changes', 'webhooks']);
    expect(complaints).toEqual({ errors: [], foreign: [] });
  }, 600_000);

  test('of the manual folds its contents on a phone', async () => {
    await open('manual-concepts', PHONE, 'light');
    const roles = page
      .getByRole('navigation', { name: 'Manual' })
      .getByRole('link', { name: 'Roles' });
    expect(await roles.isVisible()).toBe(false);
    await page.getByText('Contents', { exact: true }).click();
    await roles.click();
    await page.getByRole('heading', { level: 1, name: 'Roles' }).waitFor();
  }, 600_000);

  describe.each([
    ['/reference', 'the reference', 'scalar.js', '.endpoints .endpoint'],
    ['/docs', 'Swagger UI', 'swagger-ui-bundle.js', '.opblock'],
  ])('at %s', (path, name, script, complete) => {
    const newPage = async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext({ ...options, viewport: DESKTOP });
      context.setDefaultTimeout(120_000);
      page = await context.newPage();
    };
    const goto = () => page.goto(service.url + path, { waitUntil: 'commit' });
    const loading = () =>
      page.getByText(`Loading ${name} … If it does not appear, reload the page`);
    const notLoaded = () => page.getByText(`could not load ${name}. To try again, reload the page`);
    const document = () => page.getByRole('link', { name: 'openapi.json' });

    test('says that it loads, until it shows the document', async () => {
      await newPage();
      const requested = new Promise<Route>((resolve) => page.route(`**/${script}?*`, resolve));
      await goto();
      await loading().waitFor();
      await (await requested).continue();
      await page.locator(complete).first().waitFor();
      expect(await loading().count()).toBe(0);
    }, 600_000);

    test('says what to do if its script does not load', async () => {
      await newPage();
      await page.route(`**/${script}?*`, (route) => route.abort());
      await goto();
      await notLoaded().waitFor();
      expect(await loading().count()).toBe(0);
      expect(await violationsOf(page, ['color-contrast'])).toEqual([]);
      await document().click();
      await page.waitForURL('**/openapi.json');
    }, 600_000);

    test('says what to do if none of its scripts load', async () => {
      await newPage({ colorScheme: 'dark' });
      await page.route('**/*.js?*', (route) => route.abort());
      await page.goto(service.url + path);
      await loading().waitFor();
      expect(await document().isVisible()).toBe(true);
    }, 600_000);

    test('says what to do without JavaScript', async () => {
      await newPage({ javaScriptEnabled: false });
      await page.goto(service.url + path);
      // getByText() passes over this element.
      await page.locator('noscript .notice').waitFor();
      expect(await loading().isVisible()).toBe(false);
      expect(await page.locator('noscript a').getAttribute('href')).toBe('./openapi.json');
    }, 600_000);
  });

  test('of Swagger UI folds the introduction', async () => {
    await open('docs', DESKTOP, 'light');
    const details = page.locator('.info details');
    expect(await details.evaluate((one) => one.hasAttribute('open'))).toBe(false);
  }, 600_000);

  test('of Swagger UI folds the operations by path until they are opened, by hand or by a link', async () => {
    await open('docs', DESKTOP, 'light');
    const tags = page.locator('.opblock-tag-section');
    const folded = tags.and(page.locator(':not(.is-open)')).locator('.opblock-tag');
    expect(await folded.evaluateAll((all) => all.map((one) => one.dataset.tag))).toEqual([
      'collections by path',
    ]);
    expect(await tags.count()).toBeGreaterThan(5);
    await folded.click();
    const operation = page.locator(
      '[id="operations-collections_by_path-getCollectionsInWorkspace"]',
    );
    await operation.waitFor();
    await page.goto('about:blank');
    await page.goto(`${service.url}/docs#/collections%20by%20path/getCollectionsInWorkspace`);
    await operation.and(page.locator('.is-open')).waitFor();
    expect(complaints).toEqual({ errors: [], foreign: [] });
  }, 600_000);

  test('of Swagger UI is dark where the browser is', async () => {
    const backgroundOf = async (scheme: 'light' | 'dark') => {
      await page?.context().close();
      await open('docs', DESKTOP, scheme);
      const script = 'getComputedStyle(document.querySelector(".swagger-ui")).color';
      return page.evaluate(script);
    };
    expect([await backgroundOf('light'), await backgroundOf('dark')]).toEqual([
      'rgb(59, 65, 81)',
      'rgb(228, 230, 230)',
    ]);
  }, 600_000);

  test('of the manual shows drawings and wide code on a phone so that they can be read', async () => {
    await open('manual-concepts', PHONE, 'light');
    const widthOf = async () =>
      page.locator('.picture img').evaluateAll((all) => all.map((one) => one.clientWidth));
    expect(await widthOf()).toEqual([720]);
    const hints = await page.getByText('Scroll sideways').count();
    expect(hints).toBeGreaterThan(1);
    await page.context().close();
    await open('/manual/performance', PHONE, 'light');
    expect(await widthOf()).toEqual([720]);
    await page.context().close();
    await open('manual-concepts', DESKTOP, 'light');
    expect(await page.getByText('Scroll sideways').count()).toBe(0);
  }, 600_000);

  test('of the manual shows the rows of a cramped table as cards on a phone', async () => {
    const displayOf = () =>
      page.evaluate(
        'Object.fromEntries([...document.querySelectorAll("main tr:last-child")].map((row) => [row.cells[0].textContent, getComputedStyle(row).display]))',
      );
    await open('/manual/configure', PHONE, 'light');
    expect(await displayOf()).toMatchObject({
      SHUTDOWN_DELAY_MS: 'block',
      enterprise: 'table-row',
    });
    const label = await page.evaluate(
      'getComputedStyle(document.querySelector("td[data-label=Default]"), "::before").content',
    );
    expect(label).toBe('"Default: "');
    await page.context().close();
    await open('/manual/configure', DESKTOP, 'light');
    expect(await displayOf()).toMatchObject({ SHUTDOWN_DELAY_MS: 'table-row' });
  }, 600_000);

  test('that is not there is a page for a browser, in the colours of the others', async () => {
    await open('/teams/acme/nothing/here', DESKTOP, 'dark');
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    // Not in the column of a table of contents that it does not have.
    expect(await page.locator('main').evaluate((one) => one.clientWidth)).toBeGreaterThan(600);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(18, 22, 29)',
    );
    await page.getByRole('link', { name: 'manual', exact: true }).click();
    await page.waitForURL(/\/manual$/);
  }, 600_000);

  test('leads to the other pages', async () => {
    await open('/', DESKTOP, 'light');
    for (const [name, path] of Object.entries({
      Manual: '/manual',
      'Swagger UI': '/docs',
      Errors: '/api-reference/errors',
      Reference: '/reference',
    })) {
      await page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name }).click();
      await page.waitForURL(service.url + path);
    }
  }, 600_000);
});
