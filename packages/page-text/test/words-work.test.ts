import type { Portions } from '@teamspaces/json-text/json-grammar';
import { longestPortion, MAX_TURN, portionTimes } from '../../../test/support/event-loop.js';
import { indexWords } from '../src/index-words.js';
import { findMatch } from '../src/match.js';
import { readQuestion } from '../src/question.js';

const TEXT = 512 * 1024;

const fill = (part: string): string => part.repeat(Math.floor(TEXT / part.length));
function each(part: (n: number) => string): string {
  const parts: string[] = [];
  for (let length = 0; length < TEXT; )
    length += parts[parts.push(part(parts.length)) - 1]?.length ?? 1;
  return parts.join('');
}

const sum = (numbers: number[]): number => numbers.reduce((all, number) => all + number, 0);

describe('512 KiB of text are read in short portions, in linear time', () => {
  const texts: [string, () => string][] = [
    ['one word', () => fill('x')],
    ['one word in camel case', () => fill('aB')],
    ['distinct words', () => each((n) => `${n.toString(36)} `)],
    ['distinct words of two parts', () => each((n) => `a${n.toString(36)}B${n} `)],
    ['words with accents', () => fill('Änderungen ')],
    ['one letter with marks', () => `a${fill('\u0301\u0316')}`],
    ['letters with many marks', () => fill(`a${'\u0301\u0316'.repeat(40)}`)],
    ['white space', () => fill(' ')],
    ['dashes', () => fill('—')],
    ['signs', () => each((n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000)))],
    ['signs of two units', () => each((n) => String.fromCodePoint(0x20000 + (n % 40_000)))],
    ['one sign', () => fill('あ')],
    ['joined emoji', () => fill('👨\u200D')],
    ['flags', () => fill('🇩')],
    ['words that NFKC makes of a character', () => fill('ﷺ')],
    ['identifiers', () => fill('a_')],
  ];
  test.each(texts)('%s', async (_, text) => {
    const blocks = [{ text: text(), isHeading: true }];
    await areShort(
      () => indexWords(blocks),
      () => findMatch(readQuestion('foo a aB あ'), blocks),
    );
  });

  test.each([
    [`"${'a '.repeat(49)}`, 'a '],
    ['あ'.repeat(99), 'あ'],
    ['ﷺ'.repeat(30), 'ﷺ'],
  ])('a long question: %.10s…', async (q, part) => {
    const blocks = [{ text: fill(part), isHeading: true }];
    await areShort(() => findMatch(readQuestion(q), blocks));
  });

  test('a page of one paragraph yields at least each 16 Ki characters', () => {
    const blocks = [{ text: fill('word '), isHeading: false }];
    expect([...indexWords(blocks)].length).toBeGreaterThanOrEqual(TEXT / (16 * 1024) - 1);
    expect([...findMatch(readQuestion('word foo'), blocks)].length).toBeGreaterThan(30);
  });

  test('a long paragraph is read only as far as the place that has all words', () => {
    for (const isHeading of [false, true]) {
      const blocks = [{ text: fill('word '), isHeading }];
      expect([...findMatch(readQuestion('word'), blocks)].length).toBeLessThan(5);
    }
  });

  test('100,000 blocks', async () => {
    const blocks = Array.from({ length: 100_000 }, (_, n) => ({ text: `a${n}`, isHeading: true }));
    const find = () => findMatch(readQuestion('a1 foo'), blocks);
    expect([...indexWords(blocks)].length).toBeGreaterThan(16);
    expect([...find()].length).toBeGreaterThan(16);
    await areShort(() => indexWords(blocks), find);
  });

  async function areShort(...works: (() => Portions<unknown>)[]): Promise<void> {
    for (const work of works) {
      let all = Number.POSITIVE_INFINITY;
      const longest = await longestPortion(() => {
        const times = portionTimes(work());
        all = Math.min(all, sum(times));
        return times;
      });
      expect(longest).toBeLessThan(MAX_TURN);
      // Quadratic work would be minutes.
      expect(all).toBeLessThan(10_000);
    }
  }
});
