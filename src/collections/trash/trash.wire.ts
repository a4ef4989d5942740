import { Property, Schema } from '../../openapi/property.js';
import { Index } from '../../validation/fields.js';
import { DeletedResponse, serializeDeleted } from '../../workspaces/trash/workspace-trash.wire.js';
import type { ObjectKind } from '../items/collection.js';
import { CollectionMetaResponse } from '../items/collection.wire.js';
import { Parent } from '../items/collection-requests.wire.js';
import { OBJECTS } from '../items/item.fields.js';
import type { ListedDeletion } from './trash.repository.js';

@Schema('A deleted item with all that was below it.')
export class DeletionResponse extends DeletedResponse {
  @Property('Id of the deleted collection or page.') id!: string;
  @Property('Name.') name!: string;

  @Property('Title and slug; absent if the title is the name.', { optional: true })
  meta?: CollectionMetaResponse;

  @Property('`collection`, or `item` for a page.', { enum: OBJECTS }) object!: ObjectKind;

  @Property('Id of the parent that it had; absent at the top level.', { optional: true })
  parent?: string;

  @Property('Pages in the deletion.', { type: 'integer' }) pages!: number;
  @Property('Collections in the deletion.', { type: 'integer' }) collections!: number;
}

@Schema('Where the item goes.')
export class RestoreRequest {
  @Parent(
    'Id of the parent collection; null or "": top level; absent: the parent that it had, or the end of the top level if that is gone.',
  )
  parent?: string | null;

  @Index(
    'Zero-based position among its siblings, past the end means the end; absent: the place that it had. Without `parent`, it is ignored if the former parent is gone: the item goes to the end of the top level.',
    { optional: true },
  )
  index?: number;
}

export const serializeDeletion = ({
  title,
  slug,
  ...deletion
}: ListedDeletion): DeletionResponse => ({
  id: deletion.id,
  name: deletion.name,
  ...(title !== deletion.name && { meta: { title, slug } }),
  object: deletion.object,
  ...(deletion.parentId !== null && { parent: deletion.parentId }),
  pages: deletion.pages,
  collections: deletion.collections,
  ...serializeDeleted(deletion),
});
