import { ApiProperty, ApiSchema, OmitType, PickType } from '@nestjs/swagger';
import { MetaResponse } from '../../http/record.wire.js';
import { OneOf, QueryNumber, Text } from '../../validation/fields.js';
import type { ObjectKind } from '../items/collection.js';
import { AncestorResponse, CollectionResponse } from '../items/collection.wire.js';
import { OBJECTS } from '../items/item.fields.js';
import { DEFAULT_HITS, MAX_HITS, MAX_QUESTION } from '../limits.js';
import type { SearchHit, SearchQuery } from './search.repository.js';

/** Query of both searches. */
export class SearchNamesQuery {
  @Text(
    { min: 1, max: MAX_QUESTION, notBlank: true },
    {
      description:
        'What to look for. Each word must occur somewhere in the name; letter case does not matter. An item whose slug is exactly this is found, too.',
      example: 'first',
    },
  )
  q!: string;

  @OneOf(OBJECTS, { optional: true, description: 'Finds only collections, or only pages.' })
  object?: ObjectKind;

  @QueryNumber(
    { min: 1, max: MAX_HITS },
    {
      optional: true,
      description: `How many items to return at most; ${DEFAULT_HITS} by default.`,
      example: DEFAULT_HITS,
    },
  )
  limit?: number;
}

/** White space at the ends. */
const EDGES = /^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu;

export const toSearchQuery = ({
  q,
  object,
  limit = DEFAULT_HITS,
}: SearchNamesQuery): SearchQuery => ({
  text: q.replace(EDGES, ''),
  object: object ?? null,
  limit,
});

@ApiSchema({ name: 'WorkspaceMeta', description: 'Name and slug of a workspace.' })
class WorkspaceMetaResponse extends PickType(MetaResponse, ['title', 'slug'] as const) {}

@ApiSchema({
  name: 'FoundCollection',
  description: 'A collection or page that was found, and where it is.',
})
export class FoundCollectionResponse extends OmitType(CollectionResponse, [
  'children',
  'content',
  'ancestors',
] as const) {
  @ApiProperty({
    type: [AncestorResponse],
    description: 'The collections that contain it, from the top level down.',
  })
  ancestors!: AncestorResponse[];

  @ApiProperty({ description: 'The workspace that it is in.' })
  workspaceMeta!: WorkspaceMetaResponse;
}

export const serializeHits = (hits: readonly SearchHit[]): string =>
  `[${hits.map(serializeHit).join(',')}]`;

const serializeHit = ({ json, ancestors, workspace }: SearchHit): string =>
  `${json},"ancestors":${JSON.stringify(ancestors)},"workspaceMeta":${JSON.stringify(workspace)}}`;
