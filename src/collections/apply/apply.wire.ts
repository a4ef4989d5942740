import { hash } from 'node:crypto';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { JsonText } from '@teamspaces/json-text/json-text';
import { Flag, Key, Name, OneOf } from '../../validation/fields.js';
import { ListOf } from '../../validation/lists.js';
import * as errors from '../errors.js';
import { type ApplyReport, type ObjectKind } from '../items/collection.js';
import { Content, NewParent, toParent } from '../items/collection-requests.wire.js';
import { OBJECTS } from '../items/item.fields.js';
import { MAX_APPLIED, MAX_DEPTH } from '../limits.js';
import type { Manifest, ManifestItem } from './apply-rules.js';

@ApiSchema({ name: 'ManifestItem', description: 'A collection or page that should be there.' })
export class ManifestItemRequest {
  @Key({
    description:
      'What your program calls the item, unique in the workspace: 1 to 512 characters without control characters.',
  })
  key!: string;

  @Name({ description: 'Name.' })
  name!: string;

  @OneOf(OBJECTS, {
    optional: true,
    default: 'collection',
    description: '`collection`, or `item` for a page.',
  })
  object?: ObjectKind;

  @Content()
  content?: JsonText;

  @ListOf(
    () => ManifestItemRequest,
    { min: 0, max: MAX_APPLIED },
    {
      optional: true,
      description:
        'What a collection holds, in order; absent: what lies below is left alone; []: nothing with a key.',
    },
  )
  children?: ManifestItemRequest[];
}

@ApiSchema({
  name: 'ApplyCollectionsRequest',
  description: 'What should lie below a collection, or at the top level.',
})
export class ApplyCollectionsRequest {
  @NewParent()
  parent?: string | null;

  @ListOf(
    () => ManifestItemRequest,
    { max: MAX_APPLIED, total: MAX_APPLIED, depth: MAX_DEPTH },
    { description: `The items in their order, 1 to ${MAX_APPLIED} with all below them.` },
  )
  items!: ManifestItemRequest[];

  @Flag({
    optional: true,
    default: false,
    description:
      'Moves items below `parent` that have a key and are not in the manifest to the trash.',
  })
  prune?: boolean;
}

@ApiSchema({
  name: 'ApplyReport',
  description:
    'What was done with the items of the manifest. One that was moved and changed counts as both.',
})
export class ApplyReportResponse {
  @ApiProperty({ type: 'integer', description: 'Items that were created.' })
  created!: number;

  @ApiProperty({ type: 'integer', description: 'Items that got another name or content.' })
  updated!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Items that got another parent, or another place among their siblings.',
  })
  moved!: number;

  @ApiProperty({ type: 'integer', description: 'Items of the manifest that were left alone.' })
  unchanged!: number;

  @ApiProperty({ type: 'integer', description: 'Items that went to the trash.' })
  pruned!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The id of each item of the manifest, by its key.',
  })
  ids!: Record<string, string>;
}

/** A manifest, with the contract's defaults. @throws DomainError bad_request: a key appears twice */
export function toManifest(
  { parent, items, prune = false }: ApplyCollectionsRequest,
  ifMatch: string | undefined,
): Manifest {
  const keys = new Set<string>();
  const toItems = (given: ManifestItemRequest[], field: string): ManifestItem[] =>
    given.map(({ key, name, object = 'collection', content, children }, n) => {
      const place = `${field}[${n}].`;
      if (keys.has(key)) throw errors.repeatedKey(place);
      keys.add(key);
      const text = content?.text ?? null;
      return {
        ...{ key, name, object, place, content: text },
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
