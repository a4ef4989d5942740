import { newId } from '../../database/ids.js';
import { Turn } from '../../event-loop.js';
import { slugsFor } from '../../workspaces/slug.js';
import type { NewItem, NewNode } from './collection.js';

/**
 * Draws ids and slugs for new items, and says how messages call each. In portions: the slug of a name
 * in Chinese takes a tenth of a millisecond.
 */
export async function toNodes(
  items: NewItem[],
  field: string,
  turn = new Turn(),
): Promise<NewNode[]> {
  const nodes: NewNode[] = [];
  for (const [n, item] of items.entries()) {
    if (turn.isOver) await turn.next();
    const place = field === '' ? '' : `${field}[${n}].`;
    const { wanted, fallback } = slugsFor(item.name);
    const children = item.children && (await toNodes(item.children, `${place}children`, turn));
    nodes.push({ ...item, id: newId(), slugs: [wanted, fallback], place, children });
  }
  return nodes;
}
