import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { negotiate } from '@fastify/accept-negotiator';
import { Asset, sendAsset } from '../assets.js';
import { HTML, textStyles } from '../site-page.js';
import { MANUAL_FOLDER, Manual } from './manual.js';
import { manualPage, missingPage } from './manual-page.js';
import { searchEntries } from './search.js';
const PICTURES = { svg: 'image/svg+xml', png: 'image/png' };
/** Folders of an address for which a browser gets a page if it is missing. */
const MAX_DEPTH = 4;
/**
 * Serves the manual: its pages, pictures, and the entries of its search. Each is read and rendered at
 * the first request for it. Addresses are looked up, never resolved in the file system.
 */
export function serveManual(fastify, versioned) {
    const kept = new Map();
    /** Keeps what was made; a failure is not kept. */
    const memoized = (name, make) => {
        const known = kept.get(name);
        if (known)
            return known;
        const made = make();
        kept.set(name, made);
        made.catch(() => kept.delete(name));
        return made;
    };
    const manual = () => memoized('manual', () => Manual.read(MANUAL_FOLDER));
    const files = async () => ({
        styles: await textStyles(versioned),
        scripts: [await versioned('manual/manual.js')],
    });
    /** A page or a picture; null: the manual has none at this address. @param root from there to `/` */
    async function found(path, root) {
        const whole = await manual();
        const page = whole.page(path);
        if (page) {
            return memoized(`${root}${path}`, async () => {
                const place = { root, repository: repositoryOfPackage() };
                const html = manualPage(whole, page, place, await files());
                return Asset.of(Buffer.from(html), HTML);
            });
        }
        if (!whole.hasPicture(path))
            return null;
        const type = `${PICTURES[path.split('.').at(-1) ?? '']}`;
        return memoized(path, () => Asset.read({ file: join(MANUAL_FOLDER, path), type }));
    }
    async function serve(request, reply) {
        const { '*': below } = request.params;
        const path = below ?? '';
        const root = below === undefined ? './' : '../'.repeat(below.split('/').length);
        const asset = await found(path, root);
        if (asset)
            return sendAsset(request, reply, asset);
        const type = negotiate(request.headers.accept ?? '', ['application/json', 'text/html']);
        reply.header('vary', 'accept');
        const isDeep = path.split('/').length > MAX_DEPTH;
        if (type !== 'text/html' || isDeep)
            return reply.callNotFound();
        return reply
            .status(404)
            .type(HTML)
            .send(missingPage(await manual(), root, await files()));
    }
    fastify.get('/manual', serve);
    fastify.get('/manual/*', serve);
    fastify.get('/manual/search.json', async (request, reply) => {
        const entries = memoized('search', async () => {
            const text = JSON.stringify(searchEntries(await manual()));
            return Asset.of(Buffer.from(text), 'application/json; charset=utf-8');
        });
        return sendAsset(request, reply, await entries);
    });
}
/** Where the sources are, by package.json; null: it does not say. */
function repositoryOfPackage() {
    const file = new URL('../../../package.json', import.meta.url);
    const { repository } = JSON.parse(readFileSync(file, 'utf8'));
    return repository ? repository.url.replace(/^git\+|\.git$/g, '') : null;
}
//# sourceMappingURL=serve-manual.js.map