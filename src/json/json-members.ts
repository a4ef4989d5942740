import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  endOfString,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
} from './json-grammar.js';

// Ways through text that is known to be JSON: nothing is built, so no name is special and no digit is
// lost.

export const isContainer = (char: number): boolean => char === OPEN_OBJECT || char === OPEN_LIST;

/** Where a value that is no object or list ends. */
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

/** Visits the members of an object, or the elements of a list, one after the other. */
export class Members {
  /** Where the current member begins (with its name), and where its value does. */
  start: number;
  value: number;
  /** How many members there are before the current one. */
  index = -1;
  readonly isObject: boolean;
  private endOfName = 0;
  /** The next backslash from the current member on: most names have none. */
  private backslash = -1;

  /** @param open where the object or list begins */
  constructor(
    private readonly text: string,
    open: number,
  ) {
    this.isObject = text.charCodeAt(open) === OPEN_OBJECT;
    this.start = skipSpace(text, open + 1);
    this.value = this.start;
  }

  /** Goes to the next member. @returns false if there is none: then `start` is the closing bracket */
  next(): boolean {
    const { text } = this;
    this.index++;
    const char = text.charCodeAt(this.start);
    if (char === CLOSE_OBJECT || char === CLOSE_LIST) return false;
    this.value = this.start;
    if (!this.isObject) return true;
    this.endOfName = endOfString(text, this.start);
    this.value = skipSpace(text, skipSpace(text, this.endOfName) + 1);
    return true;
  }

  /** The name of the current member. */
  get name(): string {
    const written = this.text.slice(this.start, this.endOfName);
    return this.isEscaped() ? JSON.parse(written) : written.slice(1, -1);
  }

  private isEscaped(): boolean {
    if (this.backslash < this.start) {
      const next = this.text.indexOf('\\', this.start);
      this.backslash = next === -1 ? this.text.length : next;
    }
    return this.backslash < this.endOfName;
  }

  /** Leaves the current member, whose value ends there. */
  leave(end: number): void {
    const at = skipSpace(this.text, end);
    this.start = this.text.charCodeAt(at) === COMMA ? skipSpace(this.text, at + 1) : at;
  }
}
