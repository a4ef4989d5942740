import { jsonTime } from '../../database/pipelined-transaction.js';

// The JSON of items in lists, of which there may be many: PostgreSQL writes it in a fifth of the time
// that it takes here. It is what collection.wire.ts writes of a single item (a test compares them).

/** An item of a list. */
export interface ListedItem {
  /** The id of a collection, by which its children know it; null: a page. */
  collection: string | null;
  parent_id: string | null;
  /** The item's JSON up to its children, without the closing brace. */
  json: string;
}

/** SQL for the JSON of the item `c` up to its content. */
export const ITEM_JSON = `
  '{"id":"' || c.id || '","name":' || to_json(c.name) || ',"object":"' || c.object
    || CASE WHEN c.parent_id IS NULL THEN '' ELSE '","parent":"' || c.parent_id END
    || '","team":"' || c.team_id || '","workspace":"' || c.workspace_id
    || '","meta":{"title":' || to_json(c.name) || ',"slug":"' || c.slug
    || '"},"createdAt":"' || ${jsonTime('c.created_at')}
    || '","updatedAt":"' || ${jsonTime('c.updated_at')} || '"'`;

/** SQL for the columns of a ListedItem of `c`. */
export const listedItem = (withContent: boolean): string => `
  CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id, ${ITEM_JSON}
    ${withContent ? `|| ',"content":' || coalesce(c.content::text, '{}')` : ''} AS json`;

/**
 * The JSON of a tree, in pieces: an item each.
 * @param top the parent of the response's top level
 * @param isCut true for a collection whose children are not shown
 */
export function* treePieces<Row extends ListedItem>(
  childrenOf: ReadonlyMap<string | null, readonly Row[]>,
  top: string | null,
  isCut: (row: Row) => boolean,
): Generator<string> {
  const open: { rows: readonly Row[]; index: number; close: string }[] = [
    { rows: childrenOf.get(top) ?? [], index: 0, close: ']' },
  ];
  let before = '[';
  // Without recursion: trees may be deep.
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const row = level.rows[level.index++];
    if (!row) {
      before += level.close;
      open.pop();
      continue;
    }
    if (level.index > 1) before += ',';
    if (row.collection !== null && !isCut(row)) {
      yield `${before}${row.json},"children":[`;
      open.push({ rows: childrenOf.get(row.collection) ?? [], index: 0, close: ']}' });
    } else yield `${before}${row.json}}`;
    before = '';
  }
  yield before;
}

/**
 * Nests rows that come one behind the other, each before what is below it: all that it remembers is
 * how deep it is.
 */
export class NestedJson {
  /** Lists that are open; the first one is the top level of the response. */
  private open = 1;
  private isFirst = true;

  /** The text up to this row. @param level of the row, from 1 @param isCut its children are not shown */
  add(row: Pick<ListedItem, 'collection' | 'json'>, level: number, isCut: boolean): string {
    const closing = this.closeTo(level);
    const comma = this.isFirst ? '' : ',';
    const opens = row.collection !== null && !isCut;
    this.isFirst = opens;
    if (!opens) return `${closing}${comma}${row.json}}`;
    this.open++;
    return `${closing}${comma}${row.json},"children":[`;
  }

  /** What is left to close behind the last row. */
  end(): string {
    return `${this.closeTo(1)}]`;
  }

  private closeTo(level: number): string {
    const count = this.open - level;
    if (count > 0) this.isFirst = false;
    this.open = level;
    return ']}'.repeat(count);
  }
}
