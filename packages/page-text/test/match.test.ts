import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import { fold } from '../src/fold.js';
import { indexWords } from '../src/index-words.js';
import { findMatch, type Match } from '../src/match.js';
import { readQuestion } from '../src/question.js';
import type { TextBlock } from '../src/text.js';
import { readAtOnce } from './read-at-once.js';

const RUNS = runs(1000, 100_000);

const paragraph = (text: string): TextBlock => ({ text, isHeading: false });
const match = (q: string, ...blocks: (string | TextBlock)[]): Match | null =>
  readAtOnce(
    findMatch(
      readQuestion(q),
      blocks.map((block) => (typeof block === 'string' ? paragraph(block) : block)),
    ),
  );

describe('finds', () => {
  test.each([
    ['elan', 'mit Élan', 'without the accent'],
    ['ÉLAN', 'mit e\u0301lan', 'in another normalization'],
    ['ΟΔΟΣ', 'η οδός', 'a final sigma'],
    ['istanbul', 'İSTANBUL', 'a dotted I'],
    ['ISPARTA', 'ısparta', 'a dotless i'],
    ['strasse', 'Große Straße', 'ß as ss'],
    ['елка', 'Ёлка', 'Cyrillic'],
    ['محمد', 'مُحَمَّد', 'Arabic without vowels'],
    ['שלום', 'שָׁלוֹם', 'Hebrew without points'],
    ['हिन्दी', 'यह हिन्दी है', 'Devanagari'],
    ['ไทย', 'ภาษาไทยง่าย', 'a Thai word inside a sentence'],
    ['记录', '今天的会议记录在这里', 'a Chinese word inside a sentence'],
    ['会', '今天的会议', 'a single sign'],
    ['ガイド', 'ご利用ｶﾞｲﾄﾞです', 'half-width Kana'],
    ['국어', '한국어'.normalize('NFD'), 'Hangul in pieces'],
    ['👨‍👩‍👧', 'us:👨‍👩‍👧!', 'an emoji'],
    ['❤', 'I ❤️ it', 'an emoji in either presentation'],
    ['snake_case', 'the snake_cases', 'an identifier'],
    ['case', 'snake_case', 'a part of it'],
    ['parser', 'HTMLParser', 'a part in camel case'],
    ['pars', 'HTMLParser', 'the beginning of a part'],
    ['htmlparser', 'HTMLParser', 'all of it'],
    ['a.b-c', 'use a.b‐c', 'a hyphen of another kind'],
    ["don't", 'I don’t', 'an apostrophe of another kind'],
    ['abc知识', '见abc知识库', 'two scripts in a word'],
    ['3.14', 'π is 3.14', 'a number'],
    ['doc', 'documents', 'a prefix of three letters'],
    ['b a', 'a, b', 'all words, in any order'],
    ['"the plan"', 'The: plans', 'a phrase, whatever is between its words but words'],
    ['"the plan"', 'the-plan', 'a phrase with a connector between its words'],
    ['“the plan', 'the plan', 'a phrase without its end'],
    ['x'.repeat(70), 'x'.repeat(100), 'the beginning of a very long word'],
  ])('%s in %s: %s', (q, text) => {
    expect(match(q, text)?.snippet.some((part) => part.match)).toBe(true);
  });
});

describe('does not find', () => {
  test.each([
    ['か', 'が', 'another sign'],
    ['do', 'documents', 'a prefix of two letters'],
    ['ocument', 'documents', 'the middle of a word'],
    ['录会', '会议记录', 'signs in another order'],
    ['snake_case', 'snake-case', 'another connector'],
    ['snake_case', 'snake case', 'two words as an identifier'],
    ['a.b', 'a..b', 'two connectors'],
    ['abc知识', 'abc 知识', 'what does not touch'],
    ['"the plan"', 'the new plan', 'a phrase with a word in between'],
    ['"the plan"', 'plan the', 'a phrase in another order'],
    ['a b', 'a', 'some words only'],
    ['👍', '👍🏽', 'an emoji of another skin tone'],
    [`${'x'.repeat(70)}y`, 'x'.repeat(100), 'a very long word that differs late'],
    ['-- !', '-- !', 'what is not a word'],
  ])('%s in %s: %s', (q, text) => {
    expect(match(q, text)).toBeNull();
  });

  test('a phrase across two blocks', () => {
    expect(match('"the plan"', 'the', 'plan')).toBeNull();
    expect(match('the plan', 'the', 'plan')).not.toBeNull();
  });
});

test('is in a heading if one heading has all words', () => {
  const heading = (text: string) => ({ text, isHeading: true });
  expect(match('a b', heading('a b'))?.isInHeading).toBe(true);
  expect(match('a b', 'a b', heading('b a'))?.isInHeading).toBe(true);
  expect(match('a b', heading('a'), heading('b'))?.isInHeading).toBe(false);
  expect(match('a b', 'a b', heading('a'))?.isInHeading).toBe(false);
});

describe('a question', () => {
  test.each([
    ['', 0, []],
    ['a " " -- b', 2, ['a', 'b']],
    ['one "two three', 3, ['one*', 'two*', 'three*']],
    ['same same', 2, ['same*']],
    ['do docu docume', 3, ['do', 'docume*']],
    ['会议记 会 abc_d', 3, ['会议', '议记', 'abc', 'd*']],
    ['录', 1, ['录*']],
    ['a\uFEFFb\u3000c', 3, ['a', 'b', 'c']],
  ])('%s', (q, words, terms) => {
    const question = readQuestion(q);
    expect(question.words).toBe(words);
    expect(question.indexTerms.map(({ word, isPrefix }) => word + (isPrefix ? '*' : ''))).toEqual(
      terms,
    );
  });
});

const character = fc.constantFrom(
  ...['a', 'a', 'b', 'B', 'A', 'é', 'e\u0301', 'ß', 'İ', 'ı', 'ς', 'Σ', 'ё', 'أ', 'שׁ', 'कि'],
  ...['ไ', 'ท', '会', '会', '议', 'か', 'が', 'か\u3099', 'ｶ', '한', '한'.normalize('NFD'), '1'],
  ...['½', '㎏', '👍', '👍🏽', '🇩🇪', '❤️', '\u00AD', '_', '.', '-', '‐', "'", ' ', ' ', '\n'],
);
const text = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''));
const block = fc.record({ text, isHeading: fc.boolean() });
const blocks = fc.array(block, { maxLength: 4 });
const questionText = fc
  .array(fc.oneof({ weight: 12, arbitrary: character }, fc.constant('"')), { maxLength: 6 })
  .map((parts) => parts.join(''));
/** A question that is a part of the text, or any. */
const asked = fc
  .tuple(blocks, questionText, fc.nat(), fc.integer({ min: 1, max: 5 }))
  .map(([texts, any, from, length]) => {
    const all =
      texts
        .map((one) => one.text)
        .join('\n')
        .match(/(?:🇩🇪|👍🏽|[\s\S])(?:\p{M}|[\u1161-\u11FF])*/gu) ?? [];
    const start = from % (all.length + 1);
    const q = from % 3 === 0 ? any : all.slice(start, start + length).join('');
    return { texts, q };
  });

describe('whatever is found', () => {
  test('has all terms of the question in the index', () => {
    fc.assert(
      fc.property(asked, ({ texts, q }) => {
        const question = readQuestion(q);
        const found = readAtOnce(findMatch(question, texts));
        if (found === null) return;
        const { words, headings } = readAtOnce(indexWords(texts));
        for (const { word, isPrefix } of question.indexTerms)
          for (const set of found.isInHeading ? [words, headings] : [words]) {
            const has = isPrefix ? [...set].some((one) => one.startsWith(word)) : set.has(word);
            expect([q, word, isPrefix, has]).toEqual([q, word, isPrefix, true]);
          }
      }),
      { numRuns: RUNS },
    );
  });

  test('is what an oracle finds that reads folded text by regular expressions', () => {
    let found = 0;
    fc.assert(
      fc.property(asked, ({ texts, q }) => {
        const has = match(q, ...texts);
        const folded = texts.map((one) => ({ ...one, found: oracle(q, one.text) }));
        const patterns = folded[0]?.found.length ?? 0;
        const all = Array.from({ length: patterns }, (_, n) => n);
        const isFound = patterns > 0 && all.every((n) => folded.some((one) => one.found[n]));
        expect([q, has !== null]).toEqual([q, isFound]);
        if (has === null) return;
        found++;
        const isInHeading = folded.some((one) => one.isHeading && one.found.every(Boolean));
        expect([q, has.isInHeading]).toEqual([q, isInHeading]);
      }),
      { numRuns: RUNS },
    );
    expect(found).toBeGreaterThan(RUNS / 10);
  });

  test('every word of a text finds it, in upper case, in pieces and by its beginning', () => {
    fc.assert(
      fc.property(text, fc.string({ unit: 'grapheme', maxLength: 8 }), (known, any) => {
        for (const whole of [known, any])
          for (const word of whole.split(/[\p{White_Space}\uFEFF"“”„‟«»＂]+/u)) {
            if (readQuestion(word).words === 0) continue;
            for (const q of [word, word.toUpperCase(), word.normalize('NFD')])
              expect([q, match(q, whole) !== null]).toEqual([q, true]);
          }
      }),
      { numRuns: RUNS },
    );
    for (const length of [3, 4, 5, 6, 7])
      expect(match('Straßen'.slice(0, length), 'zwei Straßen')).not.toBeNull();
  });
});

// The oracle: a regular expression for each word or phrase, over the folded text.

const EMOJI = '(?:👍🏽|👍|🇩🇪|❤)';
const SPACELESS = '[ไท会议かがカ한]';
const LETTER = String.raw`(?:(?![ไท会议かがカ한])[\p{L}\p{M}\p{N}])`;
const TOKEN = new RegExp(`${EMOJI}|${SPACELESS}|${LETTER}+`, 'gu');
const APART = String.raw`[^\p{L}\p{M}\p{N}👍🏽🇩🇪❤]*`;

/** Of each word and phrase, whether a text has it. */
function oracle(q: string, original: string): boolean[] {
  const plain = fold(original);
  // A part in camel case stands by itself, between characters that occur nowhere else.
  const parts = original
    .normalize('NFKC')
    .replace(/\u00AD|\uFE0F/g, '')
    .replace(/(?<=\p{Ll}\p{N}*)(?=\p{Lu})|(?<=\p{Lu}\p{N}*)(?=\p{Lu}\p{Ll})/gu, '|');
  return q.split('"').flatMap((piece, n) => {
    const words = piece
      .split(/\s+/)
      .map(pattern)
      .filter(({ source }) => source !== '');
    const isPhrase = n % 2 === 1 && words.length > 0;
    const wanted = isPhrase
      ? [
          {
            source: words.map(({ source }) => source).join(APART),
            isSingle: words.length === 1 && words.every(({ isSingle }) => isSingle),
          },
        ]
      : words;
    return wanted.map(({ source, isSingle }) => {
      const expression = new RegExp(source, 'u');
      return expression.test(plain) || (isSingle && expression.test(fold(parts)));
    });
  });
}

function pattern(word: string): { source: string; isSingle: boolean } {
  const folded = fold(word);
  const tokens = [...folded.matchAll(TOKEN)];
  const length = tokens
    .filter(([token]) => !new RegExp(EMOJI, 'u').test(token))
    .reduce((sum, [token]) => sum + Array.from(token).length, 0);
  let source = '';
  let end = 0;
  for (const [n, found] of tokens.entries()) {
    const between = folded.slice(end, found.index);
    const token = found[0];
    const isLetters = new RegExp(`^${LETTER}`, 'u').test(token);
    if (n > 0) {
      if (/^[-‐]$/.test(between)) source += '[-‐]';
      else if (/^[._]?$/.test(between)) source += between.replace('.', '\\.');
      else source += APART;
    }
    if (isLetters) source += `(?<!${LETTER})`;
    source += token;
    if (token === '👍') source += '(?!🏽)';
    if (isLetters && !(n === tokens.length - 1 && length >= 3)) source += `(?!${LETTER})`;
    end = (found.index ?? 0) + token.length;
  }
  const isSingle = tokens.length === 1 && new RegExp(`^${LETTER}`, 'u').test(tokens[0]?.[0] ?? '');
  return { source, isSingle };
}
