/** Parameters of a documentation page. */
export interface PageSettings {
  /** The path from the page to the root of the service: `./` or `../`. */
  root: string;
  /** A token to fill in; null: none. */
  token: string | null;
  /** The provider's login; null: tokens are pasted. */
  oidc: { clientId: string; discovery: string; audience: string | null } | null;
}

/** Swagger UI. Scripts and styles are files: a strict Content-Security-Policy may stay on. */
export async function swaggerPage(settings: PageSettings, file: Versioned): Promise<string> {
  return page(settings, 'docs', 'teamspaces API', {
    styles: [
      await file('site.css'),
      await file('docs/swagger-ui.css'),
      await file('docs/docs.css'),
    ],
    shows: 'Swagger UI',
    at: 'swagger-ui',
    instead: `<a href="${settings.root}reference">the reference</a>`,
    scripts: [await file('docs/swagger-ui-bundle.js'), await file('docs/swagger-init.js')],
  });
}

/** The same document as a reference, with code samples. */
export async function referencePage(settings: PageSettings, file: Versioned): Promise<string> {
  return page(settings, 'reference', 'teamspaces API reference', {
    styles: [await file('site.css'), await file('reference/reference.css')],
    shows: 'the reference',
    at: 'reference',
    instead: `<a href="${settings.root}docs">Swagger UI</a>`,
    scripts: [await file('reference/scalar.js'), await file('reference/reference-init.js')],
  });
}

interface Parts {
  styles: string[];
  /** What the scripts show. */
  shows: string;
  /** The id of the element that they show it in. */
  at: string;
  /** A link to the page that shows the same. */
  instead: string;
  scripts: string[];
}

function page(settings: PageSettings, current: SitePath, title: string, parts: Parts): string {
  const { root } = settings;
  const { styles, shows, at, instead } = parts;
  const document = `<a href="${root}openapi.json">openapi.json</a>`;
  const remedy = `reload the page, or open ${instead} or ${document}`;
  return htmlPage({
    styles,
    root,
    current,
    title,
    meta: `<meta name="settings" content="${inAttribute(settings)}">`,
    scripts: [],
    // The last script replaces the first sentence: by what the page shows, or by the second one.
    body: `<noscript><p class="notice">This page requires JavaScript. The document itself is at ${document}.</p></noscript>
<div id="${at}"><p class="notice loading" role="status">Loading ${shows} … If it does not appear, ${remedy}.</p></div>
<template id="not-loaded"><p class="notice" role="alert">The browser could not load ${shows}. To try again, ${remedy}.</p></template>
${parts.scripts.map((name) => `<script src="${root}${name}"></script>`).join('\n')}`,
  });
}

/** JSON whose values cannot end the attribute. */
const inAttribute = (value: unknown): string =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export const HTML = 'text/html; charset=utf-8';

/** Address of an asset with its version, so that it may be cached forever. */
export type Versioned = (name: string) => Promise<string>;

/** The styles of pages of text. */
export const textStyles = async (file: Versioned): Promise<string[]> =>
  Promise.all(['site.css', 'manual/manual.css', 'manual/contents.css'].map(file));

/** The pages that every page links to, by their path. */
const SITE = {
  manual: 'Manual',
  reference: 'Reference',
  docs: 'Swagger UI',
  'api-reference/errors': 'Errors',
};
type SitePath = keyof typeof SITE;

/**
 * The bar at the top of every page.
 * @param root the path from the page to the root of the service: `./`, `../`, …
 * @param current the page itself, or the one that it belongs to; null: none of them
 */
function siteBar(root: string, current: SitePath | null): string {
  const links = Object.entries(SITE).map(
    ([path, title]) =>
      `<a href="${root}${path}"${path === current ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return `<header class="site"><a class="home" href="${root}reference">teamspaces</a>
<nav aria-label="Site">${links.join('\n')}</nav></header>`;
}

/** Parts of a page of text. */
interface TextPage {
  root: string;
  current: SitePath | null;
  title: string;
  styles: string[];
  scripts?: string[];
  /** HTML beside the text; absent: none. */
  aside?: string;
  /** HTML of the text. */
  body: string;
}

/** A page of text: of the manual, or about errors. */
export const textPage = ({ aside = '', body, ...page }: TextPage): string =>
  htmlPage({
    ...page,
    meta: '<meta name="color-scheme" content="light dark">',
    body: `<div class="page">
${aside}
<main>
${body}
</main>
</div>`,
  });

/** @param page with `meta`: what its head has beside the usual */
function htmlPage(page: Omit<TextPage, 'aside'> & { meta: string }): string {
  const { root, current, title, meta, styles, scripts = [], body } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${meta}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${root}${name}">`).join('\n')}
${scripts.map((name) => `<script src="${root}${name}" defer></script>`).join('\n')}
</head>
<body>
${siteBar(root, current)}
${body}
</body>
</html>
`;
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
