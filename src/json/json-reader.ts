import { badRequest } from '../errors/domain-error.js';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  Depth,
  notJson,
  OPEN_LIST,
  OPEN_OBJECT,
  PORTION,
  type Portions,
  QUOTE,
  skipSpace,
} from './json-grammar.js';
import type { JsonText } from './json-text.js';
import { JsonTextReader } from './json-text-reader.js';

/**
 * Objects, lists and commas of a body. The largest requests have 10,000 of them; JSON.parse takes
 * up to 2 µs for each.
 */
const MAX_PARTS = 25_000;

const opaqueNames = new Set<string>();

/**
 * Makes the objects and lists under this name JsonTexts, wherever they are in a body: the name has
 * this meaning in every request class.
 */
export function keepAsText(name: string): void {
  opaqueNames.add(name);
}

/**
 * Reads a body, a long one in portions: whatever 2 MiB hold, none takes 100 ms of processor time.
 * What is kept as text is cut out by a scanner; the rest is small, and JSON.parse builds it.
 * @throws DomainError bad_request: not JSON, nested too deep, too many values
 */
export function* readJson(text: string): Portions<unknown> {
  const { outline, texts } = yield* cutTexts(text);
  if (text.length > PORTION) yield;
  try {
    if (texts.length === 0) return JSON.parse(outline);
    // A list under such a name is a place that the scanner has left.
    return JSON.parse(outline, (name, value: unknown) =>
      opaqueNames.has(name) && Array.isArray(value) ? texts[value[0] as number] : value,
    );
  } catch {
    throw notJson();
  }
}

/** Replaces what is kept as text by lists of one number: its place among the texts. */
function* cutTexts(text: string): Portions<{ outline: string; texts: JsonText[] }> {
  const texts: JsonText[] = [];
  let outline = '';
  let copied = 0;
  const depth = new Depth();
  let parts = 0;
  let pause = PORTION;
  for (let at = 0; at < text.length; at++) {
    if (at >= pause) {
      yield;
      pause = at + PORTION;
    }
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      const value = opaqueValueAt(text, at, end);
      if (value === -1) {
        at = end - 1;
        continue;
      }
      const read = yield* new JsonTextReader(text, value, depth).read();
      outline += `${text.slice(copied, value)}[${texts.length}]`;
      texts.push(read.value);
      copied = read.end;
      at = read.end - 1;
    } else if (char === OPEN_OBJECT || char === OPEN_LIST) depth.open(char);
    else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
      depth.close(char);
      continue;
    } else if (char !== COMMA) continue;
    if (++parts > MAX_PARTS) {
      throw badRequest(
        `the body must hold at most ${MAX_PARTS} objects, lists and commas outside content`,
      );
    }
  }
  return { outline: outline + text.slice(copied), texts };
}

/** Behind the quote that closes the string, or the end of the text. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}

/** Where the value that is kept as text begins, if this string is its name; else -1. */
function opaqueValueAt(text: string, quote: number, end: number): number {
  const colon = skipSpace(text, end);
  if (text.charCodeAt(colon) !== COLON) return -1;
  const value = skipSpace(text, colon + 1);
  const char = text.charCodeAt(value);
  if (char !== OPEN_OBJECT && char !== OPEN_LIST) return -1;
  return opaqueNames.has(nameOf(text.slice(quote, end))) ? value : -1;
}

/** A name can be written with escapes. */
function nameOf(written: string): string {
  if (!written.includes('\\')) return written.slice(1, -1);
  try {
    return JSON.parse(written) as string;
  } catch {
    throw notJson();
  }
}
