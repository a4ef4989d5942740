import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Asset, type SendAsset } from './assets.js';
import { Manual, type ManualPage } from './manual.js';
import { markdownOf, pageOfMarkdown } from './markdown.js';
import { Memo } from './memo.js';
import { expectsPage } from './missing-page.js';
import { escapeHtml, HTML, textPage, textStyles, type Versioned } from './pages.js';
import { type LinkBase, manualAddress, renderPage } from './render.js';
import { searchEntries } from './search-entries.js';

const MARKDOWN = 'text/markdown; charset=utf-8';
const PICTURES: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png' };

interface ManualOptions extends Pick<LinkBase, 'repository' | 'publicUrl'> {
  /** The folder that holds `docs`, `clients` and `examples`. */
  project: string;
  versioned: Versioned;
  send: SendAsset;
}

/**
 * Serves the manual: its pages, each also as Markdown, its pictures, and the entries of its search. Each is read and
 * rendered at the first request for it. Addresses are looked up, never resolved in the file system.
 */
export function serveManual(
  fastify: FastifyInstance,
  { project, repository, publicUrl, versioned, send }: ManualOptions,
): void {
  const memo = new Memo();
  const manual = () => memo.get('manual', () => Manual.read(project));
  const files = async () => ({
    styles: await textStyles(versioned),
    scripts: [await versioned('manual/manual.js')],
  });

  /** A page, its Markdown or a picture; null: the manual has none at this address. @param root from there to `/` */
  async function found(path: string, root: string): Promise<Asset | null> {
    const whole = await manual();
    const page = whole.page(path);
    if (page) {
      return memo.get(`${root}${path}`, async () => {
        const base = { root, repository, publicUrl };
        const html = manualPage(whole, page, base, await files());
        return Asset.of(html, HTML);
      });
    }
    const source = pageOfMarkdown(path);
    const written = source === null ? undefined : whole.page(source);
    if (written) {
      const text = () => markdownOf(whole, written, { repository, publicUrl });
      return memo.get(path, async () => Asset.of(text(), MARKDOWN));
    }
    const picture = whole.picture(path);
    if (!picture) return null;
    const type = `${PICTURES[path.split('.').at(-1) ?? '']}`;
    return memo.get(path, () => Asset.read({ file: join(project, picture), type }));
  }

  async function serve(request: FastifyRequest, reply: FastifyReply) {
    const { '*': below } = request.params as { '*'?: string };
    const path = below ?? '';
    const root = below === undefined ? './' : '../'.repeat(below.split('/').length);
    const asset = await found(path, root);
    if (asset) return send(request, reply, asset);
    if (!expectsPage(request)) return reply.callNotFound();
    return reply
      .status(404)
      .header('vary', 'accept')
      .type(HTML)
      .send(missingPage(await manual(), root, await files()));
  }

  fastify.get('/manual', serve);
  fastify.get('/manual/*', serve);
  fastify.get('/manual/search.json', async (request, reply) => {
    const entries = memo.get('search', async () => {
      const text = JSON.stringify(searchEntries(await manual()));
      return Asset.of(text, 'application/json; charset=utf-8');
    });
    return send(request, reply, await entries);
  });
}

interface Files {
  styles: string[];
  scripts: string[];
}

/** A page of the manual, beside the table of contents and the search. */
function manualPage(manual: Manual, page: ManualPage, base: LinkBase, files: Files): string {
  return textPage({
    ...files,
    root: base.root,
    current: 'manual',
    title: page.path === '' ? 'teamspaces manual' : `${page.title} – teamspaces manual`,
    aside: contents(manual, page.path, base.root),
    body: renderPage(manual, page, base),
  });
}

/** What a browser gets if the manual has no such page. */
function missingPage(manual: Manual, root: string, files: Files): string {
  return textPage({
    ...files,
    root,
    current: 'manual',
    title: 'Page not found – teamspaces manual',
    aside: contents(manual, null, root),
    body: `<h1>Page not found</h1>
<p>The manual has no page at this address. Start at <a href="${root}manual">its first page</a>.</p>`,
  });
}

/** @param current the address of the page that shows it; null: none of the manual */
function contents(manual: Manual, current: string | null, root: string): string {
  const sections = manual.contents().map(({ title, pages }) => {
    const links = pages.map(({ path, title }) => {
      const mark = path === current ? ' aria-current="page"' : '';
      return `<li><a href="${manualAddress(root, path)}"${mark}>${escapeHtml(title)}</a></li>`;
    });
    return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${links.join('\n')}\n</ul>`;
  });
  return `<aside>
<search hidden data-root="${root}">
<input type="search" placeholder="Search the manual" aria-label="Search the manual">
<ol aria-label="Search results" aria-live="polite"></ol>
</search>
<details class="contents" open>
<summary>Contents</summary>
<nav aria-label="Manual">
${sections.join('\n')}
</nav>
</details>
</aside>`;
}
