import type { Portions } from '@teamspaces/json-text/json-grammar';
import { readContent } from './content-reader.js';

/** UTF-8 bytes of text that a page is found by. */
export const MAX_TEXT_BYTES = 512 * 1024;
/** Characters that are counted before other work continues. */
const PORTION = 64 * 1024;
/** A block takes as long as so many characters. */
const BLOCK = 32;

/** A part of a page's text that stands by itself: a paragraph, a heading, a cell. */
export interface TextBlock {
  readonly text: string;
  readonly isHeading: boolean;
}

/**
 * The text of a page: its title, which is its first heading, and the strings of its content that are for the reader, in
 * the order of the document. At most 512 KiB in UTF-8; the rest is left out.
 * @param content JSON text
 */
export function* readText(title: string, content: string): Portions<TextBlock[]> {
  const start = firstBytes(title, MAX_TEXT_BYTES);
  const read: TextBlock[] = [{ text: start, isHeading: true }];
  let room = MAX_TEXT_BYTES - Buffer.byteLength(start);
  const blocks = yield* readContent(content);
  const headingSteps = blocks.headingSteps();
  let depth = 0;
  let rest = PORTION;
  for (const [n, untrimmed] of blocks.texts.entries()) {
    if (room <= 0) break;
    depth += headingSteps[n] ?? 0;
    const text = untrimmed.trim();
    rest -= text.length + BLOCK;
    if (text !== '') {
      const bytes = Buffer.byteLength(text);
      const kept = bytes <= room ? text : firstBytes(text, room);
      if (kept !== '') read.push({ text: kept, isHeading: depth > 0 });
      room -= bytes;
    }
    if (rest <= 0) {
      yield;
      rest = PORTION;
    }
  }
  return read;
}

/** The beginning of the text that is no longer than this in UTF-8; no character is cut. */
function firstBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
