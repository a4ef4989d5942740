import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiNotModifiedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type JsonBody, JsonText } from '../http/json-stream.js';

/** Response header `ETag`, for OpenAPI. */
export const etagHeader = (description: string) => ({
  ETag: { description, schema: { type: 'string' } },
});

/**
 * Documents a GET whose response is JSON as text under an ETag: 200, and 304 where the caller has it.
 * @param headers further response headers of 200
 */
export const ConditionalGet = ({
  type,
  etag,
  ifNoneMatch,
  headers = {},
}: {
  type: Type | [Type];
  etag: ReturnType<typeof etagHeader>;
  /** Says what `If-None-Match` is. */
  ifNoneMatch: string;
  headers?: Record<string, { description: string; schema: { type: string } }>;
}): MethodDecorator =>
  applyDecorators(
    JsonText(),
    ApiHeader({ name: 'If-None-Match', required: false, description: ifNoneMatch }),
    ApiOkResponse({ type, headers: { ...headers, ...etag } }),
    ApiNotModifiedResponse({ description: 'If-None-Match is current: no body.', headers: etag }),
  );

/** Sends a body under its ETag. @param body null: the caller has it, hence 304 */
export function withEtag(
  reply: FastifyReply,
  etag: string,
  body: JsonBody | null,
): JsonBody | undefined {
  reply.header('etag', etag);
  if (body === null) reply.status(304);
  return body ?? undefined;
}
