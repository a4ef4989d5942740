import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Header } from '@nestjs/common';

/** For a handler whose answer is JSON already, as text. */
export const JsonText = (): MethodDecorator =>
  Header('content-type', 'application/json; charset=utf-8');

/** Pieces and characters that are written in one go. */
const PIECES_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 65_536;

/** An answer made of pieces: a string where it is small, else a stream that lets others in between. */
export function answerOf(pieces: Iterable<string>): string | Readable {
  const chunks = chunksOf(pieces);
  const first = chunks.next();
  const second = first.done ? first : chunks.next();
  if (second.done) return first.value ?? '';
  return Readable.from(inTurns([first.value ?? '', second.value], chunks), { objectMode: false });
}

async function* inTurns(begun: string[], rest: Iterable<string>): AsyncGenerator<Buffer> {
  for (const chunks of [begun, rest]) {
    for (const chunk of chunks) {
      yield Buffer.from(chunk);
      await nextTurn();
    }
  }
}

function* chunksOf(pieces: Iterable<string>): Generator<string, undefined> {
  let buffered: string[] = [];
  let characters = 0;
  for (const piece of pieces) {
    buffered.push(piece);
    characters += piece.length;
    if (buffered.length < PIECES_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
    yield buffered.join('');
    buffered = [];
    characters = 0;
  }
  if (buffered.length > 0) yield buffered.join('');
}
