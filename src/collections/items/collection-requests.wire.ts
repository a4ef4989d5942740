import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { JsonText } from '@teamspaces/json-text/json-text';
import type { FastifyRequest } from 'fastify';
import { Schema } from '../../openapi/property.js';
import { TeamId } from '../../teams/team.wire.js';
import { documentParameter } from '../../teams/team-ref.js';
import { Id, Index, JsonObject, Key, Name, OneOf, Title } from '../../validation/fields.js';
import { toQuery } from '../../validation/request.pipe.js';
import { otherThanInPath } from '../errors.js';
import {
  type ItemChanges,
  type NewItem,
  type NewItems,
  type ObjectKind,
  type WorkspaceSelector,
} from './collection.js';
import { OBJECTS } from './item.fields.js';
import { selectorOf } from './item-access.js';
import { titledAs } from './titles.js';

/** A page's content. */
export const Content = () =>
  JsonObject('Content of a page: at most 1 MiB of JSON, nested at most 64 deep.', {
    optional: true,
  });

/** The id of a collection, or null or `""` for the top level: toParent() makes one of the two. */
export const Parent = (description: string, { optional = true } = {}) =>
  Id(description, { optional, nullable: true, emptyAllowed: true });

/** Key of an item, on create and on update. */
const ItemKey = (description: string, { nullable = false } = {}) =>
  Key(description, { optional: true, nullable });

/** Where new items go. */
export const NewParent = () =>
  Parent('Id of the parent collection; absent, null or "": top level.');

/** What every new collection or page has, alone or in a batch. */
export class NewItemFields {
  @Name(
    'Name; absent: the first 32 characters of the title, without white space at the ends, or "Untitled".',
    { optional: true },
  )
  name?: string;

  @Title('Title, as people see it: `meta.title`. Absent or null: the name.') title?: string | null;

  @OneOf(OBJECTS, '`collection`, or `item` for a page.', { optional: true, default: 'collection' })
  object?: ObjectKind;

  @ItemKey(
    'What your program calls the item, unique in the workspace: 1 to 512 characters without control characters.',
  )
  key?: string;
}

@Schema('A new collection or page.')
export class CreateCollectionRequest extends NewItemFields {
  @NewParent() parent?: string | null;
  @Content() content?: JsonText;

  @Index('Zero-based position among its siblings; absent or past the end: at the end.', {
    optional: true,
  })
  index?: number;
}

@Schema('Absent properties are left unchanged.')
export class UpdateCollectionRequest {
  @Name(
    'Name; the slug stays. A name that differs from the current one also becomes the title, unless the request has a `title`.',
    { optional: true },
  )
  name?: string;

  @Title(
    'Title, as people see it: `meta.title`. Without `name`, the name becomes its first 32 characters, without white space at the ends. null: the name becomes the title.',
  )
  title?: string | null;

  @Parent('Moves to the end of this collection; null or "": to the end of the top level.')
  parent?: string | null;

  @Content() content?: JsonText;

  @ItemKey('A new key, unique in the workspace; null takes it away.', { nullable: true })
  key?: string | null;
}

/** A new item, with the contract's defaults. */
export const toItem = ({
  object,
  content,
  key,
  ...naming
}: NewItemFields & { content?: JsonText }): NewItem => ({
  ...titledAs(naming),
  object: object ?? 'collection',
  content: content?.text ?? null,
  key: key ?? null,
  children: null,
});

/** One item to create. */
export const toNewItems = (body: CreateCollectionRequest): NewItems => ({
  parentId: toParent(body.parent) ?? null,
  index: body.index,
  items: [toItem(body)],
  field: '',
});

/** What to change; what is absent stays. */
export function toChanges(
  body: UpdateCollectionRequest,
  ifMatch: string | undefined,
): Required<ItemChanges> {
  return {
    name: body.name,
    title: body.title,
    parentId: toParent(body.parent),
    content: body.content?.text,
    key: body.key,
    ifMatch,
  };
}

/** `""` stands for the top level, as null does; absent stays absent. */
export const toParent = (parent: string | null | undefined): string | null | undefined =>
  parent === '' ? null : parent;

/** Where an item goes that is restored, copied or transferred. */
export const toTarget = (given: { parent?: string | null; index?: number }) => ({
  parentId: toParent(given.parent),
  index: given.index,
});

/** The workspace of a collection operation: in the query, or in the path of the long form. */
class SelectorQuery {
  @TeamId() teamId?: string;
  @Id('Slug of the team.', { optional: true, example: 'acme' }) team_slug?: string;
  @Id('Slug of the workspace.', { optional: true, example: 'handbook' }) workspace_slug?: string;
}

/**
 * Hands a controller method the workspace that a request names, in its path or in its query. Not by @Query():
 * that hands over one class, and each of these operations has a query of its own, too.
 * @throws DomainError bad_request: path and query name different ones
 */
export const Selector = createParamDecorator(
  (_: unknown, context: ExecutionContext): WorkspaceSelector => {
    const { params, query } = context.switchToHttp().getRequest<FastifyRequest>();
    const inQuery = toQuery(SelectorQuery, query ?? {});
    const inPath = params as SelectorParams;
    const team = { slug: oneOf('team_slug', inPath, inQuery), id: inQuery.teamId };
    return selectorOf(team, oneOf('workspace_slug', inPath, inQuery));
  },
  [documentParameter(ApiQuery({ type: SelectorQuery }))],
);

/** The parameters of the long form; absent in the short one. */
type SelectorParams = Pick<SelectorQuery, 'team_slug' | 'workspace_slug'>;

function oneOf(
  name: keyof SelectorParams,
  params: SelectorParams,
  query: SelectorQuery,
): string | undefined {
  const inPath = params[name];
  const inQuery = query[name];
  if (inPath !== undefined && inQuery !== undefined && inPath !== inQuery)
    throw otherThanInPath(name);
  return inPath ?? inQuery;
}
