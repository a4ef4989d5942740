import { invalid, notJson } from './errors.js';
import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  Depth,
  endOfString,
  isContainer,
  OPEN_LIST,
  OPEN_OBJECT,
  PORTION,
  type Portions,
  QUOTE,
  skipSpace,
} from './json-grammar.js';
import { JsonText, JsonTextReader, MAX_BYTES } from './json-text.js';

/**
 * Objects, lists and commas of a body. The largest requests have 10,000 of them; JSON.parse takes
 * up to 2 µs for each.
 */
const MAX_PARTS = 25_000;

/** Names of values that stay text: objects and lists only, or all values. */
const opaqueNames = new Map<string, 'containers' | 'all'>();

/**
 * Turns objects and lists with this name into JsonTexts, anywhere in a body: the name has this
 * meaning in every request class.
 * @param which `all`: strings, numbers, true, false and null, too
 */
export function keepAsText(name: string, which: 'containers' | 'all' = 'containers'): void {
  opaqueNames.set(name, which);
}

/**
 * Reads a body, a long one in portions: whatever 2 MiB contain, none takes 100 ms of processor
 * time. A scanner cuts out the values that stay text; the rest is small, and JSON.parse parses it.
 * @throws JsonError invalid: not JSON, nested too deep, too many values
 */
export function* readJson(text: string): Portions<unknown> {
  const { outline, texts, repeated } = yield* cutTexts(text);
  if (text.length > PORTION) yield;
  try {
    // A list with such a name is a placeholder of the scanner.
    const revive = (name: string, value: unknown) =>
      opaqueNames.has(name) && Array.isArray(value) ? texts[value[0] as number] : value;
    const body: unknown = JSON.parse(outline, texts.length === 0 ? undefined : revive);
    if (Array.isArray(body)) repeatedMembers.set(body, repeated);
    return body;
  } catch {
    throw notJson();
  }
}

/**
 * What a body says, with its texts built as well: for what does not keep them as text. Each text is built in a portion of
 * its own; numbers lose the digits that a double has no room for.
 * @throws JsonError invalid: a text has more than MAX_BYTES
 */
export function* withValues(body: unknown): Portions<unknown> {
  if (body instanceof JsonText) {
    yield;
    if (Buffer.byteLength(body.text) > MAX_BYTES) throw invalid(TOO_LONG);
    return JSON.parse(body.text);
  }
  if (typeof body !== 'object' || body === null) return body;
  const members = body as Record<string, unknown>;
  for (const name of Object.keys(members)) members[name] = yield* withValues(members[name]);
  return body;
}

const TOO_LONG = 'a value in the body must be at most 1 MiB of JSON';

/** A member that an element of a list has more than once. */
interface RepeatedMember {
  /** Index of the element. */
  index: number;
  name: string;
}

/** Of bodies that are lists: JSON.parse only shows the last one of a name. */
const repeatedMembers = new WeakMap<object, readonly RepeatedMember[]>();

/** The members that objects in a body, which is a list, have more than once; not those further below. */
export const repeatedIn = (body: readonly unknown[]): readonly RepeatedMember[] =>
  repeatedMembers.get(body) ?? [];

/** Looks for repeated members of the objects in a list, as a scanner passes their names. */
class RepeatedMembers {
  readonly found: RepeatedMember[] = [];
  private index = 0;
  private names = new Set<string>();

  constructor(private readonly isList: boolean) {}

  open(level: number): void {
    if (level === 2) this.names = new Set();
  }

  comma(level: number): void {
    if (level === 1) this.index++;
  }

  name(level: number, name: string): void {
    if (!this.isList || level !== 2) return;
    if (this.names.has(name)) this.found.push({ index: this.index, name });
    this.names.add(name);
  }
}

/** Replaces each value that stays text by a list of one number: its index among the texts. */
function* cutTexts(
  text: string,
): Portions<{ outline: string; texts: JsonText[]; repeated: RepeatedMember[] }> {
  const repeated = new RepeatedMembers(text.charCodeAt(skipSpace(text, 0)) === OPEN_LIST);
  let level = 0;
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
      const name = nameAt(text, at, end);
      if (name !== null) repeated.name(level, name);
      const value = name === null ? -1 : opaqueValueAt(text, name, end);
      if (value === -1) {
        at = end - 1;
        continue;
      }
      const read = yield* new JsonTextReader(text, value, depth).read();
      outline += `${text.slice(copied, value)}[${texts.length}]`;
      texts.push(read.value);
      copied = read.end;
      at = read.end - 1;
    } else if (char === OPEN_OBJECT || char === OPEN_LIST) {
      depth.open(char);
      repeated.open(++level);
    } else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
      depth.close(char);
      level--;
      continue;
    } else if (char !== COMMA) continue;
    else repeated.comma(level);
    if (++parts > MAX_PARTS) {
      throw invalid(
        `the body must hold at most ${MAX_PARTS} objects, lists and commas outside content`,
      );
    }
  }
  return { outline: outline + text.slice(copied), texts, repeated: repeated.found };
}

/** The name that this string is, or null: it is a value. */
const nameAt = (text: string, quote: number, end: number): string | null =>
  text.charCodeAt(skipSpace(text, end)) === COLON ? nameOf(text.slice(quote, end)) : null;

/** Where the value of a name begins, if it stays text; otherwise -1. @param end of the name */
function opaqueValueAt(text: string, name: string, end: number): number {
  const value = skipSpace(text, skipSpace(text, end) + 1);
  const which = opaqueNames.get(name);
  const isOpaque = which === 'all' || (which !== undefined && isContainer(text.charCodeAt(value)));
  return isOpaque ? value : -1;
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
