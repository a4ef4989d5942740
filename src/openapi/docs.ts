import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { fileURLToPath } from 'node:url';
import { negotiate } from '@fastify/accept-negotiator';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ASSETS, Asset, assetSender } from '@teamspaces/manual-site/assets';
import { Manual } from '@teamspaces/manual-site/manual';
import { Memo } from '@teamspaces/manual-site/memo';
import { sendMissingPage } from '@teamspaces/manual-site/missing-page';
import {
  escapeHtml,
  HTML,
  type PageSettings,
  referencePage,
  swaggerPage,
  textPage,
  textStyles,
  type Versioned,
} from '@teamspaces/manual-site/pages';
import { serveManual } from '@teamspaces/manual-site/serve-manual';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Config, readPackage } from '../config/config.js';
import { ERROR_CODES, type ErrorCode } from '../errors/domain-error.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';
import { matchesWhole } from '../http/etag.js';
import { ERROR_MESSAGES } from './error-messages.js';
import { llmsText } from './introduction.js';
import { exampleFailure } from './responses.js';
import { inThreeZero, withTypesOfUnions } from './schemas.js';

/** The forms of the OpenAPI document. */
const DOCUMENTS: Record<string, (document: OpenAPIObject) => OpenAPIObject> = {
  'openapi.json': (document) => document,
  'openapi-3.0.json': inThreeZero,
  // For the pages: their requests go to the host that served them.
  'docs/openapi.json': ({ servers = [], ...document }) => ({
    ...(withTypesOfUnions(document) as OpenAPIObject),
    servers: [{ url: '/', description: 'This service' }, ...servers.map(({ url }) => ({ url }))],
  }),
};

/** The page that the doc_url of every error leads to. */
const ERRORS = 'api-reference/errors';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The folder that holds the files of the manual; the same from src/ and from dist/. */
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

const send = assetSender(matchesWhole);

/** Redirect target of a login: the page passes the code of the provider to its opener. */
const LOGIN_RETURN = 'docs/oauth2-redirect.html';

/**
 * Serves the document, Swagger UI, the reference, the page of errors, the manual, and their files. Files
 * are read at the first request, and none comes from another host.
 *
 * Not SwaggerModule.setup(): it would add @fastify/static, sends its files uncompressed and without
 * versions, and the same page to everyone, where a local caller's has a token.
 * @param developmentToken of a service under development, filled in for callers on the same machine
 * @param document called when one of its forms is first requested
 * @returns sends a browser the page for an unknown route
 */
export function serveDocs(
  fastify: FastifyInstance,
  config: Config,
  developmentToken: string | null,
  document: () => OpenAPIObject,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { publicUrl } = config;
  const oidc = loginOf(config);
  const load = async (name: string): Promise<Asset> => {
    const file = ASSETS[name];
    if (file) return Asset.read(file);
    if (name === 'llms.txt') {
      const manual = await Manual.read(PROJECT);
      return Asset.of(llmsText(publicUrl, manual.contents()), 'text/plain; charset=utf-8');
    }
    if (name === ERRORS) return Asset.of(errorsPage(publicUrl, await textStyles(versioned)), HTML);
    return Asset.of(JSON.stringify(DOCUMENTS[name]?.(document())), JSON_TYPE);
  };
  const assets = new Memo();
  const asset = (name: string): Promise<Asset> => assets.get(name, () => load(name));
  const versioned: Versioned = async (name) => `${name}?v=${(await asset(name)).version}`;

  for (const name of [...Object.keys(DOCUMENTS), 'llms.txt', ERRORS, ...Object.keys(ASSETS)]) {
    fastify.get(`/${name}`, async (request, reply) => {
      if (name === LOGIN_RETURN) reply.header('cross-origin-opener-policy', 'unsafe-none');
      return send(request, reply, await asset(name));
    });
  }
  for (const [path, page] of [
    ['/docs', swaggerPage],
    ['/reference', referencePage],
  ] as const) {
    const serve = (root: string) => async (request: FastifyRequest, reply: FastifyReply) => {
      const local = isAtThisMachine(request.socket.remoteAddress, request.headers);
      const token = local ? developmentToken : null;
      return reply
        .type(HTML)
        .header('cache-control', token === null ? 'no-cache' : 'no-store')
        .send(await page({ root, token, oidc }, versioned));
    };
    fastify.get(path, serve('./'));
    fastify.get(`${path}/`, serve('../'));
  }
  const { repository } = readPackage();
  const source = repository?.url.replace(/^git\+|\.git$/g, '') ?? null;
  serveManual(fastify, { project: PROJECT, repository: source, publicUrl, versioned, send });
  // A proxy may serve the service below a path, which it takes away.
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  // Browsers are redirected to the reference, programs to the document.
  fastify.get('/', (request, reply) => {
    const type = negotiate(request.headers.accept ?? '', ['application/json', 'text/html']);
    const page = type === 'text/html' ? '/reference' : '/openapi.json';
    return reply.header('vary', 'accept').redirect(`${base}${page}`);
  });
  return async (request, reply) => sendMissingPage(request, reply, await textStyles(versioned));
}

/**
 * The provider's own login in Swagger UI, by OpenID Connect with PKCE; null if it is not
 * configured.
 */
function loginOf({ docsOidcClientId, issuer, audience }: Config): PageSettings['oidc'] {
  if (docsOidcClientId === null || issuer === null) return null;
  const discovery = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  return { clientId: docsOidcClientId, discovery, audience };
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/**
 * Headers that a proxy adds. A proxy on this machine forwards requests of others, and may rewrite
 * Host.
 */
const OF_PROXIES = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'];

/**
 * Whether a request comes from this machine, and not from a page of another origin. Four ways
 * around that are closed: a neighbour in the network, a page elsewhere that reads this one (it
 * would send an Origin), a foreign name that resolves to this machine, and a proxy on it.
 */
export function isAtThisMachine(address = '', headers: IncomingHttpHeaders): boolean {
  const local = address === '::1' || /^(::ffff:)?127\./.test(address);
  if (OF_PROXIES.some((name) => headers[name] !== undefined)) return false;
  return local && headers.origin === undefined && LOOPBACK.test(headers.host ?? '');
}

/** The page that every error's doc_url leads to, with an anchor a code. */
function errorsPage(publicUrl: string, styles: string[]): string {
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
