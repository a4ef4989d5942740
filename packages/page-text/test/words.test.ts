import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import { continuesCluster, fold, foldCluster } from '../src/fold.js';
import { indexWords } from '../src/index-words.js';
import { PLAIN } from '../src/match.js';
import { readAtOnce } from './read-at-once.js';

const RUNS = runs(300, 100_000);

const wordsOf = (text: string): string[] => [
  ...readAtOnce(indexWords([{ text, isHeading: false }])).words,
];

describe('folded text', () => {
  test.each([
    ['Élan ÉLAN e\u0301lan', 'elan elan elan', 'Latin letters lose their marks'],
    ['ΟΔΌΣ οδός', 'οδοσ οδοσ', 'a final sigma is a sigma'],
    ['İstanbul ISTANBUL ıstanbul', 'istanbul istanbul istanbul', 'all i are one letter'],
    ['Straße STRASSE STRAẞE', 'strasse strasse strasse', 'ß is ss'],
    ['Ёлка елка Йод', 'елка елка иод', 'Cyrillic letters lose their marks'],
    ['مُحَمَّد أحمد', 'محمد احمد', 'Arabic letters lose vowels and hamza'],
    ['שָׁלוֹם', 'שלום', 'Hebrew letters lose their points'],
    ['हिन्दी', 'हिन्दी', 'Devanagari vowels are part of the word'],
    ['ภาษาไทย', 'ภาษาไทย', 'Thai vowels and tones are, too'],
    ['か が か\u3099', 'か が が', 'が is not か'],
    ['ｶﾞｲﾄﾞ ガイド', 'ガイド ガイド', 'half-width forms are the usual ones'],
    ['한국어'.normalize('NFD'), '한국어', 'Hangul in pieces is composed'],
    ['ＡＢＣ ﬁn Ⓐ ㎏ ℃', 'abc fin a kg °c', 'NFKC'],
    ['ex\u00ADam\u200Bple 葛\u{E0100}', 'example 葛', 'what does not show is left out'],
  ])('%s is %s: %s', (text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  test('stays the same when it is folded again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: RUNS },
    );
    for (let point = 0; point <= 0x2ffff; point++) {
      const character = String.fromCodePoint(point);
      const folded = fold(character);
      if (fold(folded) !== folded) expect(`${point.toString(16)}: ${folded}`).toBe(fold(folded));
    }
  });

  test('is the text folded as a whole where each character is folded with its marks', () => {
    const character = fc.oneof(
      fc.constantFrom(...'aIıßΣςéか\u3099\u0301\u0345\u1112\u1161\u11ABㄱㅏｶﾞ\u0E33\u094D '),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 10 }), (characters) => {
        const text = characters.join('');
        // Marks at the beginning have no letter to compose with, and a cluster has at most 32 characters anyway.
        const clusters: string[] = [];
        for (const point of text) {
          if (clusters.length > 0 && continuesCluster(point.codePointAt(0) as number))
            clusters[clusters.length - 1] += point;
          else clusters.push(point);
        }
        const folded = clusters.map((cluster) =>
          foldCluster(cluster)
            .points.map((point) => point.text)
            .join(''),
        );
        expect(folded.join('')).toBe(fold(text));
      }),
      { numRuns: RUNS },
    );
  });

  test('of plain blocks is what toLowerCase makes of it', () => {
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (!PLAIN.test(character)) continue;
      expect([point, continuesCluster(point)]).toEqual([point, false]);
      if (fold(character) === character.toLowerCase()) continue;
      const { points } = foldCluster(character);
      expect([point, points.filter(({ kind }) => kind !== 0)]).toEqual([point, []]);
      expect([point, /[\p{L}\p{N}]/u.test(character)]).toEqual([point, false]);
    }
  });
});

describe('the words that the index has of', () => {
  test.each([
    ['The cat, the CAT.', ['the', 'cat']],
    ['snake_case a.b-c', ['snake', 'case', 'a', 'b', 'c']],
    ['camelCase', ['camelcase', 'camel', 'case']],
    ['HTMLParser', ['htmlparser', 'html', 'parser']],
    ['SHA256Hash utf8Parser', ['sha256hash', 'sha256', 'hash', 'utf8parser', 'utf8', 'parser']],
    ['ÉlanVitál', ['elanvital', 'elan', 'vital']],
    ["don't don’t", ['don', 't']],
    ['25 ℃, ½ x²', ['25', 'c', '1', '2', 'x2']],
    ['会议记录', ['会议', '议记', '记录', '录']],
    ['会议，录', ['会议', '议', '录']],
    ['abc知识2024年', ['abc', '知识', '识', '2024', '年']],
    ['ガイド', ['ガイ', 'イド', 'ド']],
    ['한국', ['한국', '국']],
    ['हिन्दी', ['हिन्दी']],
    ['ไทย', ['ไท', 'ทย', 'ย']],
    ['👍👍🏽 👨‍👩‍👧 🇩🇪🇫🇷 ❤️ 1️⃣', ['👍', '👍🏽', '👨‍👩‍👧', '🇩🇪', '🇫🇷', '❤', '1\u20E3']],
    ['© ™ ℹ️ ´ a´', ['tm', 'i', 'a']],
    ['-- … \u0301 "', []],
  ])('%s', (text, expected) => {
    expect(wordsOf(text)).toEqual(expected);
  });

  test('a run of more than 64 letters are several', () => {
    const run = `${'x'.repeat(64)}${'y'.repeat(64)}z`;
    expect(wordsOf(`${run} ${run.toUpperCase()}`)).toEqual(run.match(/.{1,64}/g));
    // 𐐨 is two UTF-16 units.
    expect(wordsOf('𐐀'.repeat(65))).toEqual(['𐐨'.repeat(64), '𐐨']);
  });

  test('headings are apart, and among all words', () => {
    const blocks = [
      { text: 'A Title', isHeading: true },
      { text: 'a text', isHeading: false },
      { text: '题', isHeading: true },
      { text: '目', isHeading: false },
    ];
    expect(readAtOnce(indexWords(blocks))).toMatchObject({
      words: new Set(['a', 'title', 'text', '题', '目']),
      headings: new Set(['a', 'title', '题']),
    });
  });
});
