import type { FastifyReply } from 'fastify';
import { SHORT_LIST } from '../database/list-reads.js';
import { bodyOf, type JsonBody, streamOf } from './json-stream.js';
import { type Listed, linkNextPage } from './pagination.js';

/** The text before the elements of a list, and after them. */
type Envelope = readonly [string, string];

const ARRAY: Envelope = ['[', ']'];

/** Of lists of people. */
export const USERS: Envelope = ['{"users":[', ']}'];

/**
 * The body of a response that is a list, of any length, and its Link header; other requests are processed in between.
 * @param jsonOf an element as JSON
 * @throws DomainError rate_limit_exceeded: it is streamed, and too many large responses are in progress
 */
export async function respondWithList<T>(
  reply: FastifyReply,
  listed: Listed<T>,
  jsonOf: (element: T) => string,
  envelope: Envelope = ARRAY,
): Promise<JsonBody> {
  if ('items' in listed) {
    const { items } = listed;
    linkNextPage(reply, listed);
    if (items.length > SHORT_LIST) return bodyOf(pieces(items, jsonOf, envelope));
    return envelope[0] + items.map(jsonOf).join(',') + envelope[1];
  }
  // An error of the first portion has a status of its own.
  const first = await listed.next();
  const close = () => void listed.return().catch(() => undefined);
  return streamOf(portionPieces(first.value ?? [], listed, jsonOf, envelope), close);
}

function* pieces<T>(
  elements: readonly T[],
  jsonOf: (element: T) => string,
  [open, end]: Envelope,
): Generator<string> {
  let before = open;
  for (const element of elements) {
    yield before + jsonOf(element);
    before = ',';
  }
  yield end;
}

async function* portionPieces<T>(
  first: readonly T[],
  portions: AsyncIterable<readonly T[]>,
  jsonOf: (element: T) => string,
  [open, end]: Envelope,
): AsyncGenerator<string> {
  const textOf = (elements: readonly T[]) => elements.map(jsonOf).join(',');
  yield open + textOf(first);
  let isEmpty = first.length === 0;
  for await (const elements of portions) {
    if (elements.length === 0) continue;
    yield (isEmpty ? '' : ',') + textOf(elements);
    isEmpty = false;
  }
  yield end;
}
