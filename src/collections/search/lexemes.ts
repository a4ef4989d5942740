import type { Portions } from '@teamspaces/json-text/json-grammar';
import { type IndexWords, indexWords } from '@teamspaces/page-text/index-words';
import type { IndexTerm } from '@teamspaces/page-text/question';
import { readText } from '@teamspaces/page-text/text';
import { MAX_INDEX_ROW, MAX_INDEX_TERMS } from '../limits.js';

// What the index of words has. Each lexeme begins with six characters that name its workspace, so that a search meets
// nothing of other workspaces: neither their pages nor their number cost it anything. Two workspaces with the
// same six characters only cost time: the rows name the workspace, too.

/** Before the words of headings. No word begins with it but an emoji that is not a heading's for that. */
const HEADING = '#';
/** A lexeme of the rows of a page after the first one. */
const ADDED = '+';

/** Bytes of a UTF-16 unit in UTF-8, at most: to count them takes as long as all else. */
const MAX_BYTES = 3;
/** Words between which others run. */
const WORDS_AT_ONCE = 5_000;

/** The characters that name a workspace: the last 36 of the random bits of its id. */
export const prefixOf = (workspaceId: string): string =>
  Buffer.from(workspaceId.slice(-12), 'hex').toString('base64url').slice(-6);

/** The lexemes of a page, one array for each of its rows; at least one. */
export function* lexemesOf(
  workspaceId: string,
  { title, content }: { title: string; content: string },
): Portions<string[][]> {
  const words = yield* indexWords(yield* readText(title, content));
  return yield* rowsOf(prefixOf(workspaceId), words);
}

function* rowsOf(prefix: string, { words, headings }: IndexWords): Portions<string[][]> {
  const rows: string[][] = [[]];
  let bytes = 0;
  let count = 0;
  for (const [form, forms] of [
    [prefix + HEADING, headings],
    [prefix, words],
  ] as const) {
    for (const word of forms) {
      const lexeme = form + word;
      const length = lexeme.length * MAX_BYTES;
      const row = rows.at(-1) as string[];
      if (row.length < MAX_INDEX_ROW.words && bytes + length <= MAX_INDEX_ROW.bytes) {
        row.push(lexeme);
        bytes += length;
      } else {
        rows.push([lexeme]);
        bytes = length;
      }
      if (++count % WORDS_AT_ONCE === 0) yield;
    }
  }
  return rows;
}

/** The lexeme that all rows of a page have but the first one. */
export const addedLexeme = (prefix: string): string => prefix + ADDED;

/**
 * A tsquery that finds a row of each page that has all of these words, and of some others. The words of a page may be in several rows: then
 * one of them is in a row after the first, which finds pages without the others as well.
 * @param terms at least one
 * @param isHeading finds pages that have all of them in headings
 */
export function toTsquery(prefix: string, terms: readonly IndexTerm[], isHeading: boolean): string {
  const form = prefix + (isHeading ? HEADING : '');
  const lexemes = terms
    .slice(0, MAX_INDEX_TERMS)
    .map(({ word, isPrefix }) => quoted(form + word) + (isPrefix ? ':*' : ''));
  if (lexemes.length === 1) return lexemes[0] as string;
  const any = lexemes.join(' | ');
  return `${lexemes.join(' & ')} | ${quoted(addedLexeme(prefix))} & (${any})`;
}

const quoted = (lexeme: string): string => `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
