import { LETTER, SIGN } from './fold.js';
import { EMOJI, type Gap, TOUCHES, type WordKind, WordReader } from './words.js';

/** Words of a question, at most. */
export const MAX_WORDS = 8;

/** A word that the index has of each page that a question finds. */
export interface IndexTerm {
  readonly word: string;
  /** Any word that begins with it will do. */
  readonly isPrefix: boolean;
}

/** A word of a text that a phrase requires. */
export interface PhraseWord {
  readonly folded: string;
  readonly kind: WordKind;
  /** The longer words that begin with it will do, too. */
  readonly isPrefix: boolean;
  /** How it stands to the one before it; APART: no matter how. */
  readonly gap: Gap;
}

/** Words that stand one after the other in one block of text. What a person calls a word can be such a phrase. */
export interface Phrase {
  readonly words: readonly PhraseWord[];
  /** Words of the question that it is. */
  readonly weight: number;
}

/** What somebody looks for. */
export interface Question {
  /** How many words it has; 0: it finds nothing in texts. */
  readonly words: number;
  /** All of them are in the index of a page that it finds; the reverse does not hold. */
  readonly indexTerms: readonly IndexTerm[];
  /** All of them are in the text of a page that it finds. They are distinct. */
  readonly phrases: readonly Phrase[];
}

/** Letters and digits from which a word is a prefix. */
const MIN_PREFIX = 3;
const WHITE_SPACE = /[\p{White_Space}\uFEFF]+/u;
/** A phrase begins at one of them and ends at any other, or at the end. */
const QUOTES = /["“”„‟«»＂]/u;

/**
 * Reads a question: words at white space, phrases in double quotes. What has no letter, digit or emoji is not a word.
 * @param q a few hundred characters at most; the caller refuses more than MAX_WORDS words
 */
export function readQuestion(q: string): Question {
  const asked: Phrase[] = q.split(QUOTES).flatMap((piece, n) => {
    const words = piece
      .split(WHITE_SPACE)
      .map(readWord)
      .filter(({ length }) => length > 0);
    const isQuoted = n % 2 === 1 && words.length > 0;
    return isQuoted
      ? [{ words: words.flat(), weight: words.length }]
      : words.map((word) => ({ words: word, weight: 1 }));
  });
  const phrases = [...new Map(asked.map((phrase) => [JSON.stringify(phrase), phrase])).values()];
  return {
    words: asked.reduce((sum, { weight }) => sum + weight, 0),
    indexTerms: withoutImplied(phrases.flatMap(termsOf)),
    phrases,
  };
}

/** What a word between white space requires of a text. */
function readWord(written: string): PhraseWord[] {
  const words: PhraseWord[] = [];
  const reader = new WordReader({
    add({ folded, kind, gap }) {
      words.push({ folded, kind, gap, isPrefix: false });
      return 0;
    },
  });
  // A question is short: its portions are read at once.
  Array.from(reader.read(written));
  const last = words.at(-1);
  const letters = words.filter(({ kind }) => kind !== EMOJI).map(({ folded }) => folded);
  if (last?.kind === LETTER && Array.from(letters.join('')).length >= MIN_PREFIX)
    words[words.length - 1] = { ...last, isPrefix: true };
  return words;
}

/** What the index has of a text with this phrase. */
function termsOf({ words }: Phrase): IndexTerm[] {
  return words.flatMap((word, n): IndexTerm[] => {
    if (word.kind !== SIGN) return [{ word: word.folded, isPrefix: word.isPrefix }];
    const next = words[n + 1];
    if (next && isPair(word, next)) return [{ word: word.folded + next.folded, isPrefix: false }];
    const before = words[n - 1];
    if (before && isPair(before, word)) return [];
    // The index has a pair that begins with it, or the sign alone at the end of a run.
    return [{ word: word.folded, isPrefix: true }];
  });
}

const isPair = (word: PhraseWord, next: PhraseWord): boolean =>
  word.kind === SIGN && next.kind === SIGN && next.gap === TOUCHES;

function withoutImplied(terms: readonly IndexTerm[]): IndexTerm[] {
  return terms.filter(
    (term, n) =>
      !terms.some((other, m) => implies(other, term) && !(implies(term, other) && n <= m)),
  );
}

const implies = (given: IndexTerm, term: IndexTerm): boolean =>
  term.isPrefix ? given.word.startsWith(term.word) : !given.isPrefix && given.word === term.word;
