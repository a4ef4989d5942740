import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Manual } from '@teamspaces/manual-site/manual';
import { INSTANCES } from '../support/inside.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

/** Where the service believes to be. */
const PUBLIC_URL = 'http://localhost:3000';

const at = scene({ ada: false });

const get = (path: string, headers: Record<string, string> = {}) =>
  at.with(null).get(path).set(headers).redirects(0);

/** The address of every page. */
async function addresses(): Promise<string[]> {
  const { pages } = await Manual.read('.');
  expect(pages.length).toBeGreaterThan(20);
  return pages.map(({ path }) => (path === '' ? '/manual' : `/manual/${path}`));
}

/** Addresses of this service that a page names, as a browser resolves them. */
const targetsOf = (text: string, path: string): URL[] =>
  [...text.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, target]) => new URL(`${target}`.replaceAll('&amp;', '&'), `http://service${path}`))
    .filter(({ host }) => host === 'service');

const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${id}`);

describe('GET /manual and GET /manual/{page}', () => {
  test('are pages whose files, links and anchors are all here', async () => {
    const known = new Map<string, string>();
    const textOf = async (path: string): Promise<string> => {
      const text = known.get(path) ?? (await page(path));
      known.set(path, text);
      return text;
    };
    async function page(path: string): Promise<string> {
      const { status, text, body } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      return text ?? String(body);
    }
    const paths = [...(await addresses()), '/manual/', '/api-reference/errors'];
    const wrong = await offenders(paths, async (path) => {
      const text = await textOf(path);
      expect(text).toContain('<meta name="viewport" content="width=device-width');
      expect(text).toMatch(/<h1[ >]/);
      expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|style=| on\w+=|<!--/);
      for (const { pathname, search, hash } of targetsOf(text, path)) {
        const target = await textOf(pathname + search);
        const anchor = decodeURIComponent(hash.slice(1));
        if (anchor !== '') expect(anchorsOf(target)).toContain(anchor);
      }
    });
    expect(wrong).toEqual([]);
  });

  test('are also there as Markdown, whose links and anchors are all here', async () => {
    const markdownOf = async (path: string): Promise<string> => {
      const { status, headers, text } = await get(path);
      expect([path, status, headers['content-type']]).toEqual([
        ...[path, 200, 'text/markdown; charset=utf-8'],
      ]);
      return text ?? '';
    };
    const { pages } = await Manual.read('.');
    const known = new Set(pages.map(({ path }) => `/manual/${path || 'index'}.md`));
    const wrong = await offenders([...known], async (path) => {
      const text = await markdownOf(path);
      expect(text).toMatch(/^# \S/);
      const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '').replace(/`[^`\n]*`/g, '');
      expect(prose).not.toMatch(/<!--|\]\((?!https?:|#)/);
      for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname } = new URL(`${target}`, 'http://service');
        if (origin !== PUBLIC_URL || known.has(pathname)) continue;
        expect([pathname, (await get(pathname)).status]).toEqual([pathname, 200]);
      }
    });
    expect(wrong).toEqual([]);
  });

  test('are as long as ever, whatever stands in the address', async () => {
    const lengthOf = async (path: string, accept = 'text/html') => {
      const request = httpRequest(`${at.url}/`, { path, headers: { accept } }).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return [response.statusCode, (await text(response)).length];
    };
    const [status, length = 0] = await lengthOf('/manual/configure');
    expect(status).toBe(200);
    // The router ends a path at `#`, which no browser sends, and which haproxy refuses.
    const [ofHash, bytes = 0] = await lengthOf(`/manual/configure#${'/'.repeat(5_000)}`);
    expect([ofHash, bytes <= length]).toEqual([INSTANCES > 0 ? 400 : 200, true]);
    const [missing, ofMissing = 0] = await lengthOf(`/manual/${'/'.repeat(5_000)}`);
    expect([missing, ofMissing < 1_000]).toEqual([404, true]);
  });

  test('can all be reached from the first page', async () => {
    const reached = new Set(['/manual']);
    for (const path of reached) {
      const { text } = await get(path);
      for (const { pathname } of targetsOf(text ?? '', path)) {
        if (pathname.startsWith('/manual')) reached.add(pathname);
      }
    }
    expect((await addresses()).filter((path) => !reached.has(path))).toEqual([]);
  });

  test('are asked for again with their ETag, and answer HEAD', async () => {
    const { headers } = await get('/manual/concepts', { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBe('br');
    const again = await get('/manual/concepts', {
      'accept-encoding': 'br',
      'if-none-match': `${headers.etag}`,
    });
    expect(again.status).toBe(304);
    const head = await fetch(`${at.url}/manual/concepts`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
  });

  test('send pictures with their type', async () => {
    const { status, headers } = await get('/manual/model.svg');
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });

  const MISSING = [
    '/manual/none',
    '/manual/index',
    '/manual/none.md',
    '/manual/docs/index.md',
    '/manual/concepts/',
    '/manual/..%2fpackage.json',
    '/manual/%2e%2e%2fpackage',
    '/manual/..%5cREADME',
    '/manual/%00',
    '/manual/decisions%2f..%2f..%2fREADME',
  ];

  test('404 in the usual envelope for programs, for anything that is not in the manual', async () => {
    const wrong = await offenders(MISSING, async (path) => {
      const { status, body } = await get(path, { accept: '*/*' });
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    });
    expect(wrong).toEqual([]);
  });

  test('404 with a way back for browsers', async () => {
    const wrong = await offenders(MISSING, async (path) => {
      const { status, headers, text } = await get(path, { accept: 'text/html,*/*;q=0.8' });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      const targets = targetsOf(text, path).map(({ pathname }) => pathname);
      expect(targets).toEqual(expect.arrayContaining(['/manual', '/reference', '/manual/roles']));
    });
    expect(wrong).toEqual([]);
  });
});

interface Entry {
  at: string;
  page: string;
  heading: string;
  words: string[];
  text: string;
}

test('GET /manual/search.json has the words that others use for the topic of a section', async () => {
  const entries = (await get('/manual/search.json')).body as Entry[];
  const wordsOf = (at: string) => entries.find((entry) => entry.at === at)?.words;
  expect(wordsOf('trash#trash')).toContain('soft delete');
  expect(wordsOf('deploy#restarts')).toContain('graceful shutdown');
  expect(wordsOf('trash#restore')).toEqual([]);
  // Each comment belongs to a section, and none is written in another form.
  const { pages } = await Manual.read('.');
  const comments = pages.flatMap(({ markdown }) => markdown.match(/^<!-- *search\b/gm) ?? []);
  const withWords = entries.filter(({ words }) => words.length > 0);
  expect(withWords.length).toBe(comments.length);
  const wrong = withWords.flatMap(({ words }) => words.filter((one) => !/^[a-z0-9 -]+$/.test(one)));
  expect(wrong).toEqual([]);
});

test('GET /manual/search.json names every page, and its addresses are there', async () => {
  const { status, body } = await get('/manual/search.json');
  expect(status).toBe(200);
  const entries = body as Entry[];
  const found = new Set(entries.map((entry) => `/manual/${entry.at.split('#')[0]}`));
  const pages = await addresses();
  expect([...found].map((path) => path.replace(/\/$/, '')).sort()).toEqual(pages.sort());
  for (const path of found) {
    const anchors = anchorsOf((await get(path)).text);
    const named = entries
      .filter(({ at }) => `/manual/${at.split('#')[0]}` === path)
      .map(({ at }) => at.split('#')[1]);
    expect([path, anchors]).toEqual([path, expect.arrayContaining(named)]);
  }
});
