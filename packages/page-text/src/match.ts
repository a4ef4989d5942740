import type { Portions } from '@teamspaces/json-text/json-grammar';
import type { Question } from './question.js';
import type { TextBlock } from './text.js';

/** A piece of a snippet. */
export interface SnippetPart {
  readonly text: string;
  readonly match: boolean;
}

/** That a question finds a page, and where. */
export interface Match {
  /** One heading has all words of the question. */
  readonly isInHeading: boolean;
  /** About 200 characters around the place where most words stand. */
  readonly snippet: readonly SnippetPart[];
}

/** @returns null: the text does not have every word of the question */
export function* findMatch(
  _question: Question,
  _blocks: readonly TextBlock[],
): Portions<Match | null> {
  yield;
  return null;
}
