import { ApiSchema } from '@nestjs/swagger';
import type { JsonText } from '../../json/json-text.js';
import { Ids, Index } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
import { MAX_DEPTH, type NewItem, type NewItems, type Ordering } from '../items/collection.js';
import {
  Content,
  NewItemFields,
  NewParent,
  Parent,
  toItem,
  toParent,
} from '../items/collection-requests.wire.js';

/** Items that one batch makes at most, all levels together. */
const MAX_CREATED = 1000;

@ApiSchema({ name: 'NewCollection', description: 'A collection or page to create.' })
export class NewCollectionRequest extends NewItemFields {
  @Content()
  content?: JsonText;

  @ListOf(
    () => NewCollectionRequest,
    { min: 0, max: MAX_CREATED },
    { optional: true, description: 'What a collection holds, in order.' },
  )
  children?: NewCollectionRequest[];
}

@ApiSchema({ name: 'CreateCollectionsRequest', description: 'All items are created, or none.' })
export class CreateCollectionsRequest {
  @NewParent()
  parent?: string | null;

  @Index({
    optional: true,
    description: 'Zero-based position of the first among its siblings; absent: at the end.',
  })
  index?: number;

  @ListOf(
    () => NewCollectionRequest,
    { max: MAX_CREATED, total: MAX_CREATED, depth: MAX_DEPTH },
    { description: `The items in their order, 1 to ${MAX_CREATED} with all below them.` },
  )
  items!: NewCollectionRequest[];
}

/** Children that one call puts in order at most. */
const MAX_ORDERED = 10_000;

@ApiSchema({ name: 'OrderCollectionsRequest', description: 'The complete order of a list.' })
export class OrderCollectionsRequest {
  @Parent('Id of the collection whose children these are; null or "": top level.', {
    optional: false,
  })
  parent!: string | null;

  @Ids(
    { max: MAX_ORDERED },
    {
      description:
        'Ids of all children, in their final order: those there now, and any from elsewhere in the workspace that are to move in.',
    },
  )
  children!: string[];
}

/** Many items to create, with the contract's defaults. */
export function toManyItems({ parent, index, items }: CreateCollectionsRequest): NewItems {
  const toNode = (given: NewCollectionRequest): NewItem => ({
    ...toItem(given),
    children: given.children?.map(toNode) ?? null,
  });
  return { parentId: toParent(parent) ?? null, index, items: items.map(toNode), field: 'items' };
}

/** The complete order of a list. */
export const toOrdering = (
  { parent, children }: OrderCollectionsRequest,
  ifMatch: string | undefined,
): Ordering => ({ parentId: parent || null, children, ifMatch });
