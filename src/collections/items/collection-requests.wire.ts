import { ApiSchema } from '@nestjs/swagger';
import type { JsonText } from '../../json/json-text.js';
import { Id, Index, JsonObject, Name, OneOf } from '../../validation/fields.js';
import {
  type ItemChanges,
  type Move,
  type NewItem,
  type NewItems,
  OBJECTS,
  type ObjectKind,
} from './collection.js';
import { ID } from './collection.wire.js';

/** A page's content. */
export const Content = () =>
  JsonObject({
    optional: true,
    description: 'Content of a page: at most 1 MiB of JSON, nested at most 64 deep.',
    example: { type: 'doc', text: 'Hello' },
  });

/** The id of a collection, or null or `""` for the top level: toParent() makes one of the two. */
export const Parent = (
  description: string,
  { optional = true, example = ID as string | null } = {},
) => Id({ optional, nullable: true, emptyAllowed: true, description, example });

/** Where new items go. */
export const NewParent = () =>
  Parent('Id of the parent collection; absent, null or "": top level.', { example: null });

/** What every new collection or page has, alone or in a batch. */
export class NewItemFields {
  @Name({ optional: true, default: 'Untitled', description: 'Name.', example: 'Guides' })
  name?: string;

  @OneOf(OBJECTS, {
    optional: true,
    default: 'collection',
    description: '`collection`, or `item` for a page.',
    example: 'collection',
  })
  object?: ObjectKind;
}

@ApiSchema({ name: 'CreateCollectionRequest', description: 'A new collection or page.' })
export class CreateCollectionRequest extends NewItemFields {
  @NewParent()
  parent?: string | null;

  @Content()
  content?: JsonText;

  @Index({
    optional: true,
    description: 'Zero-based position among its siblings; absent or past the end: at the end.',
  })
  index?: number;
}

@ApiSchema({
  name: 'UpdateCollectionRequest',
  description: 'Absent properties are left unchanged.',
})
export class UpdateCollectionRequest {
  @Name({ optional: true, description: 'Name; the slug stays.' })
  name?: string;

  @Parent('Moves to the end of this collection; null or "": to the end of the top level.')
  parent?: string | null;

  @Content()
  content?: JsonText;
}

@ApiSchema({ name: 'ReorderItemRequest', description: 'A move within or to another collection.' })
export class ReorderItemRequest {
  @Id({ emptyAllowed: true, description: 'Id of the item to move.' })
  id!: string;

  @Index({
    description: 'Final zero-based position among the siblings; past the end means the end.',
  })
  index!: number;

  @Parent('The current parent (null or "": top level); 409 if the item now has another one.')
  parent?: string | null;

  @Parent('The new parent; absent: the item stays under its parent; null or "": top level.')
  newParent?: string | null;

  @OneOf(OBJECTS, {
    optional: true,
    description: 'What the item is; 422 if it is something else.',
  })
  object?: ObjectKind;
}

/** A new item, with the contract's defaults. */
export const toItem = ({
  name,
  object,
  content,
}: NewItemFields & { content?: JsonText }): NewItem => ({
  name: name ?? 'Untitled',
  object: object ?? 'collection',
  content: content?.text ?? null,
  children: null,
});

/** One item to create. */
export const toNewItems = (body: CreateCollectionRequest): NewItems => ({
  parentId: toParent(body.parent) ?? null,
  index: body.index,
  items: [toItem(body)],
  field: '',
});

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
    content: body.content?.text,
    ifMatch,
  };
}

/** `""` stands for the top level, as null does; absent stays absent. */
export const toParent = (parent: string | null | undefined): string | null | undefined =>
  parent === '' ? null : parent;
