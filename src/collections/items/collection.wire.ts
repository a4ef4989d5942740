import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { etagOf } from '../../http/etag.js';
import { bodyOf, type JsonBody, JsonText } from '../../http/json-stream.js';
import { serializerOf, type WireOf } from '../../http/record.wire.js';
import {
  type IdempotentWrite,
  idempotentResponse,
  type RequestKey,
} from '../../idempotency/idempotent-write.js';
import { Property, Schema, Time } from '../../openapi/property.js';
import { Key, OneOf } from '../../validation/fields.js';
import { MAX_CHILDREN_WRITTEN } from '../limits.js';
import { type ListedItem, treePieces } from '../tree/tree-json.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { type Item, type ListedChild, type ObjectKind, type ReadItem } from './collection.js';
import { ITEM_FIELDS, OBJECTS } from './item.fields.js';

/** Request header of changes. */
export const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description:
    'ETag that the item must still have; otherwise 409. One from a response that left `children` out stands for the item alone.',
};

/**
 * A GET whose response is JSON as text under an ETag; 304 if the caller has it.
 * @param description what `If-None-Match` is
 */
export const ConditionalGet = (description: string): MethodDecorator =>
  applyDecorators(JsonText(), ApiHeader({ name: 'If-None-Match', required: false, description }));

@Schema('Title and slug.')
export class CollectionMetaResponse {
  @Property('What people see: the title that the item was given, otherwise its name.')
  title!: string;

  @Property(
    'Made from the first title or name, unique in the workspace; does not change on rename.',
  )
  slug!: string;
}

@Schema('A collection or page.')
export class CollectionResponse {
  @Property('Id of the collection or page.') id!: string;
  @Property('Name.') name!: string;

  @Property('`collection`, or `item` for a page.', { optional: true, enum: OBJECTS })
  object!: ObjectKind;

  @Property('Id of the parent collection; absent at the top level.', { optional: true })
  parent?: string;

  @Property('Key that the item was given, unique in the workspace; absent if it has none.', {
    optional: true,
  })
  key?: string;

  @Property(
    `Children of a collection, in order; absent on pages and beyond \`depth\`. The response to a write of a collection with more than ${MAX_CHILDREN_WRITTEN} direct children leaves them out: getCollection and the list have them.`,
    { optional: true, type: () => [CollectionResponse] },
  )
  children?: CollectionResponse[];

  @Property('Id of the owning team.') team!: string;

  @Property('Page content, {} on a collection; in lists only with include=content.', {
    optional: true,
    type: 'object',
    additionalProperties: true,
  })
  content?: object;

  @Property('Id of the owning workspace.') workspace!: string;
  @Property('Title and slug.') meta!: CollectionMetaResponse;
  @Time() createdAt!: string;
  @Time() updatedAt!: string;

  @Property('Id of the person or service that created it; null if it is not known.', {
    optional: true,
    nullable: true,
  })
  createdBy!: string | null;

  @Property('Id of who changed it last, at `updatedAt`; null if it is not known.', {
    optional: true,
    nullable: true,
  })
  updatedBy!: string | null;

  @Property(
    'With include=ancestors: the collections that contain it, from the top level down; otherwise absent.',
    { optional: true, type: () => [AncestorResponse] },
  )
  ancestors?: AncestorResponse[];
}

@Schema('A collection on the way to an item.')
export class AncestorResponse {
  @Property('Id of the collection.') id!: string;
  @Property('Name.') name!: string;
  @Property('Slug.') slug!: string;

  @Property('Title and slug; absent if the title is the name.', { optional: true })
  meta?: CollectionMetaResponse;
}

/** Query of a read of a single item. */
export class GetCollectionQuery {
  @OneOf(
    ['ancestors'],
    '`ancestors` adds the collections that contain the item, read at the same moment. The ETag also covers them; `If-Match` accepts it and compares only the part of the item.',
    { optional: true },
  )
  include?: string;
}

/** Query of a read by key. */
export class GetCollectionByKeyQuery extends GetCollectionQuery {
  @Key('Key of the item.', { example: 'handbook:guides/first-day.md' }) key!: string;
}

/** Query of a deletion. */
export class DeleteCollectionQuery {
  @OneOf(['true', 'false'], '`true`: deletes for good, without the trash.', {
    optional: true,
    default: 'false',
  })
  permanent?: string;
}

const serialize: (
  item: Item,
  more: object,
) => Pick<CollectionResponse, keyof WireOf<typeof ITEM_FIELDS>> = serializerOf(ITEM_FIELDS);

/**
 * The JSON of an item up to its `children`, without the closing brace: a page's content is put in as
 * the text that the database holds, so that it comes back whole and is not parsed on the way.
 */
function openItem(item: Item, withContent: boolean, more = {}): string {
  const record = JSON.stringify(serialize(item, more));
  const open = record.slice(0, -1);
  return withContent ? `${open},"content":${item.content ?? '{}'}` : open;
}

/** A single item, as it was read, with its content and, on a collection, its direct children. */
export const serializeReadItem = (item: ReadItem): Promise<Buffer | string> => {
  const open = `${item.json},"content":${item.content ?? '{}'}`;
  const { ancestors } = item;
  const known = ancestors ? `${open},"ancestors":${JSON.stringify(ancestors)}` : open;
  return bodyOf(itemPieces(known, item, item.children));
};

/**
 * Runs a command and responds with the item that it wrote and its ETag. A collection has its direct children, unless
 * there are more than MAX_CHILDREN_WRITTEN.
 * @param readChildren where the result does not have them: later than the ETag, never earlier, since a child
 *   that changed in between makes it stale; null: too many meanwhile
 * @param more further properties of the item
 */
export async function respondWithWritten(
  key: RequestKey | null,
  reply: FastifyReply,
  run: (write: IdempotentWrite<CommandResult> | null) => Promise<CommandResult>,
  readChildren: (item: Item) => Promise<readonly ListedChild[] | null>,
  more: (result: CommandResult) => object = () => ({}),
): Promise<JsonBody> {
  let written = null as CommandResult | null;
  const response = await idempotentResponse<CommandResult>(
    key,
    (result) => serializeWritten(result, more(result)),
    async (write) => {
      written = await run(write);
      const [item] = written.items as [Item];
      reply.header('etag', written.etag ?? etagOf(item, ''));
      return written;
    },
  );
  if (written?.children !== 'unread') return response;
  const [item] = written.items as [Item];
  const children = await readChildren(item);
  if (children === null) reply.header('etag', etagOf(item, null));
  return bodyOf(itemPieces(openItem(item, true, more(written)), item, children));
}

/** What of a CommandResult is shown. */
type Written = Pick<CommandResult, 'items' | 'children'>;

/**
 * The item that a command wrote, as serializeReadItem() has it. Where its children are not known, it has no
 * content either: a replay reads both.
 * @param more properties of the item
 */
function serializeWritten({ items, children = [] }: Written, more = {}): string {
  const [item] = items as [Item];
  if (children === 'unread') return `${openItem(item, false, more)}}`;
  const shown = children === 'omitted' ? null : children;
  return [...itemPieces(openItem(item, true, more), item, shown)].join('');
}

/** New items as a list shows them: nested, without content. */
export const serializeItems = ({ items }: Written): string => [...piecesOf(items)].join('');

function piecesOf(items: readonly Item[]): Generator<string> {
  const childrenOf = new Map<string | null, ListedItem[]>();
  for (const item of items) {
    const { id, parentId, object } = item;
    const collection = object === 'collection' ? id : null;
    const listed = { collection, parentId, json: openItem(item, false) };
    const siblings = childrenOf.get(parentId);
    if (siblings) siblings.push(listed);
    else childrenOf.set(parentId, [listed]);
  }
  return treePieces(childrenOf, items[0]?.parentId ?? null);
}

function* itemPieces(
  open: string,
  { object }: Pick<Item, 'object'>,
  children: readonly Pick<ListedChild, 'json'>[] | null,
): Generator<string> {
  if (object === 'item' || children === null) {
    yield `${open}}`;
    return;
  }
  yield `${open},"children":[`;
  for (const [n, { json }] of children.entries()) yield n > 0 ? `,${json}` : json;
  yield ']}';
}
