import type { Portions } from '@teamspaces/json-text/json-grammar';
import {
  continuesCluster,
  DIGIT,
  type FoldedCluster,
  foldCluster,
  LETTER,
  type LetterCase,
  LOWER,
  MAX_CLUSTER,
  NO_CASE,
  recallCluster,
  recallUnit,
  SIGN,
  UPPER,
} from './fold.js';

// The words of a block of text, for the index, for questions and for snippets. A *word* here is a run of letters and
// digits of at most 64 folded code points (longer runs are several words that touch), one sign of a script without
// spaces, or an emoji. What a person calls a word can be several of these: snake_case, 2024年.

/** How a word stands to the one before it in its block. */
export const TOUCHES = 0;
export const AFTER_UNDERSCORE = 1;
export const AFTER_DOT = 2;
/** Hyphens of all kinds, the minus sign and the en dash. */
export const AFTER_HYPHEN = 3;
/** Anything else, also several of the above. */
export const APART = 4;
export type Gap =
  | typeof TOUCHES
  | typeof AFTER_UNDERSCORE
  | typeof AFTER_DOT
  | typeof AFTER_HYPHEN
  | typeof APART;

export const EMOJI = 3;
export type WordKind = typeof LETTER | typeof SIGN | typeof EMOJI;

/** A part of a word in camel case. */
export interface WordPart {
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

/** A word of a block; the same object for each word, so a sink copies what it keeps. */
export interface Word {
  readonly folded: string;
  readonly kind: WordKind;
  readonly gap: Gap;
  /** Where it stands in the text of its block, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** At least two if it is in camel case. They are made on demand. */
  readonly parts: readonly WordPart[];
}

export interface WordSink {
  /** @returns the work that it was, in characters read */
  add(word: Word): number;
}

/** Folded code points of a word, at most. */
export const MAX_WORD = 64;
/** Work between two yields, in characters read. */
export const PORTION = 16 * 1024;
/** What other work costs, in characters read. */
const WORK_OF_BLOCK = 32;
const WORK_OF_FOLD = 128;
const WORK_OF_EMOJI = 32;

const ZWJ_PARTS = 15;
const PICTURE = '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?\\p{Emoji_Modifier}?';
// With U+0338, which strikes it out, an arrow is another character: ↮.
const EMOJI_AT = new RegExp(
  [
    `${PICTURE}(?!\\u0338)(?:[\\u{E0020}-\\u{E007F}]{1,8}|(?:\\u200D${PICTURE}){1,${ZWJ_PARTS}})?`,
    '\\p{Regional_Indicator}{1,2}',
    '[0-9#*]\\uFE0F?\\u20E3',
  ].join('|'),
  'uy',
);
const PRESENTATION = /[\uFE0E\uFE0F]/g;
/** UTF-16 units that emoji begin with. Not © and ®: they do not separate the words of a phrase. */
const beginsEmoji = (unit: number): boolean =>
  (unit >= 0x203c && unit <= 0x2bff) ||
  (unit >= 0xd83c && unit <= 0xd83f) ||
  unit === 0x3030 ||
  unit === 0x303d;

/** Reads blocks and gives their words to a sink, in their order. */
export class WordReader {
  private text = '';
  private at = 0;
  private work = 0;
  private gap: Gap = APART;

  // The run of letters that is being read.
  private run = '';
  private runLength = 0;
  private runStart = 0;
  private runEnd = 0;
  private readonly camel = new CamelCase();

  private readonly word = new ReusedWord();

  constructor(private readonly sink: WordSink) {}

  /** Reads a block. The work of all blocks that the reader reads counts for the portions. */
  *read(text: string): Portions<void> {
    this.text = text;
    this.at = 0;
    this.gap = APART;
    this.work += WORK_OF_BLOCK;
    while (!this.readPortion()) {
      this.work = 0;
      yield;
    }
  }

  /** @returns whether the block is read */
  private readPortion(): boolean {
    const { text } = this;
    const { length } = text;
    while (this.at < length) {
      if (this.work >= PORTION) return false;
      const unit = text.charCodeAt(this.at);
      if (unit >= 0x80) this.readCluster(unit);
      else if (ASCII[unit] === 0) this.readSeparators(unit);
      else if (!this.readAscii()) this.readCluster(unit);
    }
    this.endRun();
    return true;
  }

  /** ASCII that is not part of a word, up to a portion of it. */
  private readSeparators(first: number): void {
    const { text } = this;
    const start = this.at;
    const most = Math.min(text.length, start + PORTION);
    let end = start + 1;
    while (end < most && ASCII[text.charCodeAt(end)] === 0) end++;
    // A mark makes a cluster of the last one; #⃣ is an emoji.
    if (end < text.length && text.charCodeAt(end) >= 0x80) end--;
    if (end === start) {
      this.readCluster(first);
      return;
    }
    this.endRun();
    this.separate(end - start === 1 ? first : 0);
    this.at = end;
    this.work += end - start;
  }

  /** ASCII letters and digits, a whole word of them as a rule. @returns false: it is not as simple */
  private readAscii(): boolean {
    const { text } = this;
    if (this.runLength === MAX_WORD) this.endRun();
    const start = this.at;
    let end = start;
    let all = 0;
    const most = Math.min(text.length, start + MAX_WORD - this.runLength);
    for (; end < most; end++) {
      const type = ASCII[text.charCodeAt(end)];
      // Also where it is not ASCII.
      if (!type) break;
      all |= type;
    }
    const next = text.charCodeAt(end);
    // The last one can have marks.
    if (next >= 0x80) end--;
    if (end === start) return false;
    this.at = end;
    this.work += end - start;
    const written = text.slice(start, end);
    const folded = (all & ASCII_UPPER) === 0 ? written : written.toLowerCase();
    const goesOn = next >= 0x80 || ASCII[next];
    const isWord = !goesOn && this.runLength === 0;
    const mayBeCamel = (all & ASCII_UPPER) !== 0 && (all & ASCII_LOWER) !== 0;
    if (!isWord || mayBeCamel) this.addCases(start, end);
    if (isWord) this.emit(folded, LETTER, start, end, mayBeCamel ? this.camel.take() : NONE);
    else this.addAscii(folded, start, end);
    return true;
  }

  private addAscii(folded: string, start: number, end: number): void {
    if (this.runLength === 0) this.runStart = start;
    this.run += folded;
    this.runLength += folded.length;
    this.runEnd = end;
  }

  private addCases(start: number, end: number): void {
    const { text, camel } = this;
    const before = this.run.length - start;
    for (let at = start; at < end; at++) {
      const type = ASCII[text.charCodeAt(at)];
      const letterCase = type === ASCII_UPPER ? UPPER : type === ASCII_LOWER ? LOWER : DIGIT;
      camel.add(letterCase, before + at, at);
    }
  }

  /** A character with its marks, or an emoji. */
  private readCluster(unit: number): void {
    const { text } = this;
    const start = this.at;
    if (this.readEmoji(unit)) return;
    let end = start + (isPair(text, start) ? 2 : 1);
    let ignoredFrom = 0;
    for (let length = 1; end < text.length; length++) {
      const next = text.codePointAt(end) as number;
      if (!continuesCluster(next)) break;
      if (length === MAX_CLUSTER) ignoredFrom = end;
      end += next > 0xffff ? 2 : 1;
    }
    this.at = end;
    this.work += end - start;
    const { points, letterCase } = this.folded(start, ignoredFrom || end);
    this.work += points.length;
    let isFirst = true;
    for (const { text: point, kind } of points) {
      if (kind === LETTER) this.addLetter(point, isFirst ? letterCase : null, start, end);
      else {
        this.endRun();
        if (kind === SIGN) this.emit(point, SIGN, start, end, NONE);
        else this.separate(point.charCodeAt(0));
      }
      isFirst = false;
    }
    // Marks that are ignored belong to the run, too.
    if (this.run !== '') this.runEnd = end;
  }

  private folded(start: number, end: number): FoldedCluster {
    const known = end === start + 1 ? recallUnit(this.text.charCodeAt(start)) : undefined;
    if (known) return known;
    const cluster = this.text.slice(start, end);
    const recalled = recallCluster(cluster);
    if (recalled) {
      this.work += end - start;
      return recalled;
    }
    this.work += WORK_OF_FOLD;
    return foldCluster(cluster);
  }

  private readEmoji(unit: number): boolean {
    const { text } = this;
    const start = this.at;
    const next = text.charCodeAt(start + 1);
    const isKeycap = unit < 0x80 && (next === 0xfe0f || next === 0x20e3);
    if (!isKeycap && !beginsEmoji(unit)) return false;
    EMOJI_AT.lastIndex = start;
    const found = EMOJI_AT.exec(text);
    this.work += WORK_OF_EMOJI;
    if (found === null) return false;
    const folded = found[0].replace(PRESENTATION, '');
    // ™, ℹ and the like are words.
    if (folded.normalize('NFKC') !== folded) return false;
    this.endRun();
    this.at = start + found[0].length;
    this.emit(folded, EMOJI, start, this.at, NONE);
    return true;
  }

  /** @param letterCase null inside a cluster */
  private addLetter(point: string, letterCase: LetterCase | null, start: number, end: number) {
    if (this.runLength === MAX_WORD) this.endRun();
    if (this.runLength === 0) this.runStart = start;
    if (letterCase !== null) this.camel.add(letterCase, this.run.length, start);
    this.run += point;
    this.runLength++;
    this.runEnd = end;
  }

  private endRun(): void {
    if (this.runLength === 0) return;
    const { run } = this;
    this.run = '';
    this.runLength = 0;
    this.emit(run, LETTER, this.runStart, this.runEnd, this.camel.take());
  }

  private separate(character: number): void {
    this.gap = this.gap === TOUCHES ? gapOf(character) : APART;
  }

  private emit(
    folded: string,
    kind: WordKind,
    start: number,
    end: number,
    boundaries: readonly Boundary[],
  ): void {
    this.work += this.sink.add(this.word.set(folded, kind, this.gap, start, end, boundaries));
    this.gap = TOUCHES;
  }
}

/** Each ASCII letter and digit; 0 is anything else. */
const ASCII_LOWER = 1;
const ASCII_UPPER = 2;
const ASCII_DIGIT = 4;
const ASCII = new Uint8Array(0x80);
ASCII.fill(ASCII_DIGIT, 0x30, 0x3a);
ASCII.fill(ASCII_UPPER, 0x41, 0x5b);
ASCII.fill(ASCII_LOWER, 0x61, 0x7b);

const isPair = (text: string, at: number): boolean => (text.codePointAt(at) as number) > 0xffff;

function gapOf(character: number): Gap {
  switch (character) {
    case 0x5f:
      return AFTER_UNDERSCORE;
    case 0x2e:
      return AFTER_DOT;
    case 0x2d:
    case 0x2010:
    case 0x2012:
    case 0x2013:
    case 0x2212:
      return AFTER_HYPHEN;
    default:
      return APART;
  }
}

/** Where a part of a word in camel case begins: in its folded form, and in the text. */
interface Boundary {
  readonly folded: number;
  readonly source: number;
}
const NONE: readonly Boundary[] = [];

/** Finds the parts of a word: camelCase, HTMLParser, utf8Decoder. A digit has the case of the letter before it. */
class CamelCase {
  private last: LetterCase = NO_CASE;
  private beforeLast: LetterCase = NO_CASE;
  private lastBoundary: Boundary | null = null;
  private boundaries: Boundary[] = [];

  add(letterCase: LetterCase, folded: number, source: number): void {
    if (letterCase === DIGIT) {
      this.lastBoundary = null;
      return;
    }
    if (letterCase === UPPER && this.last === LOWER) this.boundaries.push({ folded, source });
    const isAfterCapitals = this.last === UPPER && this.beforeLast === UPPER;
    if (letterCase === LOWER && isAfterCapitals && this.lastBoundary)
      this.boundaries.push(this.lastBoundary);
    this.beforeLast = this.last;
    this.last = letterCase;
    this.lastBoundary = { folded, source };
  }

  /** The boundaries of the word that ends here. */
  take(): readonly Boundary[] {
    const { boundaries } = this;
    this.last = NO_CASE;
    this.beforeLast = NO_CASE;
    if (boundaries.length === 0) return NONE;
    this.boundaries = [];
    return boundaries;
  }
}

const NO_PARTS: readonly WordPart[] = [];

class ReusedWord implements Word {
  folded = '';
  kind: WordKind = LETTER;
  gap: Gap = APART;
  start = 0;
  end = 0;
  private boundaries: readonly Boundary[] = NONE;

  set(
    folded: string,
    kind: WordKind,
    gap: Gap,
    start: number,
    end: number,
    boundaries: readonly Boundary[],
  ): this {
    this.folded = folded;
    this.kind = kind;
    this.gap = gap;
    this.start = start;
    this.end = end;
    this.boundaries = boundaries;
    return this;
  }

  get parts(): readonly WordPart[] {
    if (this.boundaries.length === 0) return NO_PARTS;
    const starts = [{ folded: 0, source: this.start }, ...this.boundaries];
    return starts.map(({ folded, source }, n) => {
      const next = starts[n + 1] ?? { folded: this.folded.length, source: this.end };
      return {
        folded: this.folded.slice(folded, next.folded),
        start: source,
        end: next.source,
      };
    });
  }
}
