import { Marked, type Tokens } from 'marked';
import type { Manual, ManualPage } from './manual.js';
import { escapeHtml } from './pages.js';

/** Where links lead: the addresses depend on the page that shows them. */
export interface LinkBase {
  /** The path from the page to the root of the service: `./`, `../`, … */
  root: string;
  /** Address of the source code, to which links out of the manual lead; null: they become text. */
  repository: string | null;
  /** Where callers reach the service: examples show it in place of the one in the files. */
  publicUrl: string;
}

/** The address of the service in the examples of the files. */
export const EXAMPLE_URL = 'http://localhost:3000';

/** The HTML of a page. Its headings have the anchors that forges give them. */
export function renderPage(manual: Manual, page: ManualPage, base: LinkBase): string {
  const anchors = new Anchors();
  const link = (href: string) => addressOf(manual, page, base, href);
  const marked = new Marked({
    async: false,
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const id = anchors.of(text);
        const shown = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a href="#${id}">${shown}</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const shown = this.parser.parseInline(tokens);
        const address = link(href);
        return address === null ? shown : `<a href="${escapeHtml(address)}">${shown}</a>`;
      },
      // Flags such as `--prune` are not broken after their hyphens (one with its value may be too long for a
      // phone), paths are after their slashes.
      codespan({ text }: Tokens.Codespan): string {
        const words = text.split(' ').map((word) => {
          const shown = escapeHtml(word).replaceAll('/', '/<wbr>');
          return /^--?[a-z-]{1,24}$/.test(word) ? `<span class="flag">${shown}</span>` : shown;
        });
        return `<code>${words.join(' ')}</code>`;
      },
      // Wide tables and long lines scroll by themselves, also by the keyboard.
      table({ header, rows }: Tokens.Table): string {
        const cell = (tag: string, { align, tokens }: Tokens.TableCell, label = '') => {
          const right = align === 'right' ? ' class="right"' : '';
          // On a phone, where a row may become a card.
          const named = label === '' ? '' : ` data-label="${escapeHtml(label)}"`;
          return `<${tag}${right}${named}>${this.parser.parseInline(tokens)}</${tag}>`;
        };
        const labels = header.map(({ text }) => text.replaceAll('`', ''));
        const head = labels.some((label) => label !== '')
          ? `<thead><tr>${header.map((one) => cell('th', one)).join('')}</tr></thead>`
          : '';
        const body = rows
          .map((row) => `<tr>${row.map((one, n) => cell('td', one, labels[n])).join('')}</tr>`)
          .join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
      code({ text }: Tokens.Code): string {
        const shown = text.replaceAll(EXAMPLE_URL, base.publicUrl);
        return `<pre tabindex="0"><code>${escapeHtml(shown)}</code></pre>\n`;
      },
      // Comments are for the tests; pictures are the only other HTML in the manual.
      html({ text }: Tokens.HTML | Tokens.Tag): string {
        return text
          .replace(/<!--[\s\S]*?-->/g, '')
          .replace(
            /(<img [^>]*?src=")([^"]+)("[^>]*>)/g,
            (_, start, src, end) =>
              `<div class="picture" tabindex="0">${start}${link(src) ?? src}${end}</div>`,
          );
      },
    },
  });
  return marked.parse(page.markdown, { async: false });
}

/** Where a link of a page leads; null: to nothing that readers could open. */
export function addressOf(
  manual: Manual,
  page: ManualPage,
  base: LinkBase,
  href: string,
): string | null {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  const inManual = manual.resolve(page.file, href);
  if (inManual !== null) return manualAddress(base.root, inManual);
  if (base.repository === null) return null;
  return new URL(href, `${base.repository}/blob/main/${page.file}`).href;
}

/** @param address below `/manual`, with an anchor or without */
export const manualAddress = (root: string, address: string): string =>
  `${root}manual${/^(#|$)/.test(address) ? '' : '/'}${address}`;

/** The anchors of a page: the same heading twice gets a number. */
export class Anchors {
  private readonly seen = new Map<string, number>();

  /** @param heading its Markdown */
  of(heading: string): string {
    const slug = heading
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = this.seen.get(slug) ?? 0;
    this.seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }
}
