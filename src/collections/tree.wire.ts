import type { Readable } from 'node:stream';
import { badRequest } from '../errors/domain-error.js';
import { Id, OneOf, QueryNumber } from '../http/fields.js';
import { answerOf } from '../http/json-stream.js';
import { type Cursor, type Item, MAX_DEPTH, type Tree, type TreeQuery } from './collection.js';
import { openItem } from './collection.wire.js';
import { PlaceQuery } from './place.wire.js';

/** Response header of getCollections. */
export const LINK_HEADER = {
  Link: {
    description: 'With limit: where the list goes on, `<…>; rel="next"`; absent at its end.',
    schema: { type: 'string' },
  },
} as const;

/** Query of getCollections. */
export class GetCollectionsQuery extends PlaceQuery {
  @Id({
    optional: true,
    emptyAllowed: true,
    description: 'Starts below this collection instead of at the top level.',
  })
  parent?: string;

  @QueryNumber(
    { min: 1 },
    {
      optional: true,
      description: 'Levels to show; a collection that this cuts has no `children`.',
      example: 2,
    },
  )
  depth?: string;

  @QueryNumber(
    { min: 1, max: 1000 },
    {
      optional: true,
      description: "Items of the answer's top level to show; the rest follows `Link: rel=next`.",
      example: 100,
    },
  )
  limit?: string;

  @Id({ optional: true, description: 'Where to go on: from the Link header of the last answer.' })
  cursor?: string;

  @OneOf(['content'], { optional: true, description: '`content` puts the content of pages in.' })
  include?: string;
}

/** @throws DomainError bad_request: the cursor is none of ours */
export function toTreeQuery(query: GetCollectionsQuery): TreeQuery {
  return {
    parentId: query.parent || null,
    depth: query.depth === undefined ? undefined : Math.min(Number(query.depth), MAX_DEPTH),
    limit: query.limit === undefined ? undefined : Number(query.limit),
    cursor: query.cursor === undefined ? undefined : decodeCursor(query.cursor),
    withContent: query.include === 'content',
  };
}

function decodeCursor(text: string): Cursor {
  const parts = Buffer.from(text, 'base64url').toString('latin1').split(' ');
  const [rewrite = '', position = '', list = ''] = parts;
  if (!/^\d{1,18}$/.test(rewrite) || !/^[0-9A-Za-z]{1,64}$/.test(position)) {
    throw badRequest('cursor must be one that a Link header gave');
  }
  return { rewrite, position, list };
}

/** RFC 8288: the same request, going on behind the last item shown. */
export function nextLink(url: string, publicUrl: string, cursor: Cursor): string {
  const { rewrite, position, list } = cursor;
  const next = new URL(url, 'http://localhost');
  const encoded = Buffer.from(`${rewrite} ${position} ${list}`).toString('base64url');
  next.searchParams.set('cursor', encoded);
  return `<${publicUrl}${next.pathname}${next.search}>; rel="next"`;
}

/** The JSON of a tree. */
export const presentTree = (tree: Tree, withContent: boolean): string | Readable =>
  answerOf(pieces(tree, withContent));

/** Walks without recursion, an item a piece: `[` item `,` item … `]`, children nested. */
function* pieces(tree: Tree, withContent: boolean): Generator<string> {
  const open: { items: readonly Item[]; index: number; close: string }[] = [
    { items: tree.top, index: 0, close: ']' },
  ];
  let before = '[';
  for (let level = open.at(-1); level; level = open.at(-1)) {
    const item = level.items[level.index++];
    if (!item) {
      before += level.close;
      open.pop();
      continue;
    }
    if (level.index > 1) before += ',';
    const children = item.object === 'collection' ? tree.childrenOf(item) : undefined;
    if (children) {
      yield `${before}${openItem(item, withContent)},"children":[`;
      before = '';
      open.push({ items: children, index: 0, close: ']}' });
    } else {
      yield `${before}${openItem(item, withContent)}}`;
      before = '';
    }
  }
  yield before;
}
