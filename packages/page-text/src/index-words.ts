import type { Portions } from '@teamspaces/json-text/json-grammar';
import { SIGN } from './fold.js';
import type { TextBlock } from './text.js';
import { TOUCHES, type Word, WordReader, type WordSink } from './words.js';

/** The distinct words that an index has of a page. */
export interface IndexWords {
  /** Of its whole text. */
  readonly words: ReadonlySet<string>;
  /** Of its headings; all of them are in `words`, too. */
  readonly headings: ReadonlySet<string>;
}

/**
 * The words that the index has of a page, each folded and of at most 64 code points: words and their parts in camel
 * case, emoji, and of scripts without spaces every pair of neighbouring signs and the last sign of each run. The work
 * is linear in the length of the text.
 */
export function* indexWords(blocks: readonly TextBlock[]): Portions<IndexWords> {
  const collector = new Collector();
  const reader = new WordReader(collector);
  for (const { text, isHeading } of blocks) {
    collector.isInHeading = isHeading;
    yield* reader.read(text);
    collector.endRun();
  }
  return collector;
}

/** Work of a new word of a set, in characters read. */
const WORK_OF_WORD = 6;

class Collector implements IndexWords, WordSink {
  readonly words = new Set<string>();
  readonly headings = new Set<string>();
  isInHeading = false;
  /** The sign before, of a script without spaces. */
  private sign = '';

  add({ folded, kind, gap, parts }: Word): number {
    const isInRun = kind === SIGN && gap === TOUCHES && this.sign !== '';
    if (isInRun) this.collect(this.sign + folded);
    else this.endRun();
    if (kind === SIGN) this.sign = folded;
    else {
      this.sign = '';
      this.collect(folded);
      for (const part of parts) this.collect(part.folded);
    }
    return WORK_OF_WORD * (1 + parts.length);
  }

  endRun(): void {
    if (this.sign !== '') this.collect(this.sign);
    this.sign = '';
  }

  private collect(word: string): void {
    this.words.add(word);
    if (this.isInHeading) this.headings.add(word);
  }
}
