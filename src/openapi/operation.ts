import type { Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { DomainError } from '../errors/domain-error.js';
import { MessageResponse } from '../http/message.wire.js';

/** Metadata of an operation for the OpenAPI document, beside the types of its handler. */
export interface OperationMetadata {
  summary: string;
  description?: string;
  /** Who may call it. */
  requires: string;
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
   * Examples of the errors that it returns for reasons of its own, made by the code that throws
   * them.
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

/** By operation id, which is the name of the handler. */
export const OPERATIONS = new Map<string, OperationMetadata>();

/**
 * Describes an operation at its handler. describeOperation() adds the nine statuses, security and
 * headers.
 */
export const Operation =
  (metadata: OperationMetadata): MethodDecorator =>
  (target, id, descriptor) => {
    OPERATIONS.set(String(id), metadata);
    const { summary, description, requires, response, type } = metadata;
    const required = `**Requires:** ${requires}.`;
    const whole = description === undefined ? required : `${description}\n\n${required}`;
    ApiOperation({ summary, description: whole })(target, id, descriptor);
    ApiOkResponse({ type, description: response })(target, id, descriptor);
  };
