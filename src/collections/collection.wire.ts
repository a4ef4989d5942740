import type { Readable } from 'node:stream';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Id, Index, Name, OneOf } from '../http/fields.js';
import { jsonText } from '../http/json-source.js';
import { answerOf } from '../http/json-stream.js';
import { JsonObject } from '../http/opaque-json.js';
import { type Item, type Move, type NewItem, OBJECTS, type ObjectKind } from './collection.js';

const ID = '019a3f0e-6c1f-7cc3-9d0b-2f6f7a8b9c0f';
const CONTENT = { type: 'doc', text: 'Hello' };

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
    description: 'Id of the parent collection; absent or null: top level.',
    example: null,
  })
  parent?: string | null;

  @JsonObject({
    optional: true,
    description: 'Content of a page: at most 1 MiB of JSON, nested at most 64 deep.',
    example: CONTENT,
  })
  content?: object;
}

@ApiSchema({ name: 'UpdateCollectionRequest', description: 'What is absent stays as it is.' })
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

  @JsonObject({
    optional: true,
    description: 'Content of a page: at most 1 MiB of JSON, nested at most 64 deep.',
    example: CONTENT,
  })
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
    description: 'The current parent (null or "": top level); 409 when it is another by now.',
    example: ID,
  })
  parent?: string | null;

  @Id({
    optional: true,
    nullable: true,
    emptyAllowed: true,
    description: 'The new parent; absent: stays; null or "": top level.',
    example: ID,
  })
  newParent?: string | null;

  @OneOf(OBJECTS, { optional: true, description: 'Must match, where given.', example: 'item' })
  object?: ObjectKind;
}

@ApiSchema({ name: 'CollectionMeta', description: 'Title and slug.' })
export class CollectionMetaResponse {
  @ApiProperty({ description: 'The name.', example: 'Guides' })
  title!: string;

  @ApiProperty({
    description: 'Made of the first name, unique in the workspace; follows no rename.',
    example: 'guides',
  })
  slug!: string;
}

@ApiSchema({ name: 'Collection', description: 'A collection or page.' })
export class CollectionResponse {
  @ApiProperty({ description: 'Id of the collection or page.', example: ID })
  id!: string;

  @ApiProperty({ description: 'Name.', example: 'Guides' })
  name!: string;

  @ApiProperty({
    enum: OBJECTS,
    required: false,
    description: '`collection`, or `item` for a page.',
    example: 'collection',
  })
  object!: ObjectKind;

  @ApiProperty({
    required: false,
    description: 'Id of the parent collection; absent at the top level.',
    example: ID,
  })
  parent?: string;

  @ApiProperty({
    type: () => [CollectionResponse],
    required: false,
    description: 'Children of a collection, in order; absent on pages and where depth cuts.',
    example: [],
  })
  children?: CollectionResponse[];

  @ApiProperty({ description: 'Id of the owning team.', example: ID })
  team!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description: 'Page content, {} on a collection; in lists only with include=content.',
    example: {},
  })
  content?: object;

  @ApiProperty({ description: 'Id of the owning workspace.', example: ID })
  workspace!: string;

  @ApiProperty({ description: 'Title and slug.' })
  meta!: CollectionMetaResponse;

  @ApiProperty({
    format: 'date-time',
    description: 'ISO 8601 UTC with milliseconds.',
    example: '2026-01-01T00:00:00.000Z',
  })
  createdAt!: string;

  @ApiProperty({
    format: 'date-time',
    description: 'ISO 8601 UTC with milliseconds.',
    example: '2026-01-01T00:00:00.000Z',
  })
  updatedAt!: string;
}

/** What to create, with the contract's defaults. */
export function toNewItem(body: CreateCollectionRequest): NewItem {
  return {
    name: body.name ?? 'Untitled',
    object: body.object ?? 'collection',
    parentId: body.parent ?? null,
    content: body.content ? jsonText(body.content) : null,
  };
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

export const toParent = (parent: string | null | undefined): string | null | undefined =>
  parent === '' ? null : parent;

/**
 * The JSON of an item up to its `children`, without the closing brace: a page's content is put in as
 * the text that the database holds, so that it comes back whole and is not parsed on the way.
 */
export function openItem(item: Item, withContent: boolean): string {
  const record = JSON.stringify({
    id: item.id,
    name: item.name,
    object: item.object,
    ...(item.parentId !== null && { parent: item.parentId }),
    team: item.teamId,
    workspace: item.workspaceId,
    meta: { title: item.name, slug: item.slug },
    createdAt: item.createdAt.toISOString(),
    updatedAt: item.updatedAt.toISOString(),
  });
  const open = record.slice(0, -1);
  return withContent ? `${open},"content":${item.content ?? '{}'}` : open;
}

/** A single item with its content and, on a collection, its direct children. */
export const presentItem = (item: Item, children: readonly Item[]): string | Readable =>
  answerOf(itemPieces(item, children));

function* itemPieces(item: Item, children: readonly Item[]): Generator<string> {
  const open = openItem(item, true);
  if (item.object === 'item') {
    yield `${open}}`;
    return;
  }
  yield `${open},"children":[`;
  for (const [n, child] of children.entries()) {
    yield `${n > 0 ? ',' : ''}${openItem(child, false)}}`;
  }
  yield ']}';
}
