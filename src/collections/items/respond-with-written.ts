import type { FastifyReply } from 'fastify';
import {
  type IdempotentWrite,
  idempotentResponse,
  type RequestKey,
} from '../../idempotency/idempotent-write.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { serializeWritten } from './collection.wire.js';

/**
 * Runs a command, and responds with the item that it wrote: its direct children, if it has any, and its ETag.
 * @param more further properties of the item
 */
export const respondWithWritten = (
  key: RequestKey | null,
  reply: FastifyReply,
  run: (write: IdempotentWrite<CommandResult> | null) => Promise<CommandResult>,
  more: (result: CommandResult) => object = () => ({}),
): Promise<string> =>
  idempotentResponse<CommandResult>(
    key,
    (result) => serializeWritten(result, more(result)),
    async (write) => {
      const written = await run(write);
      reply.header('etag', written.etag);
      return written;
    },
  );
