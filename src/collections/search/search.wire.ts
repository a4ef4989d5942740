import { OmitType, PickType } from '@nestjs/swagger';
import { MAX_WORDS, readQuestion } from '@teamspaces/page-text/question';
import type { FastifyReply } from 'fastify';
import { MetaResponse } from '../../http/record.wire.js';
import { Property, Schema } from '../../openapi/property.js';
import { OneOf, QueryNumber, Text } from '../../validation/fields.js';
import { tooManyWords } from '../errors.js';
import type { ObjectKind } from '../items/collection.js';
import { AncestorResponse, CollectionResponse } from '../items/collection.wire.js';
import { OBJECTS } from '../items/item.fields.js';
import { DEFAULT_HITS, MAX_HITS, MAX_QUESTION } from '../limits.js';
import type { FoundItems, SearchHit, SearchQuery } from './search.repository.js';

/** Where to look. */
const PLACES = ['name', 'all'] as const;

/** Query of both searches. */
export class SearchItemsQuery {
  @Text(
    { min: 1, max: MAX_QUESTION, notBlank: true },
    'What to look for. Each word must occur somewhere in the title; letter case does not matter. An item whose slug is exactly this is found, too.',
    { example: 'first' },
  )
  q!: string;

  @OneOf(
    PLACES,
    'Where to look: `name`, the default, in titles; `all`, in the text of pages, too.',
    { optional: true },
  )
  in?: (typeof PLACES)[number];

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

/** @throws DomainError bad_request: too many words for the text of pages */
export function toSearchQuery({
  q,
  in: place,
  object,
  limit = DEFAULT_HITS,
}: SearchItemsQuery): SearchQuery {
  const question = place === 'all' ? readQuestion(q) : null;
  if (question && question.words > MAX_WORDS) throw tooManyWords();
  return { text: q.replace(EDGES, ''), object: object ?? null, question, limit };
}

@Schema('Name and slug of a workspace.')
class WorkspaceMetaResponse extends PickType(MetaResponse, ['title', 'slug'] as const) {}

@Schema('A part of an excerpt from the text of a page.')
class SnippetPartResponse {
  @Property('Plain text.') text!: string;
  @Property('True if this is what `q` has found.') match!: boolean;
}

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

  @Property(
    'Only if it was found by its text: about 200 characters of the text around the words of `q`. The texts of the parts, joined, are the excerpt. Plain text, without markup.',
    { type: [SnippetPartResponse], optional: true },
  )
  snippet?: SnippetPartResponse[];
}

/** The body of the response to a search, and its header. */
export function respondWithHits(reply: FastifyReply, { hits, behind }: FoundItems): string {
  if (behind !== null) reply.header('search-behind', Math.ceil(behind));
  return `[${hits.map(serializeHit).join(',')}]`;
}

const serializeHit = ({ json, ancestors, workspace, snippet }: SearchHit): string =>
  `${json},"ancestors":${JSON.stringify(ancestors)},"workspaceMeta":${JSON.stringify(workspace)}${
    snippet ? `,"snippet":${JSON.stringify(snippet)}` : ''
  }}`;
