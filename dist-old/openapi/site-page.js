export const HTML = 'text/html; charset=utf-8';
/** The styles of pages of text. */
export const textStyles = async (file) => Promise.all(['site.css', 'manual/manual.css', 'manual/contents.css'].map(file));
/** The pages that every page links to, by their path. */
const SITE = {
    manual: 'Manual',
    reference: 'Reference',
    docs: 'Swagger UI',
    'api-reference/errors': 'Errors',
};
/**
 * The bar at the top of every page.
 * @param root the path from the page to the root of the service: `./`, `../`, …
 * @param current the page itself, or the one that it belongs to
 */
export function siteBar(root, current) {
    const links = Object.entries(SITE).map(([path, title]) => `<a href="${root}${path}"${path === current ? ' aria-current="page"' : ''}>${title}</a>`);
    return `<header class="site"><a class="home" href="${root}reference">teamspaces</a>
<nav aria-label="Site">${links.join('\n')}</nav></header>`;
}
/** A page of text: of the manual, or about errors. */
export function textPage(page) {
    const { root, current, title, styles, scripts = [], aside = '', body } = page;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${root}${name}">`).join('\n')}
${scripts.map((name) => `<script src="${root}${name}" defer></script>`).join('\n')}
</head>
<body>
${siteBar(root, current)}
<div class="page">
${aside}
<main>
${body}
</main>
</div>
</body>
</html>
`;
}
export const escapeHtml = (text) => text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
//# sourceMappingURL=site-page.js.map