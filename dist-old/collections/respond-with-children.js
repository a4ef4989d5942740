import { idempotentResponse, } from '../idempotency/idempotent-write.js';
import { serializeItem, serializeWithChildren } from './collection.wire.js';
/**
 * Carries out a command that writes a whole subtree, and responds with the item and its direct children.
 * Under an Idempotency-Key, an item with many children is stored without them: a replay reads them.
 * @param more further properties of the item
 */
export async function respondWithChildren(key, reply, run, more = () => ({})) {
    let large = null;
    const response = await idempotentResponse(key, (result) => serializeWithChildren(result, more(result)), async (write) => {
        const written = await run(write);
        const { items, children, etag } = written;
        reply.header('etag', etag);
        if (children)
            large = await serializeItem(items[0], children, more(written));
        return written;
    });
    return large ?? response;
}
//# sourceMappingURL=respond-with-children.js.map