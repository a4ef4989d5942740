import type { Manual, ManualPage } from './manual.js';
import { addressOf, EXAMPLE_URL, type LinkBase } from './render.js';

/** What stands for the first page, which has no name. */
const INDEX = 'index';

/** What is code, what is a comment for the tests, and what is a link, in this order of precedence. */
const PARTS =
  /^(?<fence> *)```[\s\S]*?^\k<fence>```$|(?<comment>^ *<!--[\s\S]*?-->\n+)|\[(?<shown>[^\]]*)\]\((?<href>[^)\s]+)\)|(?<code>`[^`\n]*`)|(?<=<img [^>]*?src=")(?<src>[^"]+)/gm;

/**
 * The Markdown of a page, for programs that read nothing else: its links lead to the Markdown of the other pages, wherever
 * the text is read.
 */
export function markdownOf(
  manual: Manual,
  page: ManualPage,
  { repository, publicUrl }: Omit<LinkBase, 'root'>,
): string {
  const base = { root: `${publicUrl}/`, repository, publicUrl };
  const link = (href: string): string | null => {
    const address = href.startsWith('#') ? null : manual.resolve(page.file, href);
    const [path = '', anchor] = address?.split('#') ?? [];
    if (address === null || !manual.page(path)) return addressOf(manual, page, base, href);
    const end = anchor === undefined ? '' : `#${anchor}`;
    return `${base.root}${markdownPath(path)}${end}`;
  };
  return page.markdown.replace(PARTS, (part, ...rest) => {
    const { comment, shown, href, src, code } = rest.at(-1) as Record<string, string | undefined>;
    if (comment !== undefined) return '';
    if (src !== undefined) return link(src) ?? src;
    if (href !== undefined) {
      const address = link(href);
      return address === null ? `${shown}` : `[${shown}](${address})`;
    }
    return code ?? part.replaceAll(EXAMPLE_URL, publicUrl);
  });
}

/** The path of the Markdown of a page, from the root. @param path the address of the page below `/manual` */
export const markdownPath = (path: string): string => `manual/${path || INDEX}.md`;

/** The page whose Markdown is at an address below `/manual`; null: it is not the address of Markdown. */
export function pageOfMarkdown(address: string): string | null {
  if (!address.endsWith('.md')) return null;
  const path = address.slice(0, -'.md'.length);
  return path === INDEX ? '' : path;
}
