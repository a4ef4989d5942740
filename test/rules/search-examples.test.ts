import { readFileSync } from 'node:fs';
import type { Portions } from '@teamspaces/json-text/json-grammar';
import { findMatch } from '@teamspaces/page-text/match';
import { readQuestion } from '@teamspaces/page-text/question';
import { readText } from '@teamspaces/page-text/text';

// What docs/search.md says of scripts and editors.

const PAGE = readFileSync('docs/search.md', 'utf8');

/** The cells of the table of a section, without its head. */
const rowsOf = (section: string, head: string): string[][] => {
  const table =
    PAGE.slice(PAGE.indexOf(head, PAGE.indexOf(`### ${section}`))).split('\n\n')[0] ?? '';
  const rows = table.split('\n').slice(2);
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
};
const codeIn = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

function complete<T>(portions: Portions<T>): T {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}

const finds = (q: string, text: string): boolean => {
  const blocks = complete(readText('', JSON.stringify({ text })));
  return complete(findMatch(readQuestion(q), blocks)) !== null;
};

test('scripts', () => {
  const rows = rowsOf('Scripts', '| Script |');
  expect(rows.length).toBeGreaterThan(8);
  const wrong = rows.flatMap(([script, text = '', found, missed]) => {
    const plain = text.replaceAll('*', '');
    return [
      ...codeIn(found).filter((q) => !finds(q, plain)),
      ...codeIn(missed).filter((q) => finds(q, plain)),
    ].map((q) => `${script}: ${q}`);
  });
  expect(wrong).toEqual([]);
});

test('editors', () => {
  const rows = rowsOf('What counts as text', '| Editor |');
  expect(rows.length).toBeGreaterThan(7);
  for (const [editor, content = '', text = ''] of rows) {
    const json = content.slice(1, -1).replace('[…]', '[]');
    const expected = [...text.matchAll(/(heading )?\*(.*?)\*/g)].map(([, heading, words]) => ({
      text: words,
      isHeading: heading !== undefined,
    }));
    expect([editor, complete(readText('', json)).slice(1)]).toEqual([editor, expected]);
  }
});
