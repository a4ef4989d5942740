import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Header } from '@nestjs/common';

/** For a handler whose answer is JSON already, as text. */
export const JsonText = (): MethodDecorator =>
  Header('content-type', 'application/json; charset=utf-8');

/** A body that is held whole, of 8 MiB at most, or a stream. */
export type JsonBody = string | Buffer | Readable;

/** Pieces that are put together in one go, and characters that are written in one. */
const PIECES_AT_ONCE = 1000;
const CHARACTERS_AT_ONCE = 65_536;

/** Milliseconds in which somebody begins to read a stream, or never will. */
const UNREAD = 15_000;

/** A body made of pieces, with other callers in between. */
export async function bodyOf(pieces: Iterable<string>): Promise<Buffer> {
  let text = '';
  let count = 0;
  for (const piece of pieces) {
    text += piece;
    if (++count % PIECES_AT_ONCE === 0) await nextTurn();
  }
  // In one go: chunks and their copy would be three times the memory, which malloc keeps.
  return Buffer.from(text);
}

/**
 * A body of any size, made while it is sent: no piece is asked for before those that came earlier
 * were taken.
 * @param close frees what the pieces come from; called once, however it ends, and also where nobody
 *   reads (the request was given up before it got so far)
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
    await nextTurn();
  }
  yield Buffer.from(text);
}
