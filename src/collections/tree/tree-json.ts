/** An item of a list. */
export interface ListedItem {
  /** The id of a collection, by which its children know it; null: a page. */
  collection: string | null;
  parentId: string | null;
  /** The item's JSON up to its children, without the closing brace. */
  json: string;
}

/**
 * The JSON of a tree, in pieces: an item each.
 * @param top the parent of the response's top level
 */
export function* treePieces(
  childrenOf: ReadonlyMap<string | null, readonly ListedItem[]>,
  top: string | null,
): Generator<string> {
  const open: { rows: readonly ListedItem[]; index: number; close: string }[] = [
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
    if (row.collection !== null) {
      yield `${before}${row.json},"children":[`;
      open.push({ rows: childrenOf.get(row.collection) ?? [], index: 0, close: ']}' });
    } else yield `${before}${row.json}}`;
    before = '';
  }
  yield before;
}

/** An item of a list. */
export interface NestedRow extends Pick<ListedItem, 'collection' | 'json'> {
  /** From 1. */
  level: number;
}

/**
 * Nests rows that come one after the other, each before what is below it: all that it remembers is
 * how deep it is.
 */
export class NestedJson {
  /** Lists that are open; the first one is the top level of the response. */
  private open = 1;
  private isFirst = true;

  /** @param depth levels to show */
  constructor(private readonly depth = Number.POSITIVE_INFINITY) {}

  /** The text up to this row. */
  add({ collection, json, level }: NestedRow): string {
    const closing = this.closeTo(level);
    const comma = this.isFirst ? '' : ',';
    const opens = collection !== null && level < this.depth;
    this.isFirst = opens;
    if (!opens) return `${closing}${comma}${json}}`;
    this.open++;
    return `${closing}${comma}${json},"children":[`;
  }

  /** What is left to close after the last row. */
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
