import { OmitType } from '@nestjs/swagger';
import { PageLimit } from '../../http/pagination.js';
import { Property, Schema } from '../../openapi/property.js';
import { Id, OneOf, QueryNumber } from '../../validation/fields.js';
import { CollectionResponse } from '../items/collection.wire.js';
import { DEFAULT_CHANGES, MAX_WAIT } from '../limits.js';
import { CHANGE_CURSOR, type ChangePage, type ChangesQuery } from './change-cursor.js';

/** Query of getChanges. */
export class GetChangesQuery {
  @Id(
    'How far you have read: `cursor` of the last response. Without it, the feed starts with all items.',
    { optional: true },
  )
  cursor?: string;

  @PageLimit(`How many changes to show at most; ${DEFAULT_CHANGES} by default.`) limit?: number;

  @OneOf(
    ['content'],
    '`content` includes the content of pages; a page of the feed then ends after 4 MiB.',
    { optional: true },
  )
  include?: string;

  @QueryNumber(
    { min: 0, max: MAX_WAIT },
    'Seconds to wait for a change if there is none. The response comes with the change, or is empty when the time is over.',
    { optional: true, example: 0 },
  )
  wait?: number;
}

/** @throws DomainError bad_request: the cursor is not one of this feed */
export const toChangesQuery = ({
  cursor,
  limit = DEFAULT_CHANGES,
  include,
  wait = 0,
}: GetChangesQuery): ChangesQuery => ({
  cursor: cursor === undefined ? null : CHANGE_CURSOR.decode(cursor),
  limit,
  withContent: include === 'content',
  wait,
});

@Schema('A collection or page as it is now, without its children.')
export class ChangedItemResponse extends OmitType(CollectionResponse, [
  'children',
  'content',
  'ancestors',
] as const) {
  @Property('Page content, {} on a collection; only with include=content.', {
    optional: true,
    type: 'object',
    additionalProperties: true,
  })
  content?: object;

  @Property(
    'Place among the siblings, an opaque text: siblings sorted by it, byte by byte, are in order.',
  )
  position!: string;
}

@Schema('The present state of an item that has changed.')
export class ChangeResponse {
  @Property('Id of the collection or page.') id!: string;
  @Property('True if it is not in the workspace any more.') deleted!: boolean;
  @Property('The item; absent if it was deleted.', { optional: true }) item?: ChangedItemResponse;
}

@Schema('A page of the feed of changes.')
export class ChangesResponse {
  @Property('In the order of commits.', { type: [ChangeResponse] }) changes!: ChangeResponse[];

  @Property('Where to continue, an opaque text: store it with what you have applied.')
  cursor!: string;

  @Property('False: with the changes up to here applied, you have the tree of one moment.')
  more!: boolean;
}

export const serializeChanges = ({ changes, cursor, more }: ChangePage): string =>
  `{"changes":[${changes.join(',')}],"cursor":"${CHANGE_CURSOR.encode(cursor)}","more":${more}}`;
