import { Marked } from 'marked';
import { escapeHtml } from '../site-page.js';
/** The HTML of a page. Its headings have the anchors that forges give them. */
export function renderPage(manual, page, place) {
    const anchors = new Anchors();
    const link = (href) => addressOf(manual, page, place, href);
    const marked = new Marked({
        async: false,
        renderer: {
            heading({ tokens, depth, text }) {
                const id = anchors.of(text);
                const shown = this.parser.parseInline(tokens);
                return `<h${depth} id="${id}"><a href="#${id}">${shown}</a></h${depth}>\n`;
            },
            link({ href, tokens }) {
                const shown = this.parser.parseInline(tokens);
                const address = link(href);
                return address === null ? shown : `<a href="${escapeHtml(address)}">${shown}</a>`;
            },
            // Wide tables and long lines scroll by themselves, also by the keyboard.
            table({ header, rows }) {
                const cell = (tag) => (one) => `<${tag}${one.align === 'right' ? ' class="right"' : ''}>${this.parser.parseInline(one.tokens)}</${tag}>`;
                const head = header.some(({ text }) => text !== '')
                    ? `<thead><tr>${header.map(cell('th')).join('')}</tr></thead>`
                    : '';
                const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n');
                return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
            },
            code({ text }) {
                return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
            },
            // Comments are for the tests; pictures are the only other HTML in the manual.
            html({ text }) {
                return text
                    .replace(/<!--[\s\S]*?-->/g, '')
                    .replace(/(<img [^>]*?src=")([^"]+)"/g, (_, start, src) => `${start}${link(src) ?? src}"`);
            },
        },
    });
    return marked.parse(page.markdown, { async: false });
}
function addressOf(manual, page, place, href) {
    if (/^[a-z]+:/.test(href) || href.startsWith('#'))
        return href;
    const inManual = manual.resolve(page.file, href);
    if (inManual !== null)
        return manualAddress(place.root, inManual);
    if (place.repository === null)
        return null;
    return new URL(href, `${place.repository}/blob/main/docs/${page.file}`).href;
}
/** @param address below `/manual`, with an anchor or without */
export const manualAddress = (root, address) => `${root}manual${/^(#|$)/.test(address) ? '' : '/'}${address}`;
/** The anchors of a page: the same heading twice gets a number. */
export class Anchors {
    seen = new Map();
    /** @param heading its Markdown */
    of(heading) {
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
//# sourceMappingURL=render.js.map