import type { Portions } from '@teamspaces/json-text/json-grammar';
import { PhraseFinder } from './phrases.js';
import type { Phrase, Question } from './question.js';
import { makeSnippet, type Place, SNIPPET, type SnippetPart } from './snippet.js';
import type { TextBlock } from './text.js';
import { PORTION, TOUCHES, WordReader } from './words.js';

export type { SnippetPart } from './snippet.js';

/** That a question finds a page, and where. */
export interface Match {
  /** One heading has all words of the question. */
  readonly isInHeading: boolean;
  /** About 200 characters around the place where most words stand, at most 300. `match` alternates. */
  readonly snippet: readonly SnippetPart[];
}

/**
 * Whether a text has all words and phrases of a question, each in any of its blocks, and where most of them stand. The
 * work is linear in the length of the text, for a given question.
 * @returns null: the text does not have every word of the question
 */
export function* findMatch(
  question: Question,
  blocks: readonly TextBlock[],
): Portions<Match | null> {
  const { phrases } = question;
  if (phrases.length === 0) return null;
  const places = new PlaceFinder(phrases);
  const finder = new PhraseFinder(phrases, (...found) => places.add(...found));
  const reader = new WordReader(finder);
  const probes = phrases.map(probeOf);
  let skipped = 0;
  for (let n = 0; n < blocks.length; n++) {
    const { text, isHeading } = blocks[n] as TextBlock;
    if (places.isComplete && (places.isInHeading || !isHeading)) continue;
    skipped += text.length + 1;
    if (skipped > PORTION) {
      skipped = 0;
      yield;
    }
    if (lacksAll(text, probes)) continue;
    finder.startBlock();
    places.startBlock(n);
    const reading = reader.read(text);
    while (!reading.next().done && !places.isDecided(isHeading)) yield;
    places.endBlock(isHeading);
  }
  const { best, isInHeading } = places;
  if (best === null || !places.hasAll) return null;
  return { isInHeading, snippet: makeSnippet(phrases, blocks, best) };
}

/**
 * Blocks of nothing but these are folded by toLowerCase, except for characters that are in no word, before and after
 * folding. So they have each of their words as it is in the folded form. (A test tries each character.)
 */
export const PLAIN =
  /^[\0-\x7F\xA1\xA7\xAB\xB0\xB6\xB7\xBB\xBF\u2010-\u2027\u2030-\u205E\u20AC\u2190-\u21FF\u2500-\u25FF\u3001-\u3004\u3007-\u3020\u3041-\u3096\u30A1-\u30FE\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF0F\uFF1A-\uFF20]*$/;

/** Whether a quick look says that none of the phrases is in a text; the reverse does not hold. */
function lacksAll(text: string, probes: readonly string[]): boolean {
  if (!PLAIN.test(text)) return false;
  const lower = text.toLowerCase();
  return !probes.some((probe) => lower.includes(probe));
}

/** The longest piece of a phrase in which no other character can be. */
function probeOf({ words }: Phrase): string {
  let longest = '';
  let piece = '';
  for (const { folded, gap } of words) {
    piece = gap === TOUCHES ? piece + folded : folded;
    if (piece.length > longest.length) longest = piece;
  }
  return longest;
}

/** Finds the place where most words of the question stand. */
class PlaceFinder {
  best: Place | null = null;
  isInHeading = false;
  private bestWeight = 0;
  private readonly weight: number;
  private block = 0;
  private inText = new Set<number>();
  private inBlock = new Set<number>();
  /** Where each phrase was found last in this block. */
  private readonly last: number[];

  constructor(private readonly phrases: readonly Phrase[]) {
    this.weight = phrases.reduce((sum, { weight }) => sum + weight, 0);
    this.last = phrases.map(() => Number.NEGATIVE_INFINITY);
  }

  get hasAll(): boolean {
    return this.inText.size === this.phrases.length;
  }

  /** All words stand in one place. */
  get isComplete(): boolean {
    return this.bestWeight === this.weight;
  }

  /** Nothing else that stands in this block matters. */
  isDecided(isHeading: boolean): boolean {
    return this.isComplete && (!isHeading || this.inBlock.size === this.phrases.length);
  }

  startBlock(block: number): void {
    this.block = block;
    this.inBlock.clear();
    this.last.fill(Number.NEGATIVE_INFINITY);
  }

  endBlock(isHeading: boolean): void {
    if (isHeading && this.inBlock.size === this.phrases.length) this.isInHeading = true;
  }

  add(phrase: number, start: number, end: number): void {
    this.inText.add(phrase);
    this.inBlock.add(phrase);
    this.last[phrase] = start;
    if (this.isComplete) return;
    let weight = 0;
    let from = start;
    for (let n = 0; n < this.last.length; n++) {
      const other = this.last[n] as number;
      if (n !== phrase && other < end - SNIPPET) continue;
      weight += this.phrases[n]?.weight ?? 0;
      from = Math.min(from, other);
    }
    if (weight <= this.bestWeight) return;
    this.bestWeight = weight;
    this.best = { block: this.block, start: from, end };
  }
}
