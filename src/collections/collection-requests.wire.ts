import { ApiSchema } from '@nestjs/swagger';
import { Id, Ids, Index, Name, OneOf } from '../http/fields.js';
import { jsonText } from '../http/json-source.js';
import { ListOf } from '../http/lists.js';
import { JsonObject } from '../http/opaque-json.js';
import {
  type ItemChanges,
  MAX_DEPTH,
  type Move,
  type NewItem,
  type NewItems,
  OBJECTS,
  type ObjectKind,
  type Ordering,
} from './collection.js';

const ID = '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0f';

/** A page's content. */
const Content = () =>
  JsonObject({
    optional: true,
    description: 'Content of a page: at most 1 MiB of JSON, nested at most 64 deep.',
    example: { type: 'doc', text: 'Hello' },
  });

@ApiSchema({ name: 'CreateCollectionRequest', description: 'A new collection or page.' })
export class CreateCollectionRequest {
  @Name({ optional: true, default: 'Untitled', description: 'Name.', example: 'Guides' })
  name?: string;

  @OneOf(OBJECTS, {
    optional: true,
    default: 'collection',
    description: '`collection`, or `item` for a page.',
    example: 'item',
  })
  object?: ObjectKind;

  @Id({
    optional: true,
    nullable: true,
    emptyAllowed: true,
    description: 'Id of the parent collection; absent, null or "": top level.',
    example: null,
  })
  parent?: string | null;

  @Content()
  content?: object;

  @Index({
    optional: true,
    description: 'Zero-based position among its siblings; absent or past the end: at the end.',
    example: 0,
  })
  index?: number;
}

@ApiSchema({ name: 'UpdateCollectionRequest', description: 'Absent properties stay as they are.' })
export class UpdateCollectionRequest {
  @Name({ optional: true, description: 'Name; the slug stays.', example: 'Guides' })
  name?: string;

  @Id({
    optional: true,
    nullable: true,
    emptyAllowed: true,
    description: 'Moves to the end of this collection; null or "": to the end of the top level.',
    example: ID,
  })
  parent?: string | null;

  @Content()
  content?: object;
}

@ApiSchema({ name: 'ReorderItemRequest', description: 'A move within or to another collection.' })
export class ReorderItemRequest {
  @Id({ emptyAllowed: true, description: 'Id of the item to move.', example: ID })
  id!: string;

  @Index({
    description: 'Final zero-based position among the siblings; past the end means the end.',
    example: 0,
  })
  index!: number;

  @Id({
    optional: true,
    nullable: true,
    emptyAllowed: true,
    description:
      'The current parent (null or "": top level); 409 when the item has another one by now.',
    example: ID,
  })
  parent?: string | null;

  @Id({
    optional: true,
    nullable: true,
    emptyAllowed: true,
    description: 'The new parent; absent: the item stays under its parent; null or "": top level.',
    example: ID,
  })
  newParent?: string | null;

  @OneOf(OBJECTS, {
    optional: true,
    description: 'What the item is; 422 when it is something else.',
    example: 'item',
  })
  object?: ObjectKind;
}

/** Items that one batch makes at most, all levels together. */
const MOST_CREATED = 1000;

@ApiSchema({ name: 'NewCollection', description: 'A collection or page to create.' })
export class NewCollectionRequest {
  @Name({ optional: true, default: 'Untitled', description: 'Name.', example: 'Guides' })
  name?: string;

  @OneOf(OBJECTS, {
    optional: true,
    default: 'collection',
    description: '`collection`, or `item` for a page.',
    example: 'collection',
  })
  object?: ObjectKind;

  @Content()
  content?: object;

  @ListOf(
    () => NewCollectionRequest,
    { min: 0, max: MOST_CREATED },
    { optional: true, description: 'What a collection holds, in order.', example: [] },
  )
  children?: NewCollectionRequest[];
}

@ApiSchema({ name: 'CreateCollectionsRequest', description: 'All items are created, or none.' })
export class CreateCollectionsRequest {
  @Id({
    optional: true,
    nullable: true,
    emptyAllowed: true,
    description: 'Id of the parent collection; absent, null or "": top level.',
    example: null,
  })
  parent?: string | null;

  @Index({
    optional: true,
    description: 'Zero-based position of the first among its siblings; absent: at the end.',
    example: 0,
  })
  index?: number;

  @ListOf(
    () => NewCollectionRequest,
    { max: MOST_CREATED, total: MOST_CREATED, depth: MAX_DEPTH },
    { description: `The items in their order, 1 to ${MOST_CREATED} with all below them.` },
  )
  items!: NewCollectionRequest[];
}

/** Children that one call puts in order at most. */
const MOST_ORDERED = 10_000;

@ApiSchema({ name: 'OrderCollectionsRequest', description: 'The complete order of a list.' })
export class OrderCollectionsRequest {
  @Id({
    nullable: true,
    emptyAllowed: true,
    description: 'Id of the collection whose children these are; null or "": top level.',
    example: null,
  })
  parent!: string | null;

  @Ids(
    { max: MOST_ORDERED },
    {
      description:
        'Ids of all children, in their final order: those there now, and any from elsewhere in the workspace that are to move in.',
      example: [ID],
    },
  )
  children!: string[];
}

/** Many items to create, with the contract's defaults. */
export function toManyItems({ parent, index, items }: CreateCollectionsRequest): NewItems {
  const toItem = (given: NewCollectionRequest): NewItem => ({
    name: given.name ?? 'Untitled',
    object: given.object ?? 'collection',
    content: given.content ? jsonText(given.content) : null,
    children: given.children?.map(toItem) ?? null,
  });
  return { parentId: toParent(parent) ?? null, index, items: items.map(toItem), field: 'items' };
}

/** The complete order of a list. */
export const toOrdering = (
  { parent, children }: OrderCollectionsRequest,
  ifMatch: string | undefined,
): Ordering => ({ parentId: parent || null, children, ifMatch });

/** What to create, with the contract's defaults. */
export function toNewItems(body: CreateCollectionRequest): NewItems {
  const item = {
    name: body.name ?? 'Untitled',
    object: body.object ?? 'collection',
    content: body.content ? jsonText(body.content) : null,
    children: null,
  };
  return { parentId: toParent(body.parent) ?? null, index: body.index, items: [item], field: '' };
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

/** What to change; what is absent stays. */
export function toChanges(body: UpdateCollectionRequest, ifMatch: string | undefined): ItemChanges {
  return {
    name: body.name,
    parentId: toParent(body.parent),
    content: body.content && jsonText(body.content),
    ifMatch,
  };
}

const toParent = (parent: string | null | undefined): string | null | undefined =>
  parent === '' ? null : parent;
