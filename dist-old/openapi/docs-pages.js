import { siteBar } from './site-page.js';
/** Swagger UI. Scripts and styles are files: a strict Content-Security-Policy may stay on. */
export async function swaggerPage(settings, file) {
    return page(settings, 'docs', 'teamspaces API', {
        styles: [
            await file('site.css'),
            await file('docs/swagger-ui.css'),
            await file('docs/docs.css'),
        ],
        body: '<div id="swagger-ui"></div>',
        scripts: [await file('docs/swagger-ui-bundle.js'), await file('docs/swagger-init.js')],
    });
}
/** The same document as a reference, with code samples. */
export async function referencePage(settings, file) {
    return page(settings, 'reference', 'teamspaces API reference', {
        styles: [await file('site.css'), await file('reference/reference.css')],
        body: '<div id="reference"></div>',
        scripts: [await file('reference/scalar.js'), await file('reference/reference-init.js')],
    });
}
function page(settings, current, title, parts) {
    const { styles, body, scripts } = parts;
    const { root } = settings;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="settings" content="${inAttribute(settings)}">
<title>${title}</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${root}${name}">`).join('\n')}
</head>
<body>
${siteBar(root, current)}
<noscript>This page needs JavaScript; the document itself is at <a href="${root}openapi.json">openapi.json</a>.</noscript>
${body}
${scripts.map((name) => `<script src="${root}${name}"></script>`).join('\n')}
</body>
</html>
`;
}
/** JSON whose values cannot end the attribute. */
const inAttribute = (value) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
//# sourceMappingURL=docs-pages.js.map