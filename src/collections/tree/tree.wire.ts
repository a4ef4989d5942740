import { decodeCursor, encodeCursor, PageCursor, PageLimit } from '../../http/pagination.js';
import { Id, OneOf, QueryNumber } from '../../validation/fields.js';
import { type Cursor, MAX_DEPTH, type TreeQuery } from '../items/collection.js';

/** Query of getCollections. */
export class GetCollectionsQuery {
  @Id({
    optional: true,
    emptyAllowed: true,
    description: 'Lists the children of this collection instead of the top level.',
  })
  parent?: string;

  @QueryNumber(
    { min: 1 },
    {
      optional: true,
      description: 'Levels to show; a collection at the last level has no `children`.',
      example: 2,
    },
  )
  depth?: number;

  @PageLimit('How many items of the top level to show; `Link: rel=next` leads to the rest.')
  limit?: number;

  @PageCursor(' 400 after the list was rearranged: start again without it.')
  cursor?: string;

  @OneOf(['content'], { optional: true, description: '`content` includes the content of pages.' })
  include?: string;
}

/** @throws DomainError bad_request: the cursor is none of ours */
export function toTreeQuery(query: GetCollectionsQuery): TreeQuery {
  return {
    parentId: query.parent || null,
    depth: query.depth === undefined ? undefined : Math.min(query.depth, MAX_DEPTH),
    limit: query.limit,
    cursor: query.cursor === undefined ? undefined : toCursor(query.cursor),
    withContent: query.include === 'content',
  };
}

/** Rebalances, position and list. */
const CURSOR = /^(\d{1,9}) ([0-9A-Za-z]{1,64}) ([\w-]{8})$/;

function toCursor(text: string): Cursor {
  const [rebalances, position = '', list = ''] = decodeCursor(text, CURSOR);
  return { rebalances: Number(rebalances), position, list };
}

export const textOfCursor = ({ rebalances, position, list }: Cursor): string =>
  encodeCursor(String(rebalances), position, list);
