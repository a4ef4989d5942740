import type { Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { type AccessContext, enforce, enforceCanManage, enforceTeam } from '../access/decide.js';
import {
  TEAM_ACTIONS,
  type TeamAction,
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
} from '../access/roles.js';
import { DomainError, type Missing, notFound } from '../errors/domain-error.js';
import { MessageResponse } from '../http/record.wire.js';
import { RequestPipe } from '../validation/request.pipe.js';

/** Metadata of an operation for the OpenAPI document, beside the types of its handler. */
export interface OperationMetadata {
  summary: string;
  description?: string;
  /** Who may call it: what it requires and how it refuses follow from the table of access/. */
  access?: Access;
  /** Who may call it, in words, if `access` does not say all of it. */
  requires?: string;
  /** What 200 holds. */
  response: string;
  type: Type<unknown> | [Type<unknown>];
  /** An example of the response, if its schema's own does not show it well. */
  example?: unknown;
  /** Request bodies to choose from, if it does several things; the first one is prefilled. */
  bodies?: Record<string, { summary: string; value: unknown }>;
  /** Response headers of 200 beside those of every response. */
  headers?: readonly ('ETag' | 'Link')[];
  /**
   * Examples of the errors that it returns for other reasons than access, made by the code that
   * throws them.
   */
  errors?: readonly DomainError[];
  /** Path parameters are not prefilled: the operation would destroy what they name. */
  bare?: boolean;
}

/** The response of an operation that returns only a message. */
export const messageResponse = (example: MessageResponse) => ({
  response: 'A message.',
  type: MessageResponse,
  example,
});

/** Access to a workspace, for `requires`. */
export const WORKSPACE_ACCESS = {
  read: 'access to the workspace',
  write: '`full` access to the workspace',
  manage: 'an `editor` of the workspace, or a `moderator` of the team if it is public',
} as const;

/** An action, and what the request names: a team, people of it, a workspace, or a part of its content. */
export type Access =
  | { action: TeamAction; on: 'team' }
  | { action: 'team.managePeople'; on: 'people' }
  | { action: WorkspaceAction; on: 'workspace' }
  | { action: WorkspaceAction; on: 'item' }
  | { action: WorkspaceAction; on: 'deletion' };

function requirementOf(access: Access | undefined): string {
  if (!access) throw new Error('an operation has `access` or `requires`');
  if (access.on === 'team' || access.on === 'people') {
    return `\`${TEAM_ACTIONS[access.action]}\` of the team`;
  }
  const needed = WORKSPACE_ACTIONS[access.action].requires;
  if (needed === 'manage') return WORKSPACE_ACCESS.manage;
  return needed === 'full' ? WORKSPACE_ACCESS.write : WORKSPACE_ACCESS.read;
}

function refusalsOf(access: Access): DomainError[] {
  if (access.on === 'team') return teamErrors(access.action);
  if (access.on === 'people') return peopleErrors();
  if (access.on === 'workspace') return workspaceErrors(access.action);
  return itemErrors(access.action, access.on === 'item' ? 'collection or page' : access.on);
}

/** By operation id, which is the name of the handler. */
export const OPERATIONS = new Map<string, OperationMetadata>();

/**
 * Describes an operation at its handler. describeOperation() adds the nine statuses, security and
 * headers.
 */
export const Operation =
  (metadata: OperationMetadata): MethodDecorator =>
  (target, id, descriptor) => {
    const { summary, description, access, response, type, errors = [] } = metadata;
    const { requires = requirementOf(access) } = metadata;
    const refusals = access ? refusalsOf(access) : [];
    OPERATIONS.set(String(id), { ...metadata, errors: [...refusals, ...errors] });
    const required = `**Requires:** ${requires}.`;
    const whole = description === undefined ? required : `${description}\n\n${required}`;
    ApiOperation({ summary, description: whole })(target, id, descriptor);
    ApiOkResponse({ type, description: response })(target, id, descriptor);
  };

// Example errors for the document: each is thrown by the code of the service, and caught here.

/** The errors that checks throw; a check that passes adds none. */
export const thrownBy = (...checks: (() => unknown)[]): DomainError[] =>
  checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof DomainError) return [error];
      throw error;
    }
  });

/** The refusals of an action on a team. */
const teamErrors = (action: TeamAction): DomainError[] => [
  ...thrownBy(
    () => enforceTeam(action, null),
    () => enforceTeam(action, 'guest'),
  ),
  notFound('team'),
];

/** The refusals of managing people of a team. */
const peopleErrors = (): DomainError[] => [
  ...teamErrors('team.managePeople'),
  ...thrownBy(() => enforceCanManage('moderator', ['owner'])),
];

const STRANGER: AccessContext = {
  teamRole: null,
  workspaceRole: null,
  visibility: 'public',
  defaultAccess: 'full',
  archivedAt: null,
  deletedAt: null,
  workspaceName: '',
};

/** Someone with a role of their own, without which they could do more. */
export const READER: AccessContext = { ...STRANGER, teamRole: 'member', workspaceRole: 'reader' };

/** The refusals of an action in a workspace that the request names. */
const workspaceErrors = (action: WorkspaceAction): DomainError[] => [
  ...thrownBy(
    () => enforce(action, STRANGER, 'workspace'),
    () => enforce(action, READER, 'workspace'),
  ),
  notFound('team'),
  notFound('workspace'),
];

/** The refusals of an action on an item that is found by its id. */
const itemErrors = (
  action: WorkspaceAction,
  what: Missing = 'collection or page',
): DomainError[] => [...thrownBy(() => enforce(action, READER, 'workspace')), notFound(what)];

const invalid = (type: 'body' | 'query', metatype: Type, values: unknown[]): DomainError[] =>
  values.flatMap((value) => thrownBy(() => new RequestPipe().transform(value, { type, metatype })));

/** The refusals of malformed bodies by their request class. */
export const bodyErrors = (requestClass: Type, ...bodies: unknown[]): DomainError[] =>
  invalid('body', requestClass, bodies);

/** The refusals of malformed queries by their request class. */
export const queryErrors = (requestClass: Type, ...queries: object[]): DomainError[] =>
  invalid('query', requestClass, queries);
