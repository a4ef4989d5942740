import { parse, stringify } from 'lossless-json';

/**
 * JSON whose numbers keep their digits. JSON.parse makes a double of each number: what a double does
 * not hold (12345678901234567890, the thirtieth digit of pi, -0) would come back changed. The exact
 * reader is 12 times slower, so only bodies that may need it are read by it, once they are known to
 * be well-formed.
 */
const SUSPICIOUS = /[\d.]{16}|\d[eE][+-]?\d{2}|-0(?!\d)/;
const NUMBER = /-?\d[\d.eE+-]*/g;

const sources = new WeakMap<object, string>();
const texts = new WeakMap<object, string>();

/** Remembers the text that a body was read from, if JSON.stringify may write other numbers. */
export function keepSource(body: unknown, text: string): void {
  if (typeof body === 'object' && body !== null && losesDigits(text)) sources.set(body, text);
}

/** Looks between the strings only: their digits (of an image in base64, say) are safe. */
function losesDigits(text: string): boolean {
  if (!SUSPICIOUS.test(text)) return false;
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const between = text.slice(at, quote === -1 ? text.length : quote);
    if (SUSPICIOUS.test(between) && between.match(NUMBER)?.some(isChanged)) return true;
    if (quote === -1) return false;
    at = endOfString(text, quote);
  }
  return false;
}

const isChanged = (number: string): boolean =>
  SUSPICIOUS.test(number) && String(Number(number)) !== number;

/** Behind the quote that closes the string that `quote` opens: one without a backslash of its own. */
function endOfString(text: string, quote: number): number {
  for (let close = text.indexOf('"', quote + 1); ; close = text.indexOf('"', close + 1)) {
    let backslashes = 0;
    while (text[close - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return close + 1;
  }
}

/** A part of a body, and the steps from the body to it. */
interface Part {
  path: readonly (string | number)[];
  value: object;
}

/** Keeps the JSON text of parts of a body, so that jsonText() gives their numbers as they were sent. */
export function keepTexts(body: object, parts: readonly Part[]): void {
  const source = parts.length > 0 ? sources.get(body) : undefined;
  const exact: unknown =
    source && parse(source, undefined, { onDuplicateKey: ({ newValue }) => newValue });
  for (const { path, value } of parts) {
    texts.set(value, source ? (stringify(at(exact, path)) ?? '') : JSON.stringify(value));
  }
}

const at = (body: unknown, path: Part['path']): unknown =>
  path.reduce((value, step) => (value as Record<typeof step, unknown>)[step], body);

/** The JSON text of a value that came in a body: its numbers as they were sent. */
export const jsonText = (value: object): string => texts.get(value) ?? JSON.stringify(value);
