import { Property, Schema } from '../../openapi/property.js';
import { Id, Index, Name, OneOf, Title } from '../../validation/fields.js';
import { CollectionResponse } from '../items/collection.wire.js';
import { Parent } from '../items/collection-requests.wire.js';
import type { CommandResult } from '../writer/tree-rules.js';

@Schema('What the copy is called, and where it goes.')
export class DuplicateCollectionRequest {
  @Name(
    'Name of the copy; absent: that of the original, or with a `title` its first 32 characters.',
    { optional: true },
  )
  name?: string;

  @Title(
    'Title of the copy; absent: that of the original, unless `name` is another one; null: the name.',
  )
  title?: string | null;

  @Parent(
    'Id of the parent collection; null or "": top level; absent: the parent of the original, or the top level of another workspace.',
  )
  parent?: string | null;

  @Index(
    'Zero-based position among its siblings, past the end means the end; absent: behind the original if `parent` is absent, too, and the workspace is its own; otherwise the end.',
    { optional: true },
  )
  index?: number;

  @Id('Slug of the workspace of the same team that the copy goes to; absent: its own.', {
    optional: true,
  })
  workspace_slug?: string;
}

@Schema('Where the item goes.')
export class TransferCollectionRequest {
  @Id('Slug of another workspace of the same team.') workspace_slug!: string;

  @Parent('Id of the parent collection there; absent, null or "": top level.')
  parent?: string | null;

  @Index('Zero-based position among its siblings; absent or past the end: at the end.', {
    optional: true,
  })
  index?: number;
}

/** Query of a copy. */
export class DuplicateCollectionQuery {
  @OneOf(['ids'], '`ids` adds the id of each copied item, by the id of its original.', {
    optional: true,
  })
  include?: string;
}

@Schema('A copy of a collection or page.')
export class DuplicatedCollectionResponse extends CollectionResponse {
  @Property(
    'With include=ids: the id of each copied item, by the id of its original. Links inside content are not changed.',
    { optional: true, type: 'object', additionalProperties: { type: 'string' } },
  )
  ids?: Record<string, string>;
}

/** The ids of a copy, if they are asked for. */
export const idsShown =
  ({ include }: DuplicateCollectionQuery) =>
  ({ copies }: CommandResult): { ids?: Record<string, string> } =>
    include === 'ids' && copies ? { ids: Object.fromEntries(copies) } : {};
