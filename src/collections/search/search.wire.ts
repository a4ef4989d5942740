import { OmitType, PickType } from '@nestjs/swagger';
import { MetaResponse } from '../../http/record.wire.js';
import { Property, Schema } from '../../openapi/property.js';
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
    'What to look for. Each word must occur somewhere in the title; letter case does not matter. An item whose slug is exactly this is found, too.',
    { example: 'first' },
  )
  q!: string;

  @OneOf(OBJECTS, 'Finds only collections, or only pages.', { optional: true }) object?: ObjectKind;

  @QueryNumber(
    { min: 1, max: MAX_HITS },
    `How many items to return at most; ${DEFAULT_HITS} by default.`,
    { optional: true, example: DEFAULT_HITS },
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

@Schema('Name and slug of a workspace.')
class WorkspaceMetaResponse extends PickType(MetaResponse, ['title', 'slug'] as const) {}

@Schema('A collection or page that was found, and where it is.')
export class FoundCollectionResponse extends OmitType(CollectionResponse, [
  'children',
  'content',
  'ancestors',
] as const) {
  @Property('The collections that contain it, from the top level down.', {
    type: [AncestorResponse],
  })
  ancestors!: AncestorResponse[];

  @Property('The workspace that it is in.') workspaceMeta!: WorkspaceMetaResponse;
}

export const serializeHits = (hits: readonly SearchHit[]): string =>
  `[${hits.map(serializeHit).join(',')}]`;

const serializeHit = ({ json, ancestors, workspace }: SearchHit): string =>
  `${json},"ancestors":${JSON.stringify(ancestors)},"workspaceMeta":${JSON.stringify(workspace)}}`;
