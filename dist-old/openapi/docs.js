import { negotiate } from '@fastify/accept-negotiator';
import { ASSETS, Asset, sendAsset } from './assets.js';
import { referencePage, swaggerPage } from './docs-pages.js';
import { errorsPage } from './errors-page.js';
import { llmsText } from './llms.js';
import { isAtThisMachine } from './local-caller.js';
import { serveManual } from './manual/serve-manual.js';
import { HTML, textStyles } from './site-page.js';
import { inThreeZero } from './three-zero.js';
/** The forms of the OpenAPI document. */
const DOCUMENTS = {
    'openapi.json': (document) => document,
    'openapi-3.0.json': inThreeZero,
    // For the pages: their requests go to the host that served them.
    'docs/openapi.json': ({ servers = [], ...document }) => ({
        ...document,
        servers: [{ url: '/', description: 'This service' }, ...servers.map(({ url }) => ({ url }))],
    }),
};
/** The page that the doc_url of every error leads to. */
const ERRORS = 'api-reference/errors';
/** Redirect target of a login: the page passes the code of the provider to its opener. */
const LOGIN_RETURN = 'docs/oauth2-redirect.html';
/**
 * Serves the document, Swagger UI, the reference, the page of errors, the manual, and their files. Files
 * are read and compressed at the first request, and none comes from another host.
 */
export function serveDocs(fastify, docs) {
    const assets = new Map();
    const asset = (name) => {
        const known = assets.get(name) ?? load(name, docs, versioned);
        assets.set(name, known);
        return known;
    };
    const versioned = async (name) => `${name}?v=${(await asset(name)).version}`;
    for (const name of [...Object.keys(DOCUMENTS), 'llms.txt', ERRORS, ...Object.keys(ASSETS)]) {
        fastify.get(`/${name}`, async (request, reply) => {
            if (name === LOGIN_RETURN)
                reply.header('cross-origin-opener-policy', 'unsafe-none');
            return sendAsset(request, reply, await asset(name));
        });
    }
    for (const [path, page] of [
        ['/docs', swaggerPage],
        ['/reference', referencePage],
    ]) {
        const serve = (root) => async (request, reply) => {
            const local = isAtThisMachine(request.socket.remoteAddress, request.headers);
            const token = local ? docs.developmentToken : null;
            return reply
                .type(HTML)
                .header('cache-control', token === null ? 'no-cache' : 'no-store')
                .send(await page({ root, token, oidc: docs.oidc }, versioned));
        };
        fastify.get(path, serve('./'));
        fastify.get(`${path}/`, serve('../'));
    }
    serveManual(fastify, versioned);
    // Browsers are redirected to the reference, programs to the document.
    fastify.get('/', (request, reply) => {
        const type = negotiate(request.headers.accept ?? '', ['application/json', 'text/html']);
        const page = type === 'text/html' ? '/reference' : '/openapi.json';
        return reply.header('vary', 'accept').redirect(page);
    });
}
async function load(name, docs, versioned) {
    const file = ASSETS[name];
    if (file)
        return Asset.read(file);
    if (name === 'llms.txt') {
        return Asset.of(Buffer.from(llmsText(docs.publicUrl)), 'text/plain; charset=utf-8');
    }
    if (name === ERRORS) {
        const page = errorsPage(docs.publicUrl, await textStyles(versioned));
        return Asset.of(Buffer.from(page), HTML);
    }
    const text = JSON.stringify(DOCUMENTS[name]?.(docs.document()));
    return Asset.of(Buffer.from(text), 'application/json; charset=utf-8');
}
//# sourceMappingURL=docs.js.map