import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Manual } from '../src/manual.js';
import { markdownOf } from '../src/markdown.js';
import { renderPage } from '../src/render.js';

/** Where callers reach the service: what the examples of the pages show. */
const PUBLIC_URL = 'https://teamspaces.example.com';

describe('a folder of Markdown', () => {
  let folder: string;
  let manual: Manual;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'manual-'));
    const files = {
      'docs/index.md':
        '# First\n\n## Use\n\n- [The one](one.md#part), [gone](gone.md)\n- [The `second`](two.md): what it is\n',
      'docs/one.md':
        '# One\n\n[code](../src/main.ts), [two](two.md), [mcp](../clients/mcp/README.md), <http://elsewhere.example/>\n',
      'docs/two.md':
        '# Two\n\n## A `b`, c\n\n## A `b`, c\n\n<!-- hidden -->\n```sh\na < b http://localhost:3000/teams\n```\n',
      'docs/three.md':
        '# Three\n\n<!-- hidden -->\n```sh\n# [two](two.md)\ncurl http://localhost:3000/ <!-- shown -->\n```\n\n`[two](two.md)` [a\n`b`](two.md#a) [up](index.md) [here](#three) [code](../src/main.ts) <img src="x.svg" alt="">\n',
      'docs/x.svg': '<svg/>',
      'clients/mcp/README.md': '# MCP\n\n[one](../../docs/one.md)\n',
      'clients/mcp/src/NOTES.md': '# Notes\n',
    };
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    manual = await Manual.read(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const rendered = (path: string, repository: string | null = null): string => {
    const page = manual.page(path);
    if (!page) throw new Error(`there is no page ${path}`);
    return renderPage(manual, page, { root: '../', repository, publicUrl: PUBLIC_URL });
  };

  test('has the contents that its index names, and the pages that it does not name', () => {
    expect(manual.contents()).toEqual([
      {
        title: 'Use',
        pages: [
          { path: 'one', title: 'The one', about: '' },
          { path: 'two', title: 'The `second`', about: 'what it is' },
        ],
      },
      { title: 'Other pages', pages: [{ path: 'three', title: 'Three', about: '' }] },
    ]);
  });

  test('leads out of the manual to the repository, or says it as text', () => {
    expect(rendered('one')).toContain('<p>code, <a href="../manual/two">two</a>');
    expect(rendered('one', 'https://forge.example/teamspaces')).toContain(
      '<a href="https://forge.example/teamspaces/blob/main/src/main.ts">code</a>',
    );
    expect(rendered('one')).toContain('<a href="http://elsewhere.example/">');
  });

  test('has the READMEs of the clients and the examples, and nothing else of them', () => {
    expect(manual.pages.map(({ path }) => path)).toEqual([
      ...['clients/mcp', '', 'one', 'three', 'two'],
    ]);
    expect(rendered('one')).toContain('<a href="../manual/clients/mcp">mcp</a>');
    expect(rendered('clients/mcp')).toContain('<a href="../manual/one">one</a>');
  });

  test('is Markdown, too, whose links lead to Markdown wherever it is read', () => {
    const written = (path: string, repository: string | null = null): string => {
      const page = manual.page(path);
      if (!page) throw new Error(`there is no page ${path}`);
      return markdownOf(manual, page, { repository, publicUrl: PUBLIC_URL });
    };
    const at = `${PUBLIC_URL}/manual`;
    expect(written('three')).toBe(
      `# Three\n\n\`\`\`sh\n# [two](two.md)\ncurl ${PUBLIC_URL}/ <!-- shown -->\n\`\`\`\n\n\`[two](two.md)\` [a\n\`b\`](${at}/two.md#a) [up](${at}/index.md) [here](#three) code <img src="${at}/x.svg" alt="">\n`,
    );
    expect(written('three', 'https://forge.example/teamspaces')).toContain(
      '[code](https://forge.example/teamspaces/blob/main/src/main.ts)',
    );
    expect(written('clients/mcp')).toBe(`# MCP\n\n[one](${at}/one.md)\n`);
  });

  test('has the anchors of a forge, text that stays text, and no comments', () => {
    const html = rendered('two');
    expect([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'two',
      'a-b-c',
      'a-b-c-1',
    ]);
    expect(html).toContain(`a &lt; b ${PUBLIC_URL}/teams`);
    expect(html).not.toContain('hidden');
  });
});
