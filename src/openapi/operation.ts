import type { Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import {
  TEAM_ACTIONS,
  type TeamAction,
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
} from '../access/roles.js';
import { MessageResponse } from '../http/record.wire.js';

/** Metadata of an operation for the OpenAPI document, beside the types of its handler. */
export interface OperationMetadata {
  summary: string;
  description?: string;
  /** Who may call it: what it requires follows from the table of access/. */
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
  headers?: readonly ('ETag' | 'Link' | 'Search-Behind')[];
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

/** By operation id, which is the name of the handler. */
export const OPERATIONS = new Map<string, OperationMetadata>();

/**
 * Describes an operation at its handler. describeOperation() adds the nine statuses, security and
 * headers.
 */
export const Operation =
  (metadata: OperationMetadata): MethodDecorator =>
  (target, id, descriptor) => {
    const { summary, description, access, response, type } = metadata;
    const { requires = requirementOf(access) } = metadata;
    OPERATIONS.set(String(id), metadata);
    const required = `**Requires:** ${requires}.`;
    const whole = description === undefined ? required : `${description}\n\n${required}`;
    ApiOperation({ summary, description: whole })(target, id, descriptor);
    ApiOkResponse({ type, description: response })(target, id, descriptor);
  };
