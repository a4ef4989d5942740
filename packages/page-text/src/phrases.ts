import { LETTER } from './fold.js';
import type { Phrase, PhraseWord } from './question.js';
import { APART, type Word, type WordSink } from './words.js';

/**
 * A phrase stands in a text.
 * @param phrase its index
 */
export type OnPhrase = (phrase: number, start: number, end: number) => void;

/** Finds every place where a phrase stands in a block. */
export class PhraseFinder implements WordSink {
  // Phrases of which the beginning has been read: which one, its next word, where it began in the text.
  private begun = 0;
  private readonly phrase: number[] = [];
  private readonly next: number[] = [];
  private readonly start: number[] = [];

  constructor(
    private readonly phrases: readonly Phrase[],
    private readonly onPhrase: OnPhrase,
  ) {}

  startBlock(): void {
    this.begun = 0;
  }

  add(word: Word): number {
    const work = this.begun;
    if (work > 0) this.continue(word);
    const { phrases } = this;
    for (let n = 0; n < phrases.length; n++) {
      const { words } = phrases[n] as Phrase;
      const first = words[0] as PhraseWord;
      if (isFound(first, word.folded)) {
        if (words.length === 1) this.onPhrase(n, word.start, word.end);
        else this.begin(n, 1, word.start);
      } else if (words.length === 1 && first.kind === LETTER) {
        for (const part of word.parts)
          if (isFound(first, part.folded)) this.onPhrase(n, part.start, part.end);
      }
    }
    return work;
  }

  private continue(word: Word): void {
    const { begun } = this;
    this.begun = 0;
    for (let n = 0; n < begun; n++) {
      const phrase = this.phrase[n] as number;
      const next = this.next[n] as number;
      const start = this.start[n] as number;
      const { words } = this.phrases[phrase] as Phrase;
      const expected = words[next] as PhraseWord;
      const stands = expected.gap === APART || expected.gap === word.gap;
      if (!stands || !isFound(expected, word.folded)) continue;
      if (next + 1 === words.length) this.onPhrase(phrase, start, word.end);
      else this.begin(phrase, next + 1, start);
    }
  }

  private begin(phrase: number, next: number, start: number): void {
    this.phrase[this.begun] = phrase;
    this.next[this.begun] = next;
    this.start[this.begun] = start;
    this.begun++;
  }
}

const isFound = ({ folded, isPrefix }: PhraseWord, word: string): boolean =>
  isPrefix ? word.startsWith(folded) : word === folded;
