/** Words of a question, at most. */
export const MAX_WORDS = 8;

/** A word that the index has of each page that a question finds. */
export interface IndexTerm {
  readonly word: string;
  /** Any word that begins with it will do. */
  readonly isPrefix: boolean;
}

/** What somebody looks for. */
export interface Question {
  /** How many words it has; 0: it finds nothing in texts. */
  readonly words: number;
  /** All of them are in the index of a page that it finds; the reverse does not hold. */
  readonly indexTerms: readonly IndexTerm[];
}

export function readQuestion(_q: string): Question {
  return { words: 0, indexTerms: [] };
}
