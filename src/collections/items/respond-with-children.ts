import type { FastifyReply } from 'fastify';
import type { JsonBody } from '../../http/json-stream.js';
import {
  type IdempotentWrite,
  idempotentResponse,
  type RequestKey,
} from '../../idempotency/idempotent-write.js';
import type { CommandResult } from '../writer/tree-rules.js';
import type { Item } from './collection.js';
import { serializeItem, serializeWithChildren } from './collection.wire.js';
import type { WithAllChildren } from './items.service.js';

/**
 * Carries out a command that writes a whole subtree, and responds with the item and its direct children.
 * Under an Idempotency-Key, an item with many children is stored without them: a replay reads them.
 * @param more further properties of the item
 */
export async function respondWithChildren(
  key: RequestKey | null,
  reply: FastifyReply,
  run: (write: IdempotentWrite<CommandResult> | null) => Promise<WithAllChildren>,
  more: (result: CommandResult) => object = () => ({}),
): Promise<JsonBody> {
  let large: JsonBody | null = null;
  const response = await idempotentResponse<CommandResult>(
    key,
    (result) => serializeWithChildren(result, more(result)),
    async (write) => {
      const written = await run(write);
      const { items, children, etag } = written;
      reply.header('etag', etag);
      if (children) large = await serializeItem(items[0] as Item, children, more(written));
      return written;
    },
  );
  return large ?? response;
}
