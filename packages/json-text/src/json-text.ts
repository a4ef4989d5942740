import { notJson } from './errors.js';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  type Depth,
  hexadecimal,
  isDigit,
  MINUS,
  numberAt,
  OPEN_LIST,
  OPEN_OBJECT,
  PORTION,
  type Portions,
  QUOTE,
  skipSpace,
} from './json-grammar.js';

/** Most bytes and levels of content. */
export const MAX_BYTES = 1024 * 1024;
export const MAX_DEPTH = 64;

/** Problems that PostgreSQL would reject, or return changed; or null. */
export function problemOfText(text: string): string | null {
  if (!text.isWellFormed()) return NOT_WELL_FORMED;
  return text.includes('\0') ? HAS_NUL : null;
}

const NOT_WELL_FORMED = 'must be well-formed Unicode, without lone surrogates';
const HAS_NUL = 'must not contain the character NUL';

/** A value of a body that stays JSON text and is never parsed. */
export class JsonText {
  constructor(
    /** Without white space and repeated members, strings in their shortest form; numbers keep their digits. */
    readonly text: string,
    /** The problem with it that no content may have, such as the character NUL, or null. */
    readonly problem: string | null,
    /** Levels of objects and lists; 0 for any other value. */
    readonly depth: number,
  ) {}

  /** The problem with it as the content of a page, such as `must be a JSON object`, or null. */
  get problemAsContent(): string | null {
    if (!this.text.startsWith('{')) return 'must be a JSON object';
    if (this.depth > MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} deep`;
    if (this.problem) return this.problem;
    return Buffer.byteLength(this.text) > MAX_BYTES ? 'must be at most 1 MiB of JSON' : null;
  }
}

/**
 * Reads a value without building it, so that the time depends only on the length of the text. Long
 * texts are read in portions.
 */
export class JsonTextReader {
  private readonly containers: Container[] = [];
  private pieces: string[] = [];
  /** Everything before this is in `pieces`, or omitted. */
  private copied: number;
  private problem: string | null = null;
  private deepest = 0;
  /** Members that are repeated later. */
  private readonly repeated = new Ranges();

  /**
   * @param start where the value begins
   * @param depth what it is in
   */
  constructor(
    private readonly text: string,
    private readonly start: number,
    private readonly depth: Depth,
  ) {
    this.copied = start;
  }

  /** @throws JsonError invalid: not JSON, or nested too deep */
  *read(): Portions<{ value: JsonText; end: number }> {
    const end = yield* this.walk();
    if (!this.repeated.isEmpty) {
      // If a name is repeated, the last value wins: problems of the earlier ones do not matter.
      yield;
      const once = yield* this.repeated.leftOut(this.text, this.start, end);
      yield;
      const { value } = yield* new JsonTextReader(once, 0, this.depth).read();
      return { value, end };
    }
    this.pieces.push(this.text.slice(this.copied, end));
    const text = this.pieces.length === 1 ? (this.pieces[0] as string) : this.pieces.join('');
    return { value: new JsonText(text, this.problem, this.deepest), end };
  }

  /** Without recursion: the input decides the depth. @returns where the value ends */
  private *walk(): Portions<number> {
    const { text } = this;
    let level = 0;
    let container = this.containerOf(level);
    let pause = this.start + PORTION;
    for (let at = this.start; ; ) {
      if (at >= pause) {
        this.pieces = [this.pieces.join('')];
        yield;
        pause = at + PORTION;
      }
      if (container.close === CLOSE_OBJECT) {
        if (text.charCodeAt(at) !== QUOTE) throw notJson();
        const end = this.string(at);
        at = this.member(container, at, end < 0 ? yield* this.restOfString(-end) : end);
      }
      const char = text.charCodeAt(at);
      if (char === OPEN_OBJECT || char === OPEN_LIST) {
        this.depth.open(char);
        container = this.containerOf(++level);
        container.begin(char);
        at = this.space(at + 1);
        if (text.charCodeAt(at) !== container.close) continue;
      } else if (char === QUOTE) {
        const end = this.string(at);
        const after = end < 0 ? yield* this.restOfString(-end) : end;
        if (level === 0) return after;
        at = this.space(after);
      } else {
        const end = this.scalar(at, char);
        if (level === 0) return end;
        at = this.space(end);
      }
      while (text.charCodeAt(at) === container.close) {
        this.depth.close(container.close);
        if (--level === 0) return at + 1;
        container = this.containerOf(level);
        at = this.space(at + 1);
      }
      if (text.charCodeAt(at) !== COMMA) throw notJson();
      at = this.space(at + 1);
    }
  }

  private containerOf(level: number): Container {
    if (level > this.deepest) this.deepest = level;
    this.containers[level] ??= new Container();
    return this.containers[level];
  }

  /** Adds the member whose name ends there. @returns where its value begins */
  private member(container: Container, at: number, end: number): number {
    const written = this.text.slice(at, end);
    // One name can be written in several ways.
    const name = written.includes('\\') ? JSON.stringify(JSON.parse(written)) : written;
    const earlier = container.add(name, at);
    if (earlier) this.repeated.add(...earlier);
    const colon = this.space(end);
    if (this.text.charCodeAt(colon) !== COLON) throw notJson();
    return this.space(colon + 1);
  }

  private scalar(at: number, char: number): number {
    if (char === MINUS || isDigit(char)) return this.number(at);
    const word = char === 0x74 ? 'true' : char === 0x66 ? 'false' : 'null';
    if (!this.text.startsWith(word, at)) throw notJson();
    return at + word.length;
  }

  /** Where a string ends; if it is longer than a portion, how far it was read, as a negative number. */
  private string(quote: number): number {
    const at = this.characters(quote + 1, PORTION);
    return this.text.charCodeAt(at) === QUOTE ? at + 1 : -at;
  }

  private *restOfString(start: number): Portions<number> {
    for (let at = start; ; at = this.characters(at, PORTION)) {
      if (this.text.charCodeAt(at) === QUOTE) return at + 1;
      this.pieces = [this.pieces.join('')];
      yield;
    }
  }

  /** Continues in a string, up to its closing quote or this many characters. */
  private characters(start: number, most: number): number {
    let at = start;
    while (at < start + most) {
      const char = this.text.charCodeAt(at);
      if (char === QUOTE) return at;
      if (char === BACKSLASH) at = this.escape(at);
      // Also where the text ends: NaN.
      else if (!(char >= 0x20)) throw notJson();
      else at++;
    }
    return at;
  }

  /** Writes a character in its shortest form, so that its bytes count, and equal strings are equal texts. */
  private escape(at: number): number {
    const kind = this.text.charAt(at + 1);
    if (kind === '/') {
      this.replace(at, at + 2, '/');
      return at + 2;
    }
    if (kind !== 'u') {
      if (kind === '' || !'"\\bfnrt'.includes(kind)) throw notJson();
      return at + 2;
    }
    const unit = hexadecimal(this.text, at + 2);
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && this.text.startsWith('\\u', at + 6)) {
      const low = hexadecimal(this.text, at + 8);
      if (low >= 0xdc00 && low < 0xe000) {
        this.replace(at, at + 12, String.fromCharCode(unit, low));
        return at + 12;
      }
    }
    const isSurrogate = unit >= 0xd800 && unit < 0xe000;
    if (isSurrogate) this.problem ??= NOT_WELL_FORMED;
    else if (unit === 0) this.problem ??= HAS_NUL;
    else {
      const char = String.fromCharCode(unit);
      const isPlain = unit >= 0x20 && unit !== QUOTE && unit !== BACKSLASH;
      this.replace(at, at + 6, isPlain ? char : JSON.stringify(char).slice(1, -1));
    }
    return at + 6;
  }

  private number(start: number): number {
    const { end, isInfinite } = numberAt(this.text, start);
    if (isInfinite) this.problem ??= 'must not hold a number beyond 1.8e308';
    return end;
  }

  /** Omits white space. */
  private space(at: number): number {
    const end = skipSpace(this.text, at);
    if (end > at) this.replace(at, end, '');
    return end;
  }

  private replace(from: number, to: number, by: string): void {
    if (from > this.copied) this.pieces.push(this.text.slice(this.copied, from));
    if (by !== '') this.pieces.push(by);
    this.copied = to;
  }
}

/** Members of an object that are searched linearly; more are looked up in a map. */
const MAX_LINEAR = 8;

/** An object or a list whose end has not been read. Reused by all on the same level. */
class Container {
  close = CLOSE_LIST;
  count = 0;
  /** Of an object: the names of its members and where they begin. */
  readonly names: string[] = [];
  readonly starts: number[] = [];
  private places: Map<string, number> | null = null;

  begin(open: number): void {
    this.close = open === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;
    this.count = 0;
    this.places = null;
  }

  /** Adds a member. @returns where an earlier one of the same name begins and ends, or null */
  add(name: string, start: number): [number, number] | null {
    const earlier = this.find(name);
    this.names[this.count] = name;
    this.starts[this.count] = start;
    this.places?.set(name, this.count);
    this.count++;
    return earlier === -1 ? null : [this.startOf(earlier), this.startOf(earlier + 1)];
  }

  private find(name: string): number {
    if (this.count === MAX_LINEAR) {
      this.places = new Map(this.names.slice(0, MAX_LINEAR).map((known, place) => [known, place]));
    }
    if (this.places) return this.places.get(name) ?? -1;
    let place = this.count - 1;
    while (place >= 0 && this.names[place] !== name) place--;
    return place;
  }

  private startOf = (place: number): number => this.starts[place] as number;
}

/** Parts that are omitted from a text; they may be nested. */
class Ranges {
  /** Ends, by starts. */
  private readonly ends = new Map<number, number>();
  private latest = { start: -1, end: -1 };

  get isEmpty(): boolean {
    return this.ends.size === 0;
  }

  add(start: number, end: number): void {
    // A part that follows the latest one is merged with it.
    this.latest = { start: this.latest.end === start ? this.latest.start : start, end };
    this.ends.set(this.latest.start, end);
  }

  /** The text from `start` to `end` without these parts. */
  *leftOut(text: string, start: number, end: number): Portions<string> {
    const kept: string[] = [];
    let from = start;
    // Numbers sort in a third of the time that pairs take.
    const begins = Float64Array.from(this.ends.keys()).sort();
    yield;
    for (const begin of begins) {
      // A nested part is omitted with the outer one.
      if (begin < from) continue;
      kept.push(text.slice(from, begin));
      from = this.ends.get(begin) as number;
    }
    kept.push(text.slice(from, end));
    yield;
    return kept.join('');
  }
}
