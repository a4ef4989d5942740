import { badRequest } from '../errors/domain-error.js';
import { Id, OneOf, QueryNumber } from '../http/fields.js';
import { type Cursor, MAX_DEPTH, type TreeQuery } from './collection.js';

/** Response header of getCollections. */
export const LINK_HEADER = {
  Link: {
    description: 'With limit: where the list goes on, `<…>; rel="next"`; absent at its end.',
    schema: { type: 'string' },
  },
} as const;

/** Request header of getCollections. */
export const LIST_IF_NONE_MATCH = {
  name: 'If-None-Match',
  required: false,
  description: 'ETag of this very list that the caller has: 304 while it is current.',
};

/** Response header of getCollections. */
export const LIST_ETAG_HEADER = {
  ETag: {
    description: 'Strong ETag of this very query: it changes with every change of the tree.',
    schema: { type: 'string' },
  },
} as const;

/** Query of getCollections. */
export class GetCollectionsQuery {
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
      description: 'How many items of the top level to show; `Link: rel=next` leads to the rest.',
      example: 100,
    },
  )
  limit?: string;

  @Id({
    optional: true,
    description:
      'Where to go on: the value in the `Link` header of the last answer. 400 once the list was rearranged: start again.',
  })
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
  const [rebalances = '', position = '', list = ''] = parts;
  if (!/^\d{1,9}$/.test(rebalances) || !/^[0-9A-Za-z]{1,64}$/.test(position)) {
    throw badRequest('cursor must be one that a Link header gave');
  }
  return { rebalances: Number(rebalances), position, list };
}

/** RFC 8288: the same request, going on behind the last item shown. */
export function nextLink(url: string, publicUrl: string, cursor: Cursor): string {
  const { rebalances, position, list } = cursor;
  const next = new URL(url, 'http://localhost');
  const encoded = Buffer.from(`${rebalances} ${position} ${list}`).toString('base64url');
  next.searchParams.set('cursor', encoded);
  return `<${publicUrl}${next.pathname}${next.search}>; rel="next"`;
}
