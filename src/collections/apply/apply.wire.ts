import { hash } from 'node:crypto';
import type { JsonText } from '@teamspaces/json-text/json-text';
import { Property, Schema } from '../../openapi/property.js';
import { Flag, Key, Name, OneOf, Title } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
import * as errors from '../errors.js';
import { type ApplyReport, type ObjectKind } from '../items/collection.js';
import { Content, NewParent, toParent } from '../items/collection-requests.wire.js';
import { OBJECTS } from '../items/item.fields.js';
import { MAX_APPLIED, MAX_DEPTH } from '../limits.js';
import type { Manifest, ManifestItem } from './apply-rules.js';

@Schema('A collection or page that should be there.', 'ManifestItem')
export class ManifestItemRequest {
  @Key(
    'What your program calls the item, unique in the workspace: 1 to 512 characters without control characters.',
  )
  key!: string;

  @Name('Name; absent: the first 32 characters of the title, without white space at the ends.', {
    optional: true,
  })
  name?: string;

  @Title(
    'Title, as people see it: `meta.title`. Absent: an item that has the same name keeps its title, otherwise it is the name; null: the name.',
  )
  title?: string | null;

  @OneOf(OBJECTS, '`collection`, or `item` for a page.', { optional: true, default: 'collection' })
  object?: ObjectKind;

  @Content() content?: JsonText;

  @ListOf(
    () => ManifestItemRequest,
    { min: 0, max: MAX_APPLIED },
    'What a collection holds, in order; absent: what lies below is left alone; []: nothing with a key.',
    { optional: true },
  )
  children?: ManifestItemRequest[];
}

@Schema('What should lie below a collection, or at the top level.')
export class ApplyCollectionsRequest {
  @NewParent() parent?: string | null;

  @ListOf(
    () => ManifestItemRequest,
    { max: MAX_APPLIED, total: MAX_APPLIED, depth: MAX_DEPTH },
    `The items in their order, 1 to ${MAX_APPLIED} with all below them.`,
  )
  items!: ManifestItemRequest[];

  @Flag('Moves items below `parent` that have a key and are not in the manifest to the trash.', {
    optional: true,
    default: false,
  })
  prune?: boolean;
}

@Schema(
  'What was done with the items of the manifest. One that was moved and changed counts as both.',
)
export class ApplyReportResponse {
  @Property('Items that were created.', { type: 'integer' }) created!: number;
  @Property('Items that got another name, title or content.', { type: 'integer' }) updated!: number;

  @Property('Items that got another parent, or another place among their siblings.', {
    type: 'integer',
  })
  moved!: number;

  @Property('Items of the manifest that were left alone.', { type: 'integer' }) unchanged!: number;
  @Property('Items that went to the trash.', { type: 'integer' }) pruned!: number;

  @Property('The id of each item of the manifest, by its key.', {
    type: 'object',
    additionalProperties: { type: 'string' },
  })
  ids!: Record<string, string>;
}

/** A manifest, with the contract's defaults. @throws DomainError bad_request: a key appears twice, or an item has no name */
export function toManifest(
  { parent, items, prune = false }: ApplyCollectionsRequest,
  ifMatch: string | undefined,
): Manifest {
  const keys = new Set<string>();
  const toItems = (given: ManifestItemRequest[], field: string): ManifestItem[] =>
    given.map(({ key, name, title, object = 'collection', content, children }, n) => {
      const place = `${field}[${n}].`;
      if ((name ?? title ?? null) === null) throw errors.unnamed(place);
      if (keys.has(key)) throw errors.repeatedKey(place);
      keys.add(key);
      const text = content?.text ?? null;
      return {
        ...{ key, naming: { name, title }, object, place, content: text },
        digest: text === null ? null : hash('sha256', text),
        children: children ? toItems(children, `${place}children`) : null,
      };
    });
  return { parentId: toParent(parent) ?? null, items: toItems(items, 'items'), prune, ifMatch };
}

export const serializeReport = ({ ids, ...counts }: ApplyReport): ApplyReportResponse => ({
  ...counts,
  ids: Object.fromEntries(ids),
});
