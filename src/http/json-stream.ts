import { Readable } from 'node:stream';
import { Header } from '@nestjs/common';
import { yieldToEventLoop } from '../event-loop.js';

/** For a handler that returns JSON text. */
export const JsonText = (): MethodDecorator =>
  Header('content-type', 'application/json; charset=utf-8');

/** A body in memory, or a stream. */
export type JsonBody = string | Buffer | Readable;

/** Pieces that are joined at once, and characters of one write. */
const PIECES_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 65_536;

/** Milliseconds after which an unread stream is closed. */
const UNREAD = 15_000;

/**
 * Longest body, in characters, that is sent as text: Node writes text together with the headers, and a
 * Buffer separately. It copies the text to do so.
 */
const SHORT = 8_192;

/** A body of pieces; other requests are processed in between. */
export async function bodyOf(pieces: Iterable<string>): Promise<Buffer | string> {
  const text = await textOf(pieces);
  return text.length <= SHORT ? text : Buffer.from(text);
}

/** The same, to be kept. */
export const bytesOf = async (pieces: Iterable<string>): Promise<Buffer> =>
  // At once: chunks and their copy would take three times the memory, which malloc keeps.
  Buffer.from(await textOf(pieces));

async function textOf(pieces: Iterable<string>): Promise<string> {
  let text = '';
  let count = 0;
  for (const piece of pieces) {
    text += piece;
    if (++count % PIECES_AT_ONCE === 0) await yieldToEventLoop();
  }
  return text;
}

/**
 * A body of any size, generated while it is sent: each piece is requested after the earlier ones
 * were written.
 * @param close frees the source of the pieces; called once, however the response ends, even if nobody reads it
 */
export function streamOf(pieces: AsyncIterable<string>, close: () => void): Readable {
  const unread = setTimeout(() => stream.destroy(), UNREAD).unref();
  const stream = Readable.from(
    chunksOf(pieces, () => clearTimeout(unread)),
    { objectMode: false },
  );
  stream.once('close', () => {
    clearTimeout(unread);
    close();
  });
  return stream;
}

async function* chunksOf(
  pieces: AsyncIterable<string>,
  onRead: () => void,
): AsyncGenerator<Buffer> {
  onRead();
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < CHARACTERS_AT_ONCE) continue;
    yield Buffer.from(text);
    text = '';
    await yieldToEventLoop();
  }
  yield Buffer.from(text);
}
