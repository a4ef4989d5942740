import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser, Locator, Page } from 'playwright-core';
import { tokenOf } from '../support/app.js';
import { CHROMIUM, DESKTOP, launch, PHONE, screenshot } from '../support/browser.js';
import { anItem, ok, theTree } from '../support/builders.js';
import { describeWith } from '../support/programs.js';
import { scene } from '../support/scene.js';

/** In the page: the names in a list, with those below a collection in parentheses. */
const TEXT_OF = `function textOf(list) {
  return [...list.children].map(({ children: [row, below] }) => {
    const inner = below ? textOf(below) : '';
    return row.textContent + (inner && '(' + inner + ')');
  }).join(' ');
}`;

describeWith('chromium', CHROMIUM)('the example app', () => {
  let server: ChildProcess;
  let address: string;
  let browser: Browser;
  let page: Page;
  let errors: string[];

  /** The page's server; resolves to its address. */
  async function serve(): Promise<string> {
    const env = { ...process.env, PORT: '0' };
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    server = spawn(process.execPath, ['examples/tree-app/serve.js'], { env, stdio: [...stdio] });
    if (!server.stdout) throw new Error('it has no output');
    const [line] = await once(createInterface(server.stdout), 'line');
    return line as string;
  }

  const env = async () => {
    address = await serve();
    return { CORS_ORIGINS: address };
  };
  const at = scene({ env, once: 'team', each: 'workspace' });
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.kill();
  });
  afterEach(async () => {
    await page.context().close();
    expect(errors).toEqual([]);
  });

  /** Opens the page on this test's workspace. */
  async function open(viewport = DESKTOP, token = tokenOf(at.ada.person)) {
    const context = await browser.newContext({ viewport });
    context.setDefaultTimeout(60_000);
    page = await context.newPage();
    errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(address);
    await page.getByLabel('Service').fill(at.url);
    await page.getByLabel('Team').fill(at.team);
    await page.getByLabel('Workspace').fill(at.workspace.slug);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button').click();
  }

  const row = (name: string): Locator => page.locator('.row', { hasText: new RegExp(`^${name}$`) });
  const inTree = (text: string) =>
    page.waitForFunction(
      `(${TEXT_OF})(document.querySelector('#tree')) === ${JSON.stringify(text)}`,
    );
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const item = (name: string, parent?: string, object = 'item') =>
    anItem(at.ada, at.query, { name, object, ...(parent && { parent }) });
  const named = async () => (await theTree(at.ada, at.query)).map(({ name }) => name);

  test('shows the tree; drag and drop moves items among siblings and into collections', async () => {
    const guides = await item('Guides', undefined, 'collection');
    await item('First', guides.id);
    await item('Second', guides.id);
    await item('Notes');
    await open();
    await inTree('Guides(First Second) Notes');
    await said('Live.');
    await screenshot(page, 'tree-app-desktop');

    await row('Second').dragTo(row('First'), { targetPosition: { x: 40, y: 2 } });
    await inTree('Guides(Second First) Notes');
    await row('Notes').dragTo(row('Guides'));
    await inTree('Guides(Second First Notes)');
    await row('First').dragTo(row('Guides'), { targetPosition: { x: 40, y: 2 } });
    await inTree('First Guides(Second Notes)');
    await row('First').dragTo(row('Guides'), { targetPosition: { x: 40, y: 27 } });
    await inTree('Guides(Second Notes) First');
    expect(await named()).toEqual(['Guides', 'First']);
  }, 180_000);

  test('a collection cannot be dropped into itself', async () => {
    const guides = await item('Guides', undefined, 'collection');
    await item('First', guides.id);
    await open();
    await inTree('Guides(First)');
    await row('Guides').dragTo(row('First'));
    await row('First').dragTo(row('Guides'), { targetPosition: { x: 40, y: 2 } });
    await inTree('First Guides');
  }, 180_000);

  test('F2 and a double click rename; Escape does not; an error is shown', async () => {
    const { id } = await item('First');
    await open(PHONE);
    await inTree('First');
    await screenshot(page, 'tree-app-phone');
    await row('First').focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('Day one');
    await page.keyboard.press('Enter');
    await inTree('Day one');
    await row('Day one').dblclick();
    await page.keyboard.type('Nothing');
    await page.keyboard.press('Escape');
    await inTree('Day one');
    expect(await named()).toEqual(['Day one']);
    await row('Day one').dblclick();
    await page.keyboard.type('Gone');
    await ok(at.ada.delete(`/collections/${id}`));
    await page.keyboard.press('Enter');
    await page.locator('#status.failed').waitFor();
    await inTree('');
  }, 180_000);

  test('the changes of others appear at once', async () => {
    await open();
    // Less than a request of the feed waits.
    page.setDefaultTimeout(20_000);
    await said('Live.');
    const guides = await item('Guides', undefined, 'collection');
    const first = await item('First');
    await inTree('Guides First');
    await ok(at.ada.put(`/collections/${first.id}`, { name: 'Day one', parent: guides.id }));
    await inTree('Guides(Day one)');
    await ok(at.ada.delete(`/collections/${guides.id}`));
    await inTree('');
  }, 180_000);

  test('a token that is not valid is an error', async () => {
    await open(DESKTOP, 'none');
    await page.locator('#status.failed', { hasText: 'token' }).waitFor();
  }, 180_000);
});
