import type { Portions } from '@teamspaces/json-text/json-grammar';
import type { TextBlock } from './text.js';

/** The distinct words that an index has of a page. */
export interface IndexWords {
  /** Of its whole text. */
  readonly words: ReadonlySet<string>;
  /** Of its headings; all of them are in `words`, too. */
  readonly headings: ReadonlySet<string>;
}

export function* indexWords(_blocks: readonly TextBlock[]): Portions<IndexWords> {
  yield;
  return { words: new Set(), headings: new Set() };
}
