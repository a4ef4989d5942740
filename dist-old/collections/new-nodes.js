import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '../database/ids.js';
import { slugsFor } from '../workspaces/slug.js';
/** Milliseconds after which long work leaves the event loop to others. */
const PORTION = 10;
/**
 * Draws ids and slugs for new items, and says how messages call each. In portions: the slug of a name
 * in Chinese takes a tenth of a millisecond.
 */
export async function toNodes(items, field, work = { since: performance.now() }) {
    const nodes = [];
    for (const [n, item] of items.entries()) {
        if (performance.now() - work.since > PORTION) {
            await nextTurn();
            work.since = performance.now();
        }
        const place = field === '' ? '' : `${field}[${n}].`;
        const { wanted, fallback } = slugsFor(item.name);
        const children = item.children && (await toNodes(item.children, `${place}children`, work));
        nodes.push({ ...item, id: newId(), slugs: [wanted, fallback], place, children });
    }
    return nodes;
}
//# sourceMappingURL=new-nodes.js.map