import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { jest } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page, Request, Route } from 'playwright-core';
import { signToken } from '../../clients/cli/src/token.js';
import { SECRET, tokenOf } from '../support/app.js';
import { CHROMIUM, DESKTOP, launch, PHONE, screenshot } from '../support/browser.js';
import { anItem, type ItemBody, ok, theTree } from '../support/builders.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { aMember } from '../support/members.js';
import { type Nginx, startCompressingNginx } from '../support/nginx.js';
import { describeWith } from '../support/programs.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

// The first start builds the client; and a busy machine is slow, not wrong.
jest.setTimeout(300_000);

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** In the page: the titles in the tree, with those below an open collection in parentheses. */
const SHOWN = `[...document.querySelectorAll('[role=treeitem]')].reduce((text, row, index, rows) => {
  const level = Number(row.ariaLevel);
  const next = Number(rows[index + 1]?.ariaLevel ?? 1);
  const name = row.querySelector('.name')?.textContent ?? row.querySelector('input').value;
  return text + name + (next > level ? '(' : ')'.repeat(level - next) + ' ');
}, '').replaceAll(' )', ')').trim()`;

/** The same of a tree that the service returns. */
const textOf = (items: ItemBody[]): string =>
  items
    .map(
      ({ meta, children = [] }) =>
        meta.title + (children.length > 0 ? `(${textOf(children)})` : ''),
    )
    .join(' ');

const TOO_MANY = 'Only titles were searched: for pages, use at most 8 words.';
const WORDS = 'one two three four five six seven eight nine'.split(' ');
const notFound = (count: number) => `Nothing was found for “${WORDS.slice(0, count).join(' ')}”.`;

describeWith('chromium', CHROMIUM)('the example app', () => {
  let server: ChildProcess;
  let address: string;
  /** Where a service that was started in the checkout leaves its address. */
  let dataDir: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];

  /** The page's server; resolves to its address. */
  async function serve(): Promise<string> {
    const env = {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      TEAMSPACES_URL: '',
      NODE_OPTIONS: '',
    };
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    server = spawn(process.execPath, ['examples/tree-app/serve.js'], { env, stdio: [...stdio] });
    if (!server.stdout) throw new Error('it has no output');
    const [line] = await once(createInterface(server.stdout), 'line');
    return line as string;
  }

  const env = async () => {
    dataDir = await aFolder();
    address = await serve();
    return { CORS_ORIGINS: address };
  };
  const at = scene({ env, each: 'workspace' });
  beforeAll(async () => {
    writeFileSync(join(dataDir, 'url'), at.url);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    server.kill();
    await removeFolders();
  });
  beforeEach(() => {
    errors = [];
  });
  afterEach(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });

  const item = (title: string, parent?: string, object = 'item', content?: object) =>
    anItem(at.ada, at.query, { title, object, content, ...(parent && { parent }) });
  const collection = (title: string, parent?: string) => item(title, parent, 'collection');
  const onServer = async () => textOf(await theTree(at.ada, at.query));
  const contentOf = async (id: string) =>
    (await ok<{ content: { text?: string } }>(at.ada.get(`/collections/${id}`))).content;

  async function newWindow(): Promise<Page> {
    const opened = await context.newPage();
    opened.on('pageerror', (error) => errors.push(error.message));
    return opened;
  }

  /** Fills in the form. */
  async function connect(window: Page, token = tokenOf(at.ada.person), service = at.url) {
    await window.goto(address);
    const form = window.getByRole('dialog');
    expect(await form.getByLabel('Service').inputValue()).toBe(at.url);
    await form.getByLabel('Service').fill(service);
    await form.getByLabel('Team').fill(at.team);
    await form.getByLabel('Workspace').fill(at.workspace.slug);
    await form.getByLabel('Token').fill(token);
    await form.getByRole('button', { name: 'Open' }).click();
  }

  /** Opens this test's workspace in a new browser; returns when it shows it. */
  async function open(options: Parameters<Browser['newContext']>[0] = {}) {
    context = await browser.newContext({ viewport: DESKTOP, ...options });
    context.setDefaultTimeout(60_000);
    page = await newWindow();
    await connect(page);
    await page.getByText('In sync').waitFor();
  }

  const row = (name: string, window = page) =>
    window.getByRole('treeitem', { name: new RegExp(`^${name}$`) });
  const inTree = (text: string, window = page) =>
    window.waitForFunction(`(${SHOWN}) === ${JSON.stringify(text)}`).catch(async () => {
      expect(await window.evaluate(SHOWN)).toBe(text);
    });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = () => page.evaluate('document.activeElement.querySelector(".name")?.textContent');
  const says = (text: string | RegExp, window = page) =>
    window.getByText(text, { exact: true }).waitFor();
  const field = (window = page) => window.getByRole('textbox', { name: 'Text', exact: true });
  /** Opens a page; its field has the focus then. */
  const openText = async (name: string, window = page) => {
    await row(name, window).focus();
    await window.keyboard.press('Enter');
    await says('Saved', window);
  };

  const box = () => page.getByRole('combobox', { name: 'Search' });
  const found = () => page.getByRole('option');
  const activeResult = () =>
    page.evaluate(`document.getElementById(document.activeElement
      .getAttribute('aria-activedescendant'))?.innerText.trim().replaceAll('\\n', ' ')`);
  /** What is marked in each of some results. */
  const marksOf = (results: Locator) =>
    results.evaluateAll((options) =>
      options.map((option) => [...option.querySelectorAll('mark')].map((mark) => mark.textContent)),
    );
  /** What is selected in the field that has the focus, and where that is. */
  const selected = () =>
    page.evaluate(`(({ value, selectionStart, selectionEnd }) =>
      [value.slice(selectionStart, selectionEnd), selectionStart])(document.activeElement)`);
  const search = async (q: string, status: string) => {
    await box().fill(q);
    await says(status);
  };

  const nameField = () => page.getByRole('textbox', { name: 'New name' });
  /** What an input method does with the field that has the focus. */
  async function inputMethod() {
    const devtools = await context.newCDPSession(page);
    const compose = (text: string) => {
      const { length } = text;
      return devtools.send('Input.imeSetComposition', {
        ...{ text, selectionStart: length, selectionEnd: length },
      });
    };
    const commit = (text: string) => devtools.send('Input.insertText', { text });
    /** The key that goes to the input method; Safari sends it with the code 229, after the text. */
    const key = async (
      key: string,
      { code, modifiers = 0 }: { code: number; modifiers?: number },
    ) => {
      for (const type of ['rawKeyDown', 'keyUp'] as const) {
        await devtools.send('Input.dispatchKeyEvent', {
          ...{ type, key, windowsVirtualKeyCode: code, modifiers },
        });
      }
    };
    return { compose, commit, key };
  }

  const isSave = (request: Request) => request.method() === 'PATCH';
  /** Decides over requests to the service. */
  const intercept = (matches: (request: Request) => boolean, handle: (route: Route) => unknown) =>
    page.route(
      ({ origin }) => origin !== address,
      (route) => (matches(route.request()) ? handle(route) : route.fallback()),
    );
  /** Somebody else saves a page right before this window's next save arrives. */
  const overtake = (id: string, text: string) => {
    let isFirst = true;
    return intercept(isSave, async (route) => {
      if (isFirst) await ok(at.ada.put(`/collections/${id}`, { content: { text } }));
      isFirst = false;
      await route.fallback();
    });
  };
  /** The service refuses. */
  const refuse = (route: Route, status: number, code: string, headers = {}) =>
    route.fulfill({
      status,
      json: { error: { code, message: `the test says ${code}` } },
      headers: {
        'access-control-allow-origin': address,
        'access-control-expose-headers': 'Retry-After',
        ...headers,
      },
    });

  describe('the keyboard', () => {
    test('walks, opens and closes as in every tree', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id);
      await item('Second', guides.id);
      const more = await collection('More');
      await item('Deep', more.id);
      await item('Second thoughts');
      await open();
      await inTree('Guides(First Second) More(Deep) Second thoughts');
      const visited = async (...keys: string[]) => {
        const names = [];
        for (const key of keys) {
          await press(key);
          names.push(await focused());
        }
        return names.join(', ');
      };
      expect(await visited('End', 'Home', 'ArrowUp')).toBe('Second thoughts, Guides, Guides');
      expect(await visited('ArrowRight', 'ArrowDown', 'ArrowLeft')).toBe('First, Second, Guides');
      expect(await visited('s')).toBe('Second');
      await page.waitForTimeout(900);
      expect(await visited('s', 'e', 'c', 'o', 'n', 'd', ' ')).toMatch(/Second thoughts$/);
      await press('Home', 'ArrowLeft');
      await inTree('Guides More(Deep) Second thoughts');
      expect(await visited('ArrowDown', 'ArrowDown', 'ArrowLeft')).toBe('More, Deep, More');
      await press('Enter');
      await inTree('Guides More Second thoughts');
      await press('Shift+*');
      await inTree('Guides(First Second) More(Deep) Second thoughts');
      await press('Home', 'ArrowLeft', 'ArrowRight');
      expect(await row('Guides').getAttribute('aria-expanded')).toBe('true');
      const [level, position, size] = await Promise.all(
        ['aria-level', 'aria-posinset', 'aria-setsize'].map((name) =>
          row('Second').getAttribute(name),
        ),
      );
      expect([level, position, size]).toEqual(['2', '2', '2']);
    });

    test('creates pages and collections, and names them', async () => {
      await collection('Guides');
      await open();
      await row('Guides').focus();
      await press('Shift+Enter');
      await nameField().waitFor();
      await page.keyboard.type('First');
      await press('Enter');
      await says('The name is “First” now.');
      await press('Shift+Enter');
      await nameField().waitFor();
      await page.keyboard.type('Second');
      await press('Enter');
      await says('The name is “Second” now.');
      await press('Home', 'ArrowLeft', 'Alt+Enter');
      await nameField().waitFor();
      await page.keyboard.type('Inner');
      await press('Enter');
      await says('The name is “Inner” now.');
      expect(await onServer()).toBe('Guides(First Second Inner)');
      expect(await focused()).toBe('Inner');
    });

    test('F2 and a double click rename; Escape does not; an empty name is told', async () => {
      await item('First');
      await open();
      await row('First').focus();
      await press('F2');
      await page.keyboard.type('Day one');
      await press('Enter');
      await inTree('Day one');
      await says('The name is “Day one” now.');
      expect(await focused()).toBe('Day one');
      await row('Day one').locator('.name').dblclick();
      await page.keyboard.type('Nothing');
      await press('Escape');
      expect(await focused()).toBe('Day one');
      await press('F2', 'Backspace', 'Enter');
      expect(await page.evaluate('document.activeElement.validity.valid')).toBe(false);
      await press('Escape');
      expect(await onServer()).toBe('Day one');
    });

    test('Enter and Escape of an input method end its composition, not the new name', async () => {
      await item('First');
      await open();
      await row('First').focus();
      await press('F2');
      const { compose, commit, key } = await inputMethod();
      await compose('にほん');
      await key('Escape', { code: 27 });
      expect(await nameField().inputValue()).toBe('にほん');
      await key('Enter', { code: 13 });
      await commit('日本');
      await key('Enter', { code: 229 });
      // A field whose name is being saved is read-only.
      expect(await page.evaluate('document.activeElement.readOnly')).toBe(false);
      expect(await nameField().inputValue()).toBe('日本');
      await press('Enter');
      await says('The name is “日本” now.');
      expect(await onServer()).toBe('日本');
    });

    test('a title has up to 255 code points, however it is entered', async () => {
      const title = '😀'.repeat(255);
      const problem = (length: number) =>
        `A name has at most 255 characters, and this one has ${length}.`;
      const told = () => page.evaluate("document.querySelector('#tree input').validationMessage");
      await item('First');
      await open();
      await row('First').focus();
      await press('F2');
      await page.keyboard.insertText(`${title}😀`);
      await press('Enter');
      // The bubble at the field.
      expect(await told()).toBe(problem(256));
      expect(await nameField().inputValue()).toBe(`${title}😀`);
      await screenshot(page, 'tree-app-long-name');
      await press('Backspace', 'Enter');
      await says(`The name is “${title}” now.`);
      expect(await onServer()).toBe(title);

      // Pasted, then left: it stays, to be shortened.
      await press('F2');
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(`navigator.clipboard.writeText('${'𝒳'.repeat(300)}')`);
      await press('Control+V');
      await page.getByRole('button', { name: 'Undo the last deletion' }).focus();
      await says(problem(300));
      expect(await nameField().inputValue()).toBe('𝒳'.repeat(300));
      expect(await onServer()).toBe(title);
      await nameField().focus();
      await press('Escape');
      await inTree(title);

      await press('F2', 'End', 'Backspace');
      const { compose, commit } = await inputMethod();
      await compose('にほ');
      expect(await told()).toBe(problem(256));
      await commit('日');
      expect(await told()).toBe('');
      await press('Enter');
      await says(`The name is “${'😀'.repeat(254)}日” now.`);
    });

    test('a long title is shown everywhere, cut or wrapped, and whole for the mouse', async () => {
      const title = `How do I ask for a laptop? 💻 <b>${'Very long '.repeat(20)}`.trim();
      const { id } = await collection(title);
      await item('Ask', id, 'item', { text: 'Like this.' });
      await open();
      await inTree(`${title}(Ask)`);
      const label = page.locator('#tree .name').first();
      const isCut = await page.evaluate(`(({ scrollWidth, clientWidth }) =>
        scrollWidth > clientWidth)(document.querySelector('#tree .name'))`);
      expect([isCut, await label.getAttribute('title')]).toEqual([true, title]);
      expect(await page.locator('#tree b').count()).toBe(0);
      await page.getByRole('treeitem', { name: title, exact: true }).waitFor();

      await row('Ask').focus();
      await press('F2');
      const renamed = `Ask like this: ${title}`;
      await page.keyboard.insertText(renamed);
      await press('Enter');
      await says(`The name is “${renamed}” now.`);
      expect(await onServer()).toBe(`${title}(${renamed})`);
      await press('Enter');
      await says('Saved');
      await page.getByRole('heading', { name: renamed, exact: true }).waitFor();
      await search('like this', '1 result.');
      expect(await found().first().innerText()).toContain(renamed);
      const part = found().locator('.path bdi');
      expect([await part.textContent(), await part.getAttribute('title')]).toEqual([title, title]);
      await screenshot(page, 'tree-app-long-titles');
      await press('Escape');
      await page.getByRole('treeitem', { name: renamed, exact: true }).focus();
      await press('Delete');
      await says(`“${renamed}” is in the trash.`);
      await page.setViewportSize(PHONE);
      await screenshot(page, 'tree-app-phone-long-titles');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await says(`“${renamed}” is back.`);
      expect(await onServer()).toBe(`${title}(${renamed})`);
    });

    test('moves with Alt and an arrow, each move on top of the one before', async () => {
      const guides = await collection('Guides');
      for (const name of ['A', 'B', 'C']) await item(name, guides.id);
      await item('Notes');
      await open();
      await row('A').focus();
      await press('Alt+ArrowDown', 'Alt+ArrowDown');
      await says('“A” is 3 of 3 in Guides.');
      expect(await onServer()).toBe('Guides(B C A) Notes');
      expect(await focused()).toBe('A');
      await press('Alt+ArrowUp', 'Alt+ArrowUp', 'Alt+ArrowUp');
      await says('It cannot be moved there.');
      await press('Alt+ArrowLeft');
      await says('“A” is 2 of 3 in the top level.');
      expect(await onServer()).toBe('Guides(B C) A Notes');
      await press('Alt+ArrowRight');
      await says('“A” is 3 of 3 in Guides.');
      expect(await onServer()).toBe('Guides(B C A) Notes');
    });

    test('deletes, and undoes deletions one after the other', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id);
      await item('Second', guides.id);
      await item('Notes');
      await open();
      await row('First').focus();
      await press('Delete');
      await says('“First” is in the trash.');
      expect(await focused()).toBe('Second');
      await press('Home', 'Delete');
      await says('“Guides” is in the trash.');
      expect(await onServer()).toBe('Notes');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await says('“Guides” is back.');
      expect(await onServer()).toBe('Guides(Second) Notes');
      await row('Notes').focus();
      await press('Control+z');
      await says('“First” is back.');
      expect(await onServer()).toBe('Guides(First Second) Notes');
      expect(await focused()).toBe('First');
      await press('Control+z');
      await says('There is nothing to undo.');
    });
  });

  describe('the mouse, and fingers', () => {
    test('drag and drop moves items among siblings and into collections', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id);
      await item('Second', guides.id);
      await item('Notes');
      await open();
      const top = { targetPosition: { x: 90, y: 3 } };
      const bottom = { targetPosition: { x: 90, y: 29 } };
      await inTree('Guides(First Second) Notes');
      await row('Second').dragTo(row('First'), top);
      await inTree('Guides(Second First) Notes');
      await row('Notes').dragTo(row('Guides'));
      await inTree('Guides(Second First Notes)');
      await row('First').dragTo(row('Guides'), top);
      await inTree('First Guides(Second Notes)');
      await row('First').dragTo(row('Guides'), bottom);
      await inTree('Guides(Second Notes) First');
      expect(await onServer()).toBe('Guides(Second Notes) First');
    });

    test('a collection cannot be dropped into itself', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id);
      await open();
      await inTree('Guides(First)');
      await row('Guides').dragTo(row('First'));
      await row('First').dragTo(row('Guides'), { targetPosition: { x: 90, y: 3 } });
      await inTree('First Guides');
    });

    test('the buttons do on a phone what the keys do', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id, 'item', { text: 'Welcome!' });
      await item('Notes');
      await open({ viewport: PHONE, hasTouch: true, isMobile: true });
      await inTree('Guides(First) Notes');
      await screenshot(page, 'tree-app-phone-tree');
      const tap = (name: string) => page.getByRole('button', { name, exact: true }).tap();
      await row('Guides').locator('.twisty').tap();
      await inTree('Guides Notes');
      await row('Guides').locator('.twisty').tap();
      await row('First').tap();
      await says('Saved');
      expect(await field().inputValue()).toBe('Welcome!');
      await screenshot(page, 'tree-app-phone-page');
      await tap('← Tree');
      await tap('Move out of the collection');
      await inTree('Guides First Notes');
      await tap('Move down');
      await inTree('Guides Notes First');
      await tap('Move up');
      await inTree('Guides First Notes');
      await tap('Move into the collection above');
      await inTree('Guides(First) Notes');
      await tap('Delete');
      await inTree('Guides Notes');
      await tap('Undo the last deletion');
      await inTree('Guides(First) Notes');
      await tap('New collection');
      await nameField().fill('More');
      await tap('Move up');
      await inTree('Guides(More First) Notes');
      expect(await onServer()).toBe('Guides(More First) Notes');
    });
  });

  describe('the search', () => {
    test('finds one of 10,000 pages by three letters, with the keyboard only', async () => {
      const guides = await collection('Guides');
      const team = await collection('Team', guides.id);
      await item('Offsite in Zanzibar', team.id, 'item', { text: 'Pack light.' });
      await sql(
        at.databaseUrl,
        `INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position, content)
         SELECT team_id, id, gen_random_uuid(), 'item', 'Page ' || n, 'page-' || n,
           'b' || lpad(n::text, 6, '0'), '{}'
         FROM workspaces, generate_series(1, 10000) n WHERE id = $1`,
        [at.workspace.id],
      );
      await open();
      await press('Home', 'ArrowLeft', '/');
      await page.keyboard.type('zan');
      await says('1 result.');
      expect(await activeResult()).toBe('Offsite in Zanzibar in Guides / Team');
      await press('Enter');
      await says('Saved');
      expect(await field().inputValue()).toBe('Pack light.');
      expect(await page.evaluate('document.activeElement.value')).toBe('Pack light.');
      await press('Escape');
      expect(await focused()).toBe('Offsite in Zanzibar');
      await press('Control+k');
      await page.keyboard.type('page 99');
      await says('The best 20 results: more letters find others.');
      expect(await found().count()).toBe(20);
    });

    test('arrows choose, Enter opens a page or shows a collection, Escape returns', async () => {
      const guides = await collection('Guides');
      const more = await collection('More', guides.id);
      await item('More notes', more.id, 'item', { text: 'One' });
      await item('Some more');
      await open();
      await row('Guides').focus();
      await press('ArrowLeft');
      await inTree('Guides Some more');
      await press('Control+k');
      await page.keyboard.type('more');
      await says('3 results.');
      const visited = [await activeResult()];
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) {
        await press(key);
        visited.push(await activeResult());
      }
      const names = ['More in Guides', 'More notes in Guides / More', 'Some more'];
      expect(visited).toEqual([...names, names[0], names[2]]);
      await page.getByRole('option', { name: 'Collection More in Guides', exact: true }).waitFor();
      await press('Escape');
      expect(await focused()).toBe('Guides');
      expect(await box().inputValue()).toBe('');
      expect(await found().count()).toBe(0);
      await press('Control+k');
      await page.keyboard.type('more');
      await says('3 results.');
      await press('Enter');
      await inTree('Guides(More(More notes)) Some more');
      expect(await focused()).toBe('More');
      await box().click();
      await page.keyboard.type('notes');
      await found().click();
      await says('Saved');
      expect(await field().inputValue()).toBe('One');
      await field().focus();
      await press('Control+k', 'Escape');
      expect(await page.evaluate('document.activeElement.value')).toBe('One');
    });

    test('what was typed last wins, and ends the search before', async () => {
      await item('First');
      await item('Second');
      await open();
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const isSearch = (q: string) => (request: Request) => request.url().endsWith(`q=${q}`);
      const ended = page.waitForEvent('requestfailed', isSearch('fir'));
      const sent = page.waitForRequest(isSearch('fir'));
      await intercept(isSearch('fir'), async (route) => {
        await released;
        // The browser has dropped it.
        await route.fallback().catch(() => {});
      });
      await box().fill('fir');
      await sent;
      await search('sec', '1 result.');
      await ended;
      release();
      await page.waitForTimeout(500);
      expect(await activeResult()).toBe('Second');
    });

    test('Enter right after the last letter opens what that letter finds', async () => {
      await item('Fire drill');
      await item('Fir trees', undefined, 'item', { text: 'Two' });
      await open();
      await search('fir', '2 results.');
      await page.keyboard.type(' t');
      await press('Enter');
      await says('Saved');
      expect(await field().inputValue()).toBe('Two');
    });

    test('Enter of an input method opens nothing, and long words are no error', async () => {
      await item('日本', undefined, 'item', { text: 'Japan' });
      await open();
      await box().focus();
      const { compose, commit, key } = await inputMethod();
      await compose('にほん');
      await key('Escape', { code: 27 });
      await key('Enter', { code: 13 });
      await commit('日本');
      await says('1 result.');
      await key('Enter', { code: 229 });
      expect(await box().inputValue()).toBe('日本');
      await press('Enter');
      await says('Saved');
      expect(await field().inputValue()).toBe('Japan');
      await search('😀'.repeat(100), `Nothing was found for “${'😀'.repeat(100)}”.`);
      await search('😀'.repeat(101), `Nothing was found for “${'😀'.repeat(100)}”.`);
    });

    test('tells that it has found nothing, and what failed, in one sentence', async () => {
      await item('First');
      await open();
      await search('zan', 'Nothing was found for “zan”.');
      expect(await box().getAttribute('aria-expanded')).toBe('false');
      await press('Enter');
      expect(await box().inputValue()).toBe('zan');
      const outcomes: Record<string, (route: Route) => unknown> = {
        fi: (route) => refuse(route, 422, 'unprocessable_entity'),
        fir: (route) => route.abort(),
        firs: (route) => refuse(route, 401, 'unauthorized'),
      };
      for (const [q, handle] of Object.entries(outcomes)) {
        await intercept((request) => request.url().endsWith(`q=${q}`), handle);
      }
      await search('fi', 'The test says unprocessable_entity.');
      await search('fir', 'The service does not respond: try again later.');
      await box().fill('firs');
      await says('The test says unauthorized.');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor();
    });

    test('shows markup and right-to-left names as they are', async () => {
      const markup = '<img src=x onerror=alert(1)>';
      const guides = await collection(markup);
      const hebrew = await collection('מדריכים', guides.id);
      await item(markup, hebrew.id);
      await open();
      await search('onerror', '2 results.');
      const texts = await found().evaluateAll((options) =>
        options.map((option) => [...option.children].map((child) => child.textContent)),
      );
      expect(texts).toEqual([
        ['', markup, ''],
        ['', markup, `in ${markup} / מדריכים`],
      ]);
      expect(await page.locator('img').count()).toBe(0);
    });

    test('finds titles first, then pages with what matches, and arrows go through both', async () => {
      const guides = await collection('Guides');
      const prose = 'Some words that nobody looks for. '.repeat(200);
      const text = `# Visitors\n\nA badge.\n\n${prose}\n\nAsk for the badge in *blue*.`;
      await item('Arrival', guides.id, 'item', { text });
      await item('Badges');
      await open();
      await search('badge', '2 results.');
      const group = (name: string) => page.getByRole('group', { name, exact: true });
      expect(await group('Titles').getByRole('option').allInnerTexts()).toEqual(['Badges']);
      const name = /^Arrival in Guides A badge\. Some words/;
      await group('In pages').getByRole('option', { name }).waitFor();
      expect(await found().count()).toBe(2);
      expect(await marksOf(group('In pages').getByRole('option'))).toEqual([['badge']]);
      expect(await activeResult()).toBe('Badges');
      await press('ArrowDown');
      expect(await activeResult()).toContain('Arrival in Guides');
      await press('ArrowDown');
      expect(await activeResult()).toBe('Badges');
      await press('ArrowUp', 'Enter');
      await says('Saved');
      await page.getByRole('heading', { name: 'Arrival' }).waitFor();
      expect(await selected()).toEqual(['badge', text.indexOf('badge')]);
      // Not the first badge of the text.
      await search('badge blue', '1 result.');
      expect(await marksOf(found())).toEqual([['badge', 'blue']]);
      await press('Enter');
      await page.waitForFunction("document.activeElement.matches('textarea')");
      expect(await selected()).toEqual(['badge', text.lastIndexOf('badge')]);
      // It is scrolled to.
      await page.waitForFunction("document.querySelector('#page').scrollTop > 1000");
      await search('arr', '1 result.');
      expect(await page.getByRole('group').count()).toBe(1);
    });

    test('shows a match that is far into a page, and what is written right to left', async () => {
      const prose = 'Some words that nobody looks for. '.repeat(20);
      await item('Long', undefined, 'item', { text: `${prose}The needle is here. ${prose}` });
      await item('ביקור', undefined, 'item', { text: 'שלום לכולם, ברוכים הבאים.' });
      await item('Markup', undefined, 'item', {
        content: [{ type: 'text', text: '&lt;img src=x onerror="alert(1)"> & more' }],
      });
      await open({ viewport: { width: 360, height: 640 } });
      await search('needle', '1 result.');
      expect(await found().locator('.snippet').innerText()).toMatch(/^… .{10,40}needle is here\./);
      const isSeen = await found().evaluate((option) => {
        const mark = option.querySelector('mark')?.getBoundingClientRect();
        const box = option.getBoundingClientRect();
        return mark !== undefined && mark.top >= box.top && mark.bottom <= box.bottom;
      });
      expect(isSeen).toBe(true);
      await search('nothing like this', 'Nothing was found for “nothing like this”.');
      await search('ברוכים', '1 result.');
      const snippet = found().locator('.snippet');
      const direction = "getComputedStyle(document.querySelector('.snippet')).direction";
      expect(await page.evaluate(direction)).toBe('rtl');
      await search('nothing like this', 'Nothing was found for “nothing like this”.');
      await search('onerror', '1 result.');
      expect(await snippet.innerText()).toContain('<img src=x onerror="alert(1)"> & more');
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    });

    test('searches titles, and says so, where the service searches no pages', async () => {
      await item('First things', undefined, 'item', { text: 'Secondly' });
      await open();
      await search(WORDS.slice(0, 8).join(' '), notFound(8));
      await search(WORDS.join(' '), `${notFound(9)} ${TOO_MANY}`);
      const isInPages = (request: Request) =>
        new URL(request.url()).searchParams.get('in') === 'all';
      await intercept(isInPages, (route) => refuse(route, 422, 'unprocessable_entity'));
      await search('first', '1 result. Only titles were searched.');
      expect(await activeResult()).toBe('First things');
      await search('secondly', 'Nothing was found for “secondly”. Only titles were searched.');
      await search('thing', '1 result. Only titles were searched.');
      await press('Enter');
      await says('Saved');
    });

    test('says that the newest changes may be missing', async () => {
      await item('First', undefined, 'item', { text: 'Welcome!' });
      await open();
      await intercept(
        (request) => request.url().endsWith('q=welc'),
        async (route) => {
          const response = await route.fetch();
          const headers = { ...response.headers(), 'search-behind': '7' };
          await route.fulfill({ response, headers });
        },
      );
      await search('welc', '1 result. The newest changes may be missing.');
      await search('welco', '1 result.');
    });

    test('on a phone', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id, 'item', { text: 'Welcome!' });
      await open({ viewport: PHONE, hasTouch: true, isMobile: true });
      await inTree('Guides(First)');
      await box().tap();
      await page.keyboard.type('irs');
      await says('1 result.');
      await screenshot(page, 'tree-app-phone-search');
      await found().tap();
      await says('Saved');
      expect(await field().inputValue()).toBe('Welcome!');
      // A phone with a keyboard, or a small window.
      await press('Control+k');
      await page.keyboard.type('welc');
      await says('1 result.');
      expect(await marksOf(found())).toEqual([['Welcome']]);
      expect((await found().boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await screenshot(page, 'tree-app-phone-search-pages');
      await found().tap();
      await says('Saved');
      await press('Control+k');
      await page.keyboard.type('gui');
      await says('1 result.');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    });
  });

  describe('two windows', () => {
    test('see what the other one does', async () => {
      const guides = await collection('Guides');
      await item('First', guides.id, 'item', { text: 'Welcome!' });
      await open();
      const other = await newWindow();
      await connect(other);
      await inTree('Guides(First)', other);
      await row('First').focus();
      await press('Alt+ArrowLeft');
      await inTree('Guides First', other);
      await row('Guides', other).focus();
      await other.keyboard.press('Delete');
      await inTree('First');
      await openText('First', other);
      await openText('First');
      await press('Control+End');
      await page.keyboard.type(' Sit down.');
      await other.waitForFunction(
        `document.querySelector('[data-part=text]').value === 'Welcome! Sit down.'`,
      );
      expect(await field(other).inputValue()).toBe('Welcome! Sit down.');
    });

    test('do not take away focus, or a half-typed name', async () => {
      await item('First');
      await item('Second');
      await open();
      await inTree('First Second');
      await row('Second').focus();
      const guides = await collection('Guides');
      await ok(at.ada.post(`/collections/reorder${at.query}`, { id: guides.id, index: 0 }));
      await inTree('Guides First Second');
      expect(await focused()).toBe('Second');
      await press('F2');
      await page.keyboard.type('Day t');
      await ok(at.ada.delete(`/collections/${guides.id}`));
      await page.waitForFunction('document.querySelectorAll("[role=treeitem]").length === 2');
      await page.keyboard.type('wo');
      await press('Enter');
      await inTree('First Day two');
    });

    test('a half-typed name stays if its item is deleted, and Enter restores it', async () => {
      const guides = await collection('Guides');
      const { id } = await item('First', guides.id);
      await item('Second', guides.id);
      await open();
      await row('First').focus();
      await press('F2');
      await page.keyboard.type('Day o');
      await ok(at.ada.delete(`/collections/${id}`));
      await says('“First” was deleted. Enter restores it with the new name, Escape does not.');
      await inTree('Guides(Day o Second)');
      await page.keyboard.type('ne');
      // Leaving the field restores nothing.
      await row('Second').focus();
      await inTree('Guides(Day one Second)');
      expect(await onServer()).toBe('Guides(Second)');
      await nameField().focus();
      await press('Enter');
      await says('The name is “Day one” now.');
      expect(await onServer()).toBe('Guides(Day one Second)');
      await press('F2');
      await page.keyboard.type('Day two');
      await ok(at.ada.delete(`/collections/${id}`));
      await says('“Day one” was deleted. Enter restores it with the new name, Escape does not.');
      await press('Escape');
      await inTree('Guides(Second)');
      expect(await focused()).toBe('Second');
      expect(await onServer()).toBe('Guides(Second)');
    });

    test('that nobody sees do not wait for changes, and catch up when they are seen', async () => {
      await item('First');
      await open();
      const see = (isSeen: boolean) =>
        page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true });
          document.dispatchEvent(new Event('visibilitychange'))`);
      await see(false);
      await item('Second');
      await page.waitForTimeout(500);
      expect(await page.evaluate(SHOWN)).toBe('First');
      await see(true);
      await inTree('First Second');
    });

    test('start again where the feed does', async () => {
      await item('First');
      await open();
      let refused = false;
      const isFeed = (request: Request) => !refused && request.url().includes('cursor=');
      await intercept(isFeed, (route) => {
        refused = true;
        return refuse(route, 409, 'conflict');
      });
      const { id } = await item('Second');
      await inTree('First Second');
      await item('Third');
      await inTree('First Second Third');
      expect(refused).toBe(true);
      await ok(at.ada.delete(`/collections/${id}`));
      await inTree('First Third');
    });
  });

  describe('the text of a page', () => {
    test('is saved while it is typed, and what else the page has stays', async () => {
      const big = '{"text":"One","serial":12345678901234567890}';
      const { id } = await item('First');
      const put = at.ada.put(`/collections/${id}`).set('content-type', 'application/json');
      await ok(put.send(`{"content":${big}}`));
      await open();
      await openText('First');
      const request = page.waitForRequest(isSave);
      await press('Control+End');
      await page.keyboard.type(', two');
      expect(await (await request).headerValue('if-match')).toMatch(/^"/);
      await says('Saved');
      const { text } = await at.ada.get(`/collections/${id}`);
      expect(text).toContain('12345678901234567890');
      expect((await contentOf(id)).text).toBe('One, two');
      await press('Escape');
      expect(await focused()).toBe('First');
    });

    test('keeps the focus at the keys of an input method', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      const { compose, commit, key } = await inputMethod();
      await compose('にほん');
      await key('k', { code: 75, modifiers: 2 });
      expect(await page.evaluate('document.activeElement.dataset.part')).toBe('text');
      await key('Escape', { code: 27 });
      await commit('日本');
      await key('Escape', { code: 229 });
      await page.keyboard.type('!');
      await says('Saved');
      expect((await contentOf(id)).text).toBe('日本!');
      await press('Escape');
      expect(await focused()).toBe('First');
    });

    test('goes on being typed while a save is in flight, and all of it is saved', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await intercept(isSave, async (route) => {
        await released;
        await route.fallback();
      });
      await page.keyboard.type('One');
      await says('Saving …');
      await page.keyboard.type(' and two');
      expect(await field().inputValue()).toBe('One and two');
      release();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One and two');
    });

    test('is not in conflict with a new name, or with a save whose response was lost', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      await ok(at.ada.put(`/collections/${id}`, { name: 'Day one' }));
      let lost = 0;
      await intercept(
        (request) => isSave(request) && lost++ === 0,
        async (route) => {
          await route.fetch();
          await route.abort();
        },
      );
      await page.keyboard.type('One');
      await says('Saved');
      await page.keyboard.type(' and two');
      await says('Editing …');
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One and two');
      expect(lost).toBeGreaterThan(1);
    });

    const inConflict = async () => {
      const { id } = await item('First', undefined, 'item', { text: 'Old' });
      await open();
      await openText('First');
      await overtake(id, 'Theirs');
      await press('Control+A');
      await page.keyboard.type('Mine');
      await page.getByRole('region', { name: 'Conflict' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Their text' }).inputValue()).toBe('Theirs');
      expect(await field().inputValue()).toBe('Mine');
      await page.keyboard.type(' too');
      expect((await contentOf(id)).text).toBe('Theirs');
      return id;
    };

    test('of somebody else is shown, and mine is kept', async () => {
      const id = await inConflict();
      await screenshot(page, 'tree-app-conflict');
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('Mine too');
      expect(await page.getByRole('region', { name: 'Conflict' }).count()).toBe(0);
    });

    test('of somebody else is taken, and mine can still be had', async () => {
      const id = await inConflict();
      await page.getByRole('button', { name: 'Take theirs' }).click();
      expect(await field().inputValue()).toBe('Theirs');
      expect((await contentOf(id)).text).toBe('Theirs');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('Mine too');
    });

    test('has an address: Back leads to the page before, and a link to it opens it', async () => {
      const guides = await collection('Guides');
      const { id } = await item('First', guides.id, 'item', { text: 'One' });
      await item('Second', guides.id, 'item', { text: 'Two' });
      await open();
      const shows = (text: string) =>
        page.waitForFunction(`document.querySelector('[data-part=text]').value === '${text}'`);
      await row('First').click();
      await shows('One');
      await row('Second').click();
      await shows('Two');
      await page.goBack();
      await shows('One');
      expect(await row('First').getAttribute('aria-current')).toBe('page');
      const link = page.url();
      expect(link).toMatch(`#${id}`);
      await page.goto('about:blank');
      await page.goto(link);
      // A link does not decide where the token goes.
      expect(link).not.toContain('service');
      // What is missing has the focus.
      await page.keyboard.insertText(tokenOf(at.ada.person));
      await press('Enter');
      await shows('One');
    });

    /** A page that somebody else has overwritten; its field has the focus. */
    const overwritten = async () => {
      const { id } = await item('Page', undefined, 'item', { text: 'hers' });
      const bob = await aMember(at, at.team, 'member');
      await ok(bob.put(`/collections/${id}`, { content: { text: 'from a program' } }));
      await open();
      await openText('Page');
      return id;
    };
    const bringBack = async () => {
      await page.getByRole('button', { name: 'Versions' }).click();
      await page.getByRole('button', { name: /^Ada, / }).click();
      await page.getByRole('button', { name: 'Restore this version' }).click();
    };

    test('that somebody else has overwritten is looked at, and brought back', async () => {
      const id = await overwritten();
      const versions = page.getByRole('region', { name: 'Versions' });
      await page.getByRole('button', { name: 'Versions' }).click();
      // With seconds: two versions may be of one minute.
      await versions.getByRole('button', { name: /^Ada, .*:\d\d:\d\d/ }).click();
      const old = versions.getByRole('textbox', { name: 'Text of the version' });
      await old.waitFor();
      expect(await old.inputValue()).toBe('hers');
      await screenshot(page, 'versions');
      await versions.getByRole('button', { name: 'Restore this version' }).click();
      await says('The version is back. What was there is a version now.');
      expect(await field().inputValue()).toBe('hers');
      expect(await contentOf(id)).toEqual({ text: 'hers' });
      await versions.getByRole('button', { name: /^member, / }).waitFor();
      await field().fill('hers, and more');
      await says('Saved');
      await page.getByRole('button', { name: 'Versions' }).click();
      expect(await versions.isVisible()).toBe(false);
      expect(await contentOf(id)).toEqual({ text: 'hers, and more' });
    });

    test('that is in conflict is not replaced by a version, and the app says so', async () => {
      const id = await overwritten();
      await overtake(id, 'Theirs');
      await field().fill('Mine');
      await page.getByRole('region', { name: 'Conflict' }).waitFor();
      await bringBack();
      await says('Nothing was restored: your text is not saved yet.');
      expect(await field().inputValue()).toBe('Mine');
      expect(await contentOf(id)).toEqual({ text: 'Theirs' });
    });

    test('that is typed while a version comes back stays, and is saved', async () => {
      const id = await overwritten();
      await intercept(
        (request) => request.url().endsWith('/restore'),
        async (route) => {
          await field().fill('typed meanwhile');
          await route.fallback();
        },
      );
      await bringBack();
      await says('The version is back. What was there is a version now.');
      await says('Saved');
      expect(await field().inputValue()).toBe('typed meanwhile');
      expect(await contentOf(id)).toEqual({ text: 'typed meanwhile' });
    });

    test('of another kind is shown, and not changed', async () => {
      await item('First', undefined, 'item', { text: { blocks: [1, 2] } });
      await open();
      await row('First').click();
      await says('This app edits text only.');
      await item('Second');
      await inTree('First Second');
      expect(JSON.parse(await field().inputValue())).toEqual({ text: { blocks: [1, 2] } });
      expect(await field().isEditable()).toBe(false);
    });
  });

  describeWith('nginx')('behind a proxy that compresses', () => {
    let proxy: Nginx;
    beforeAll(async () => {
      proxy = await startCompressingNginx(at.url, { minLength: 1 });
    });
    afterAll(() => proxy?.stop());

    test('text and names are saved, and a conflict is one', async () => {
      const { id } = await item('First', undefined, 'item', { text: 'Hello' });
      context = await browser.newContext({ viewport: DESKTOP });
      page = await newWindow();
      const etags = new Set<string>();
      page.on('response', (response) => {
        const { etag } = response.headers();
        if (etag !== undefined && response.url().includes(id)) etags.add(etag.slice(0, 3));
      });
      await connect(page, tokenOf(at.ada.person), proxy.url);
      await page.getByText('In sync').waitFor();
      await openText('First');
      for (const text of ['Hello, Ada', 'Hello, Ada and Bob']) {
        const saved = page.waitForResponse((response) => isSave(response.request()));
        await field().fill(text);
        await saved;
        await says('Saved');
        expect((await contentOf(id)).text).toBe(text);
      }
      await row('First').focus();
      await press('F2');
      await page.keyboard.type('Welcome');
      await press('Enter');
      await inTree('Welcome');
      await overtake(id, 'Of somebody else');
      await field().fill('Mine');
      await page.getByRole('region', { name: 'Conflict' }).waitFor();
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('Mine');
      expect([...etags]).toEqual(['W/"']);
    });
  });

  describe('what fails', () => {
    test('offline: text is kept, also when another page is opened, and saved later', async () => {
      const { id } = await item('First');
      await item('Second');
      await open();
      await openText('First');
      await context.setOffline(true);
      await page.keyboard.type('Written on a train');
      await says('Not saved yet. The service does not respond: try again later.');
      await says('Offline, trying again …');
      await screenshot(page, 'tree-app-offline');
      await row('Second').click();
      await says('The service does not respond: try again later.');
      await row('First, not saved').click();
      expect(await field().inputValue()).toBe('Written on a train');
      await context.setOffline(false);
      await says('Saved');
      await says('In sync');
      expect((await contentOf(id)).text).toBe('Written on a train');
    });

    test('offline: a new name stays in its field, and is saved by the next Enter', async () => {
      await item('First');
      await open();
      await row('First').focus();
      await press('F2');
      await page.keyboard.type('Day one');
      await context.setOffline(true);
      await press('Enter');
      await page.getByRole('alert').getByText('The service does not respond').waitFor();
      expect(await nameField().inputValue()).toBe('Day one');
      await context.setOffline(false);
      await press('Enter');
      await says('The name is “Day one” now.');
      expect(await onServer()).toBe('Day one');
    });

    test('offline after a change: it is told what the next one waits for', async () => {
      await item('First');
      await item('Second');
      await open();
      let isDown = true;
      await intercept(
        (request) => isDown && request.url().includes('/changes'),
        (route) => route.abort(),
      );
      await row('First').focus();
      await press('Alt+ArrowDown');
      await says('Offline, changes wait …');
      await press('Alt+ArrowUp');
      await says(/^This waits until the service responds/);
      expect(await onServer()).toBe('Second First');
      isDown = false;
      await says('“First” is 1 of 2 in the top level.');
      await says('In sync');
      expect(await onServer()).toBe('First Second');
    });

    test('429: it is told when to try again, and saved then', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      let refused = 0;
      await intercept(
        (request) => isSave(request) && refused++ === 0,
        (route) => refuse(route, 429, 'rate_limit_exceeded', { 'retry-after': '7' }),
      );
      await page.keyboard.type('One');
      await says('Not saved yet. Too many requests: try again in 7 s.');
      await page.keyboard.type(' and two');
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One and two');
    });

    test('401: a new token continues, and the text is saved', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      const renewed = signToken(SECRET, at.ada.person, { days: 2 });
      await intercept(
        (request) => request.headers().authorization !== `Bearer ${renewed}`,
        (route) => refuse(route, 401, 'unauthorized'),
      );
      await page.keyboard.type('One');
      await says('Not saved yet. The test says unauthorized.');
      await page.keyboard.type(' and two');
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Token').fill(renewed);
      await page.getByRole('button', { name: 'Open' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One and two');
      await item('Second');
      await inTree('First Second');
    });

    test('403: the reason stays while more is typed, and leaving the page warns', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      let isRefused = true;
      await intercept(
        (request) => isSave(request) && isRefused,
        (route) => refuse(route, 403, 'forbidden'),
      );
      await page.keyboard.type('One');
      await says('Not saved yet. The test says forbidden.');
      await page.keyboard.type(' and two');
      expect(await page.locator('[data-part=state]').textContent()).toBe(
        'Not saved yet. The test says forbidden.',
      );
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      isRefused = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One and two');
    });

    test.each([
      ['413 of a proxy', 413, 'Not saved yet. The response has status 413'],
      ['a text that is too large', 400, 'Not saved yet. The test says bad_request.'],
      // Nobody has changed the page.
      ['a 409 that does not end', 409, 'Not saved yet. The test says conflict.'],
    ])('%s: the text stays, and is saved when it can be', async (_, status, sentence) => {
      const { id } = await item('First');
      await open();
      await openText('First');
      let isRefused = true;
      const code = { 400: 'bad_request', 409: 'conflict' }[status];
      await intercept(
        (request) => isSave(request) && isRefused,
        (route) =>
          code === undefined
            ? route.fulfill({
                status,
                body: '',
                headers: { 'access-control-allow-origin': address },
              })
            : refuse(route, status, code),
      );
      await page.keyboard.type('One');
      await page.getByText(sentence).waitFor();
      isRefused = false;
      await page.keyboard.type(' and two');
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One and two');
    });

    test('502 of a proxy: it is tried again by itself, and the tree follows again', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      let isDown = true;
      await intercept(
        () => isDown,
        (route) =>
          route.fulfill({
            ...{ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' },
            headers: { 'access-control-allow-origin': address },
          }),
      );
      await page.keyboard.type('One');
      await page.getByText('Not saved yet. The response has status 502').waitFor();
      isDown = false;
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One');
      await item('Second');
      await inTree('First Second');
    });

    test('a save without a response has failed after a minute', async () => {
      const { id } = await item('First');
      await open();
      // A minute is half a second.
      await page.evaluate(`{
        const timeout = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (ms) => timeout(ms / 120);
      }`);
      await openText('First');
      let isLost = true;
      await intercept(
        (request) => isSave(request) && isLost,
        () => {},
      );
      await page.keyboard.type('One');
      await says('Not saved yet. The service does not respond: try again later.');
      isLost = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One');
    });

    test('no ETag: nothing is overwritten, and the app says so', async () => {
      const { id } = await item('First', undefined, 'item', { text: 'Old' });
      await open();
      let isDropped = true;
      await intercept(
        (request) => isDropped && request.url().includes(id),
        async (route) => {
          const response = await route.fetch();
          const { etag, ...headers } = response.headers();
          await route.fulfill({ response, headers });
        },
      );
      await openText('First');
      await ok(at.ada.put(`/collections/${id}`, { content: { text: 'Theirs' } }));
      await field().fill('Mine');
      await says('Not saved yet. The response has no ETag: a proxy may have removed it.');
      expect((await contentOf(id)).text).toBe('Theirs');
      isDropped = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('region', { name: 'Conflict' }).waitFor();
      expect(await field().inputValue()).toBe('Mine');
    });

    test('a text that was changed back is no obstacle after a new token', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      const renewed = signToken(SECRET, at.ada.person, { days: 2 });
      await intercept(
        (request) => request.headers().authorization !== `Bearer ${renewed}`,
        (route) => refuse(route, 401, 'unauthorized'),
      );
      await page.keyboard.type('O');
      await says('Not saved yet. The test says unauthorized.');
      await press('Backspace');
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Token').fill(renewed);
      await page.getByRole('button', { name: 'Open' }).click();
      await says('Saved');
      await field().fill('One');
      await says('Editing …');
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One');
    });

    test('a conflict of a page that is not open is told, and leads there', async () => {
      const { id } = await item('First', undefined, 'item', { text: 'Old' });
      await item('Second', undefined, 'item', { text: 'Two' });
      await open();
      await openText('First');
      await overtake(id, 'Theirs');
      await field().fill('Mine');
      await row('Second').click();
      await says('“First”: Not saved yet. Somebody else has saved this page.');
      await screenshot(page, 'tree-app-conflict-elsewhere');
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('Mine');
    });

    test('a deleted page with unsaved text is found again after another page', async () => {
      const { id } = await item('First');
      await item('Second', undefined, 'item', { text: 'Two' });
      await open();
      await openText('First');
      await page.keyboard.type('One');
      await ok(at.ada.delete(`/collections/${id}`));
      await says('Not saved yet. This page was deleted.');
      await row('Second').click();
      await says('“First”: Not saved yet. This page was deleted.');
      // Another message takes its place, until somebody is about to leave.
      await press('Control+z');
      await says('There is nothing to undo.');
      const asked = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      await (await asked).dismiss();
      await says('“First”: Not saved yet. This page was deleted.');
      await page.getByRole('button', { name: 'Open it' }).click();
      await page.getByRole('heading', { name: 'First' }).waitFor();
      expect(await field().inputValue()).toBe('One');
      await page.getByRole('button', { name: 'Restore it' }).click();
      await says('Saved');
      expect((await contentOf(id)).text).toBe('One');
    });

    test('a text is kept over content of another kind, and what fails then is told', async () => {
      const { id } = await item('First', undefined, 'item', { text: 'Old' });
      await open();
      await openText('First');
      let saves = 0;
      await intercept(isSave, async (route) => {
        saves++;
        if (saves === 1) {
          await ok(at.ada.put(`/collections/${id}`, { content: { text: { blocks: [1] } } }));
        }
        if (saves === 2) return refuse(route, 403, 'forbidden');
        await route.fallback();
      });
      await field().fill('Mine');
      await page.getByRole('button', { name: 'Keep mine' }).click();
      await says('Not saved yet. The test says forbidden.');
      expect(await field().isEditable()).toBe(true);
      await page.getByRole('button', { name: 'Try again' }).click();
      await says('Saved');
      expect(await contentOf(id)).toEqual({ text: 'Mine' });
    });

    test('a page that cannot be read says so, and is read by another try', async () => {
      await item('First', undefined, 'item', { text: 'One' });
      const guides = await collection('Guides');
      await open();
      await inTree('First Guides');
      await context.setOffline(true);
      await row('First').click();
      await says('Not loaded. The service does not respond: try again later.');
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await says('Saved');
      expect(await field().inputValue()).toBe('One');
      // A link to a collection: there is nothing to edit.
      await page.evaluate(`location.hash = '${guides.id}'`);
      await says('Choose a page, or make one.');
    });

    test('a page that was deleted is restored for the text that it lacks', async () => {
      const { id } = await item('First');
      await open();
      await openText('First');
      await page.keyboard.type('One');
      await ok(at.ada.delete(`/collections/${id}`));
      await says('Not saved yet. This page was deleted.');
      await page.getByRole('button', { name: 'Restore it' }).click();
      await says('Saved');
      await inTree('First');
      expect((await contentOf(id)).text).toBe('One');
    });

    test('a move of what was moved elsewhere is an error of one sentence', async () => {
      const guides = await collection('Guides');
      const first = await item('First');
      await open();
      await intercept(
        (request) => request.url().endsWith('/reorder'),
        async (route) => {
          await ok(at.ada.put(`/collections/${first.id}`, { parent: guides.id }));
          await route.fallback();
        },
      );
      await row('First').focus();
      await press('Alt+ArrowUp');
      await page
        .getByRole('alert')
        .getByText(/parent/)
        .waitFor();
      expect(await onServer()).toBe('Guides(First)');
    });

    test('an address without a scheme is an error at its field', async () => {
      context = await browser.newContext({ viewport: DESKTOP });
      page = await newWindow();
      await page.goto(address);
      const validity = (name: string) =>
        page.evaluate(`document.querySelector('[name=service]').validity.${name}`);
      expect(await validity('valid')).toBe(true);
      await page.getByLabel('Service').fill('localhost:3000');
      expect(await validity('patternMismatch')).toBe(true);
      await page.getByLabel('Service').fill('https://teamspaces.example.com/api');
      expect(await validity('valid')).toBe(true);
    });

    test('a token that is not valid is an error in the form', async () => {
      context = await browser.newContext({ viewport: DESKTOP });
      page = await newWindow();
      await connect(page, 'none');
      await page.getByRole('alert').getByText(/token/).waitFor();
    });
  });

  describe.each(['light', 'dark'] as const)('%s colours', (colorScheme) => {
    /** What axe finds, one line for each element. */
    const violations = () =>
      page.evaluate(`${AXE}; axe.run().then(({ violations }) => violations.flatMap(
        ({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
          id + ': ' + target.join(' ') + ': ' + failureSummary)))`);

    test('have no problem that axe finds, in any state', async () => {
      const guides = await collection('Guides');
      const { id } = await item('First', guides.id, 'item', { text: 'Welcome!\n\nSit down.' });
      await item('Second', guides.id);
      await collection('Empty');
      context = await browser.newContext({ viewport: DESKTOP, colorScheme });
      page = await newWindow();
      await page.goto(address);
      const look = async (state: string) => {
        await screenshot(page, `tree-app-${state}-${colorScheme}`);
        expect([state, await violations()]).toEqual([state, []]);
      };
      await look('form');
      await connect(page);
      await inTree('Guides(First Second) Empty');
      await look('tree');
      await search('s', '3 results.');
      await look('search');
      // Also in the result that is active.
      await search('down', '1 result.');
      expect(await marksOf(found())).toEqual([['down']]);
      await look('search-pages');
      await search('zan', 'Nothing was found for “zan”.');
      await look('search-nothing');
      await press('Escape');
      await openText('First');
      await look('page');
      await page.getByRole('button', { name: 'Versions' }).click();
      await says('Nobody has overwritten this page yet.');
      await look('versions');
      await page.getByRole('button', { name: 'Versions' }).click();
      await row('Second').focus();
      await press('F2');
      await look('rename');
      await press('Escape', 'Delete');
      await says('“Second” is in the trash.');
      await look('undo');
      await overtake(id, 'Welcome to Acme!\n\nSit down.');
      await field().fill('Hello!');
      await page.getByRole('region', { name: 'Conflict' }).waitFor();
      await look('conflict');
      await page.setViewportSize(PHONE);
      await look('phone');
      await press('Control+k');
      await page.keyboard.type('s');
      await says('2 results.');
      await look('phone-search');
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width).toBe(PHONE.width);
    });
  });
});
