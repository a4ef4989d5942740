import { invalid, notJson } from './errors.js';

/**
 * Levels of objects, and as many of lists, that a body may have. They are counted separately,
 * because a batch of the greatest depth has 129 of each.
 */
const MAX_BODY_DEPTH = 200;
/** A shorter number, with an exponent of up to two digits, is no more than 1e299. */
const LONG_NUMBER = 200;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** How many objects and lists are open at one place of a body. */
export class Depth {
  private objects = 0;
  private lists = 0;

  /** @throws JsonError invalid: more than a body may have */
  open(char: number): void {
    const levels = char === OPEN_OBJECT ? ++this.objects : ++this.lists;
    if (levels <= MAX_BODY_DEPTH) return;
    throw invalid(
      `the body must be nested at most ${MAX_BODY_DEPTH} objects and ${MAX_BODY_DEPTH} lists deep`,
    );
  }

  close(char: number): void {
    if (char === CLOSE_OBJECT) this.objects--;
    else this.lists--;
  }
}

/** The position of the next character that is not white space. */
export function skipSpace(text: string, start: number): number {
  for (let at = start; ; at++) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return at;
  }
}

/** The position after the quote that closes the string, or the end of the text. */
export function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) return at + 1;
    if (char === BACKSLASH) at++;
  }
  return text.length;
}

export const isContainer = (char: number): boolean => char === OPEN_OBJECT || char === OPEN_LIST;

/** Where a value that is not an object or list ends. */
export function endOfScalar(text: string, start: number): number {
  return text.charCodeAt(start) === QUOTE ? endOfString(text, start) : endOfWord(text, start);
}

/** The position after a number, true, false or null. */
function endOfWord(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === COMMA || char === CLOSE_LIST || char === CLOSE_OBJECT || char <= 0x20) break;
  }
  return at;
}

/** Four hexadecimal digits. Not a regular expression: a body can hold 350,000 of these. */
export function hexadecimal(text: string, start: number): number {
  let value = 0;
  for (let at = start; at < start + 4; at++) {
    const char = text.charCodeAt(at);
    // Letters in lower case.
    const digit = char <= NINE ? char - ZERO : (char | 0x20) - 0x57;
    const isDigit = digit >= 0 && digit < 16 && (char <= NINE || digit >= 10);
    if (!isDigit) throw notJson();
    value = value * 16 + digit;
  }
  return value;
}

/** Where a number ends, and whether a double can represent it. */
export function numberAt(text: string, start: number): { end: number; isInfinite: boolean } {
  let at = text.charCodeAt(start) === MINUS ? start + 1 : start;
  at = text.charCodeAt(at) === ZERO ? at + 1 : endOfDigits(text, at);
  if (text.charCodeAt(at) === DOT) at = endOfDigits(text, at + 1);
  let exponent = 0;
  if (text[at] === 'e' || text[at] === 'E') {
    const sign = text[at + 1];
    const begin = sign === '+' || sign === '-' ? at + 2 : at + 1;
    at = endOfDigits(text, begin);
    exponent = at - begin;
  }
  const mayBeInfinite = exponent > 2 || at - start > LONG_NUMBER;
  const isInfinite = mayBeInfinite && !Number.isFinite(Number(text.slice(start, at)));
  return { end: at, isInfinite };
}

/** The position after a run of at least one digit. */
function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  if (at === start) throw notJson();
  return at;
}

/** Also false at the end of the text. */
export const isDigit = (char: number): boolean => char >= ZERO && char <= NINE;

/** Characters that are read before other requests are processed. */
export const PORTION = 64 * 1024;

/** Work that yields to other requests; it returns its result at the end. */
export type Portions<T> = Generator<undefined, T, undefined>;
