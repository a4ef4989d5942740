import { SHORT_LIST } from '@teamspaces/pg-lanes/list-reads';
import type { FastifyReply } from 'fastify';
import { bodyOf, type JsonBody, streamOf } from './json-stream.js';
import { type Listed, linkNextPage } from './pagination.js';

/** The text before the elements of a list, and after them. */
type Envelope = readonly [string, string];

const ARRAY: Envelope = ['[', ']'];

/** Elements as JSON, with commas between them. */
type ElementsAsJson<T> = (elements: readonly T[]) => string;

/** @param serialize what an element is on the wire: all together become JSON in less time than each by itself */
export const asJson =
  <T>(serialize: (element: T) => object): ElementsAsJson<T> =>
  (elements) =>
    JSON.stringify(elements.map(serialize)).slice(1, -1);

/** Of lists of people. */
export const USERS: Envelope = ['{"users":[', ']}'];

/**
 * The body of a response that is a list, of any length, and its Link header; other requests are processed in between.
 * @throws DomainError rate_limit_exceeded: it is streamed, and too many large responses are in progress
 */
export function respondWithList<T>(
  reply: FastifyReply,
  listed: Listed<T>,
  jsonOf: ElementsAsJson<T>,
  envelope: Envelope = ARRAY,
): JsonBody | Promise<JsonBody> {
  if (!('items' in listed)) return streamList(listed, jsonOf, envelope);
  const { items } = listed;
  linkNextPage(reply, listed);
  if (items.length > SHORT_LIST) return bodyOf(pieces(items, jsonOf, envelope));
  return envelope[0] + jsonOf(items) + envelope[1];
}

async function streamList<T>(
  listed: AsyncGenerator<T[], void>,
  jsonOf: ElementsAsJson<T>,
  envelope: Envelope,
): Promise<JsonBody> {
  // An error of the first portion has a status of its own.
  const first = await listed.next();
  const close = () => void listed.return().catch(() => undefined);
  return streamOf(portionPieces(first.value ?? [], listed, jsonOf, envelope), close);
}

function* pieces<T>(
  elements: readonly T[],
  jsonOf: ElementsAsJson<T>,
  [open, end]: Envelope,
): Generator<string> {
  let before = open;
  for (const element of elements) {
    yield before + jsonOf([element]);
    before = ',';
  }
  yield end;
}

async function* portionPieces<T>(
  first: readonly T[],
  portions: AsyncIterable<readonly T[]>,
  jsonOf: ElementsAsJson<T>,
  [open, end]: Envelope,
): AsyncGenerator<string> {
  yield open + jsonOf(first);
  let isEmpty = first.length === 0;
  for await (const elements of portions) {
    if (elements.length === 0) continue;
    yield (isEmpty ? '' : ',') + jsonOf(elements);
    isEmpty = false;
  }
  yield end;
}
