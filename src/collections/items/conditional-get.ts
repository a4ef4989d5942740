import { applyDecorators } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type JsonBody, JsonText } from '../../http/json-stream.js';

/**
 * A GET whose response is JSON as text under an ETag; 304 if the caller has it.
 * @param description what `If-None-Match` is
 */
export const ConditionalGet = (description: string): MethodDecorator =>
  applyDecorators(JsonText(), ApiHeader({ name: 'If-None-Match', required: false, description }));

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
