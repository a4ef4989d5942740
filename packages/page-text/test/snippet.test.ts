import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import { findMatch } from '../src/match.js';
import { readQuestion } from '../src/question.js';
import type { SnippetPart } from '../src/snippet.js';
import type { TextBlock } from '../src/text.js';
import { readAtOnce } from './read-at-once.js';

const RUNS = runs(500, 50_000);
const MAX_SNIPPET = 300;

const asBlocks = (texts: readonly string[]): TextBlock[] =>
  texts.map((text) => ({ text, isHeading: false }));
const snippet = (q: string, ...texts: string[]): readonly SnippetPart[] =>
  readAtOnce(findMatch(readQuestion(q), asBlocks(texts)))?.snippet ?? [];
/** With what is found in brackets. */
const shown = (q: string, ...texts: string[]): string =>
  snippet(q, ...texts)
    .map(({ text, match }) => (match ? `[${text}]` : text))
    .join('');

describe('a snippet', () => {
  test.each([
    [['elan'], 'Mit  Élan\n und elans', 'Mit [Élan] und [elans]'],
    [['pla'], 'Plans, planes', '[Plans], [planes]'],
    [['记录'], '会议记录', '会议[记录]'],
    [['parser'], 'an HTMLParser', 'an HTML[Parser]'],
    [['snake_ca'], 'a snake_case', 'a [snake_case]'],
    [['"the plan" a'], 'a: The, plan', '[a]: [The, plan]'],
    [['一'], '一一', '[一一]'],
    [['ß'], 'ẞ', '[ẞ]'],
  ])('%s of %s', ([q], text, expected) => {
    expect(shown(q as string, text)).toBe(expected);
  });

  test('shows the blocks after and before a short one, separated by a space', () => {
    expect(shown('title', 'Title', 'Text', 'more')).toBe('[Title] Text more');
    expect(shown('more', 'Title', ' ', 'Text', 'more')).toBe('Title Text [more]');
  });

  test('is where most words are, the first of such places', () => {
    const far = 'x '.repeat(300);
    expect(shown('one two', `one ${far} two one ${far} one two`)).toMatch(/x \[two\] \[one\] x/);
    expect(shown('one two', `one ${far}`, `${far} two`)).toMatch(/^\[one\]/);
    expect(shown('one two', 'one', far, 'two', far, 'one two')).toMatch(/\[one\] \[two\]$/);
  });

  test('is of about 200 characters, cut at words', () => {
    const words = Array.from({ length: 200 }, (_, n) => `word${n}`);
    const parts = snippet('word100 -', words.join(' '));
    const text = parts.map((part) => part.text).join('');
    expect(text.length).toBeGreaterThan(180);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(words).toEqual(expect.arrayContaining(text.split(' ')));
    expect(parts[1]).toEqual({ text: 'word100', match: true });
  });

  test.each([
    ['a word of a megabyte', 'xxx', 'x'.repeat(1_000_000)],
    ['one in its middle', 'yyy', `${'x'.repeat(64_000)}yyy${'x'.repeat(64_000)}`],
    ['100,000 marks', 'a', `b a${'\u0301'.repeat(100_000)} c`],
    ['a long phrase', '"a b"', `a${'-'.repeat(5000)}b`],
    ['white space', '"a b"', `a${' '.repeat(5000)}b`],
    ['signs of two units', '𠀀', '𠀀𠀁𠀂'.repeat(1000)],
    ['flags', '🇩🇪', '🇩🇪🇫🇷'.repeat(1000)],
    ['many blocks', 'a', 'a\n'.repeat(1000)],
  ])('of %s is bounded and well-formed', (_, q, text) => {
    const parts = snippet(q, ...text.split('\n'));
    const joined = parts.map((part) => part.text).join('');
    expect(joined.length).toBeLessThanOrEqual(MAX_SNIPPET);
    expect(joined).toBe(joined.toWellFormed());
    expect(parts.some((part) => part.match)).toBe(true);
    expect(text.replace(/\s+/g, ' ')).toContain(joined);
  });

  test('is a piece of the text that has what was found in alternating parts', () => {
    const piece = fc.constantFrom(
      ...['a', 'b', 'é', 'e\u0301', '会', '议', 'が', '👍', '🇩🇪', '𠀀', '_', '-', ' ', '  ', '\n'],
      ...['word ', 'Camel', 'x'.repeat(70), '-'.repeat(90), ' '.repeat(150), '\u0301'.repeat(50)],
    );
    const text = fc.array(piece, { maxLength: 60, size: 'max' }).map((parts) => parts.join(''));
    const question = fc.constantFrom('a', 'b a', 'é', '会议', '"a b"', '👍', 'camel word', 'xxx');
    let found = 0;
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), question, (texts, q) => {
        const parts = snippet(q, ...texts);
        if (parts.length === 0) return;
        found++;
        const joined = parts.map((part) => part.text).join('');
        expect(texts.join(' ').replace(/\s+/g, ' ')).toContain(joined);
        expect(joined.length).toBeLessThanOrEqual(MAX_SNIPPET);
        expect(joined).toBe(joined.toWellFormed());
        expect(joined).toBe(joined.trim());
        expect(parts.every((part) => part.text !== '')).toBe(true);
        expect(parts.some((part) => part.match)).toBe(true);
        const alternates = parts.every((part, n) => part.match !== parts[n + 1]?.match);
        expect(alternates).toBe(true);
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS / 10);
  });
});
