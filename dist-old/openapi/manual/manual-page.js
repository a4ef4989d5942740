import { escapeHtml, textPage } from '../site-page.js';
import { manualAddress, renderPage } from './render.js';
/** A page of the manual, beside the table of contents and the search. */
export function manualPage(manual, page, place, files) {
    return textPage({
        ...files,
        root: place.root,
        current: 'manual',
        title: page.path === '' ? 'teamspaces manual' : `${page.title} – teamspaces manual`,
        aside: contents(manual, page.path, place.root),
        body: renderPage(manual, page, place),
    });
}
/** What a browser gets if the manual has no such page. */
export function missingPage(manual, root, files) {
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
function contents(manual, current, root) {
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
//# sourceMappingURL=manual-page.js.map