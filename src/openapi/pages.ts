import { STATUS_CODES } from 'node:http';
import { ERROR_CODES, type ErrorCode } from '../errors/domain-error.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';
import { ERROR_MESSAGES } from './error-messages.js';
import { exampleFailure } from './responses.js';

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

/** The page that every error's doc_url leads to, with an anchor a code. */
export function errorsPage(publicUrl: string, styles: string[]): string {
  const root = '../';
  const links = ERROR_CODES.map(
    (code) => `<li><a href="#${code}">${ERROR_STATUS[code]} <code>${code}</code></a></li>`,
  );
  return textPage({
    root,
    current: 'api-reference/errors',
    title: 'teamspaces errors',
    styles,
    aside: `<aside class="short"><nav aria-label="Errors"><h2>Errors</h2><ul>
${links.join('\n')}
</ul></nav></aside>`,
    body: `<h1>Errors</h1>
<p>Every error is <code>{"error": {"code", "message", "doc_url"}}</code>. The message names what to
change; the code is one of these nine. Below each code are its messages, with … for names, numbers and lists, and
what causes them. The manual explains <a href="${root}manual/errors">how to handle
errors</a> and <a href="${root}manual/retries">which requests to retry</a>; the
<a href="${root}reference">reference</a> lists the errors of each operation.</p>
${ERROR_CODES.map((code) => section(code, publicUrl)).join('\n')}`,
  });
}

function section(code: ErrorCode, publicUrl: string): string {
  const { status, headers, body } = exampleFailure(code, publicUrl);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    '',
    JSON.stringify(body, null, 2),
  ];
  return `<section id="${code}">
<h2><a href="#${code}">${status} <code>${code}</code></a></h2>
<p>${escapeHtml(ERROR_MEANING[code].meaning)}</p>
<p>${escapeHtml(ERROR_MEANING[code].remedy)}</p>
<pre tabindex="0"><code>${escapeHtml(lines.join('\n'))}</code></pre>
${messageTable(code)}
</section>`;
}

function messageTable(code: ErrorCode): string {
  const rows = ERROR_MESSAGES[code].map(
    ([message, cause]) => `<tr><td>${escapeHtml(message)}</td><td>${escapeHtml(cause)}</td></tr>`,
  );
  return `<div class="table" tabindex="0"><table><thead><tr><th>Message</th><th>Cause</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

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
