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
export type SitePath = keyof typeof SITE;

/**
 * The bar at the top of every page.
 * @param root the path from the page to the root of the service: `./`, `../`, …
 * @param current the page itself, or the one that it belongs to
 */
export function siteBar(root: string, current: SitePath): string {
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
  current: SitePath;
  title: string;
  styles: string[];
  scripts?: string[];
  /** HTML beside the text; absent: none. */
  aside?: string;
  /** HTML of the text. */
  body: string;
}

/** A page of text: of the manual, or about errors. */
export function textPage(page: TextPage): string {
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

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
