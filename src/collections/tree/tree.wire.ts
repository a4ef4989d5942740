import type { JsonText } from '@teamspaces/json-text/json-text';
import { cursorCodec, PageCursor, PageLimit } from '../../http/pagination.js';
import { Schema } from '../../openapi/property.js';
import { Id, Ids, Index, OneOf, QueryNumber } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
import {
  type Cursor,
  type Move,
  type NewItem,
  type NewItems,
  type ObjectKind,
  type Ordering,
  type TreeQuery,
} from '../items/collection.js';
import {
  Content,
  NewItemFields,
  NewParent,
  Parent,
  toItem,
  toParent,
} from '../items/collection-requests.wire.js';
import { OBJECTS } from '../items/item.fields.js';
import { MAX_CREATED, MAX_DEPTH, MAX_ORDERED } from '../limits.js';

/** Query of getCollections. */
export class GetCollectionsQuery {
  @Id('Lists the children of this collection instead of the top level.', {
    optional: true,
    emptyAllowed: true,
  })
  parent?: string;

  @QueryNumber({ min: 1 }, 'Levels to show; a collection at the last level has no `children`.', {
    optional: true,
    example: 2,
  })
  depth?: number;

  @PageLimit('How many items of the top level to show; `Link: rel=next` leads to the rest.')
  limit?: number;

  @PageCursor(' 400 after the list was rearranged: start again without it.') cursor?: string;

  @OneOf(['content'], '`content` includes the content of pages.', { optional: true })
  include?: string;
}

/** @throws DomainError bad_request: the cursor does not come from a Link header */
export function toTreeQuery(query: GetCollectionsQuery): TreeQuery {
  return {
    parentId: query.parent || null,
    depth: query.depth === undefined ? undefined : Math.min(query.depth, MAX_DEPTH),
    limit: query.limit,
    cursor: query.cursor === undefined ? undefined : LIST_CURSOR.decode(query.cursor),
    withContent: query.include === 'content',
  };
}

export const LIST_CURSOR = cursorCodec<Cursor>(
  /^(\d{1,10}) ([0-9A-Za-z]{1,64}) ([\w-]{8})$/,
  ({ rebalances, position, list }) => [rebalances, position, list],
  (rebalances, position = '', list = '') => ({ rebalances: Number(rebalances), position, list }),
);

@Schema('A collection or page to create.', 'NewCollection')
export class NewCollectionRequest extends NewItemFields {
  @Content() content?: JsonText;

  @ListOf(
    () => NewCollectionRequest,
    { min: 0, max: MAX_CREATED },
    'What a collection holds, in order.',
    { optional: true },
  )
  children?: NewCollectionRequest[];
}

@Schema('All items are created, or none.')
export class CreateCollectionsRequest {
  @NewParent() parent?: string | null;

  @Index('Zero-based position of the first among its siblings; absent: at the end.', {
    optional: true,
  })
  index?: number;

  @ListOf(
    () => NewCollectionRequest,
    { max: MAX_CREATED, total: MAX_CREATED, depth: MAX_DEPTH },
    `The items in their order, 1 to ${MAX_CREATED} with all below them.`,
  )
  items!: NewCollectionRequest[];
}

/** Many items to create, with the contract's defaults. */
export function toManyItems({ parent, index, items }: CreateCollectionsRequest): NewItems {
  const toNode = (given: NewCollectionRequest): NewItem => ({
    ...toItem(given),
    children: given.children?.map(toNode) ?? null,
  });
  return { parentId: toParent(parent) ?? null, index, items: items.map(toNode), field: 'items' };
}

@Schema('A move within or to another collection.')
export class ReorderItemRequest {
  @Id('Id of the item to move.', { emptyAllowed: true }) id!: string;

  @Index('Final zero-based position among the siblings; past the end means the end.')
  index!: number;

  @Parent('The current parent (null or "": top level); 409 if the item now has another one.')
  parent?: string | null;

  @Parent('The new parent; absent: the item stays under its parent; null or "": top level.')
  newParent?: string | null;

  @OneOf(OBJECTS, 'What the item is; 422 if it is something else.', { optional: true })
  object?: ObjectKind;
}

/** A move; `""` stands for the top level, as null does. */
export function toMove(body: ReorderItemRequest, ifMatch: string | undefined): Move {
  return {
    id: body.id,
    index: body.index,
    newParentId: toParent(body.newParent),
    expectedParentId: toParent(body.parent),
    expectedObject: body.object,
    ifMatch,
  };
}

@Schema('The complete order of a list.')
export class OrderCollectionsRequest {
  @Parent('Id of the collection whose children these are; null or "": top level.', {
    optional: false,
  })
  parent!: string | null;

  @Ids(
    { max: MAX_ORDERED },
    'Ids of all children, in their final order: those there now, and any from elsewhere in the workspace that are to move in.',
  )
  children!: string[];
}

/** The complete order of a list. */
export const toOrdering = (
  { parent, children }: OrderCollectionsRequest,
  ifMatch: string | undefined,
): Ordering => ({ parentId: parent || null, children, ifMatch });
