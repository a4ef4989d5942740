import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Portions } from '@teamspaces/json-text/json-grammar';
import fc from 'fast-check';
import { longestPortion, portionTimes } from '../../../test/support/event-loop.js';
import { runs } from '../../../test/support/runs.js';
import { MAX_TEXT_BYTES, readText, type TextBlock } from '../src/text.js';
import { naiveText } from './naive-text.js';

const DOCUMENTS = join(import.meta.dirname, 'documents');
const RUNS = runs(1000, 100_000);
const MIB = 1024 * 1024;

function complete<T>(portions: Portions<T>): T {
  for (;;) {
    const { done, value } = portions.next();
    if (done) return value;
  }
}

/** The blocks of the content, each on a line, headings behind a sign. */
const print = (blocks: TextBlock[]): string[] =>
  blocks.map(({ text, isHeading }) => (isHeading ? `# ${text}` : text));
const read = (content: unknown): string[] =>
  print(complete(readText('', JSON.stringify(content)))).slice(1);

describe('the documents of editors', () => {
  const editors = readdirSync(DOCUMENTS).filter((name) => name.endsWith('.json'));

  test.each(editors)('%s', (file) => {
    const document = readFileSync(join(DOCUMENTS, file), 'utf8');
    const expected = readFileSync(join(DOCUMENTS, file.replace('.json', '.txt')), 'utf8');
    const compact = JSON.stringify(JSON.parse(document));
    for (const content of [document, compact]) {
      const lines = print(complete(readText('The title', content)));
      expect(lines.map((line) => `${line}\n`).join('')).toBe(expected);
    }
  });
});

describe('any JSON', () => {
  test('gives its title alone, if it has no strings', () => {
    const title = [{ text: 'A title', isHeading: true }];
    expect(complete(readText('A title', '{}'))).toEqual(title);
    expect(complete(readText('A title', '{"a":[1,true,null,{"b":"  "}]}'))).toEqual(title);
  });

  test.each<[string, unknown, string[]]>([
    [
      'of no editor',
      { summary: 'Soup', steps: ['Cut', 'Cook'], name: 'Zoë', time: { unit: 'hours' } },
      ['Soup', 'Cut', 'Cook', 'Zoë', 'hours'],
    ],
    [
      'words that are names of nodes',
      { format: 'hardcover', language: 'French' },
      ['hardcover', 'French'],
    ],
    ['of a node', { data: { language: 'fr', text: 'Bonjour' }, type: 'x', mode: 'm' }, ['Bonjour']],
    ['ids', { id: 'a', userId: 'b', userIDs: ['c'], row_id: 'd', valid: 'e' }, ['e']],
    ['colours', { textColor: 'red', a: '#ff0000', b: 'rgb(1, 2, 3)', c: '#hashtag' }, ['#hashtag']],
    [
      'data in an address',
      { a: 'data:image/png;base64,iVBORw0KGgo=', b: 'data: all' },
      ['data: all'],
    ],
    ['marks', { type: 'p', marks: [{ type: 'x', text: 'no' }], x: 'yes' }, ['yes']],
    ['attributes', { type: 'p', attrs: { alt: 'A cat', src: 'x.png', list: ['x'] } }, ['A cat']],
    ['escapes', { a: 'un\u00e9 "q" \\ \ud83d\ude00' }, ['uné "q" \\ 😀']],
    ['objects with a text', { items: [{ text: 'one' }, { text: 'two' }] }, ['one', 'two']],
    [
      'texts with something else',
      { content: [{ text: 'a', more: 'b' }, { text: 'c' }] },
      ['a', 'b', 'c'],
    ],
    [
      'a type that comes late',
      {
        cells: [
          [
            { text: 'a', type: 'text' },
            { text: 'b', type: 'text' },
          ],
        ],
      },
      ['ab'],
    ],
    [
      'a heading that is known late, and what is nested in it',
      { blocks: [{ children: [{ x: 'below' }], content: [{ text: 'above' }], type: 'heading' }] },
      ['below', '# above'],
    ],
    [
      'an imported page, and what is not one',
      [
        { source: { path: 'no', frontMatter: 'no' }, markdown: 'a', frontMatter: { tags: ['b'] } },
        { markdown: 'c', source: 'd' },
        { source: { path: 'e' } },
      ],
      ['a', 'b', 'c', 'd', 'e'],
    ],
    [
      'Portable Text',
      { body: [{ _type: 'block', style: 'h2', children: [{ _type: 'span', text: 'A' }] }] },
      ['# A'],
    ],
  ])('%s', (_, content, expected) => {
    expect(read(content)).toEqual(expected);
  });

  test('is read as by recursion over the parsed value', () => {
    const text = fc.constantFrom('a', 'b ', ' c', 'é😀', '\n', '', '#fff', 'heading', 'x\ty');
    const name = fc.constantFrom(
      ...[
        'a',
        'b',
        'id',
        'userId',
        'text',
        'text',
        'content',
        'content',
        'children',
        'ops',
        'attrs',
      ],
      ...['insert', 'attributes', 'header', 'format', 'url', 'style', 'label', 'title', 'marks'],
    );
    const type = fc.constantFrom(
      'text',
      'text',
      'paragraph',
      'heading',
      'link',
      'mention',
      'hardBreak',
      'custom',
    );
    const { value } = fc.letrec<{ value: unknown; node: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        text.map((written) => (written === '\n' ? 'n' : written)),
        fc.nat(7),
        fc.array(fc.oneof(tie('value'), tie('node'), tie('node')), { maxLength: 6 }),
        tie('node'),
      ),
      node: fc
        .tuple(
          fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }),
          fc.array(
            fc.oneof(
              type.map((value) => ['type', value]),
              text.map((value) => ['insert', value]),
            ),
            {
              maxLength: 1,
            },
          ),
          fc.boolean(),
        )
        .map(([members, own, isFirst]) =>
          Object.fromEntries(
            (isFirst ? [...own, ...members] : [...members, ...own]) as [string, unknown][],
          ),
        ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (json, space) => {
        const content = JSON.stringify({ content: json }, null, space);
        const [, ...blocks] = complete(readText('', content));
        expect(blocks).toEqual(naiveText(content));
      }),
      { numRuns: RUNS },
    );
  });

  test('that is malformed neither throws nor continues for ever', () => {
    const part = fc.constantFrom(
      ...'{}[],:"\\a<&#*\n'.split(''),
      '"text":',
      '"type":"text"',
      '"insert":"',
      '\\u12',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        for (const { text } of complete(readText('', parts.join(''))).slice(1))
          expect(text).not.toBe('');
      }),
      { numRuns: RUNS },
    );
  });
});

describe('a string', () => {
  test.each<[string, string[]]>([
    ['a <b>bo</b>ld word&nbsp;here', ['a bold word\u00a0here']],
    ['<p>one</p><p>two<br/>three</p>', ['one', 'two three']],
    ['<h2 id="x">Costs</h2>per year', ['# Costs', 'per year']],
    ['<h1>\n Costs\n</h1>\n', ['# Costs']],
    ['<ul><li>a</li><li>b</li></ul>', ['a', 'b']],
    ['<a title="a > b" href=\'x\'>c</a>', ['c']],
    ['<IMG SRC="data:image/png;base64,AAAA">x', ['x']],
    ['a<!-- no > --> b<script>if (a<b) c</script><style>p{}</style>', ['a b']],
    [
      'a < b, <3, x<y>z, List<String>, <me@example.com>',
      ['a < b, <3, x<y>z, List<String>, <me@example.com>'],
    ],
    ['<b and <i', ['<b and <i']],
    [
      '&lt;b&gt; &#65;&#x42; &amp;amp; &unknown; &#0; &#xD800; Q&A',
      ['<b> AB &amp; &unknown; &#0; &#xD800; Q&A'],
    ],
    ['# A\ntext\n## B ##\n#hashtag', ['# A', 'text', '# B', '#hashtag']],
    ['Title\n=====\none\ntwo\n---\nthree', ['# Title', 'one two', 'three']],
    ['one\r\ntwo\r\n\r\nthree', ['one two', 'three']],
    ['un**believ**able *a b* 2 * 3 * 4 ***x***', ['unbelievable a b 2 * 3 * 4 x']],
    ['[a [b](/x "t") c](', ['[a b c](']],
    ['![alt](data:image/png;base64,AA==) [x](<a b>) [y](a(b)c) [z]', ['alt x y [z]']],
    ['- [ ] a\n* b\n1. c\n> d\n> - e', ['a', 'b', '1. c d', 'e']],
    ['|a|b|\n|-|-|\n|c||', ['a', 'b', 'c']],
    ['```js\n# a\n\n<b>\n```\n*c*', ['# a\n\n<b>', 'c']],
    ['a\n\n[1]: https://example.com\n[^1]: note', ['a', '[^1]: note']],
    ['Use `<script>` and `<!--`.\n\nLater', ['Use <script> and <!--.', 'Later']],
    ['`<head>` of ``a ` `b`` `*c* [d](e) &amp;`', ['<head> of a ` `b *c* [d](e) &amp;']],
    ['[`<img>`](#img) `one\ntwo` `three\n\nfour', ['<img> one two `three', 'four']],
    ['`a\n- b` c\n\n`d\n```js\ne`\n```', ['`a', 'b` c', '`d', 'e`']],
    ['# `a`\nb `c\n# d`', ['# a', 'b `c', '# d`']],
    ['|`a\\|b`|`c|\n|d`|', ['a|b', '`c', 'd`']],
    ['a <!-- b <script> c <style> d', ['a <!-- b', 'c', 'd']],
    ['````md\n```js\n# a\n```\n````\nb', ['```js\n# a\n```', 'b']],
    ['~~~\n```\na\n~~~ \nb\n``` x`y\nc', ['```\na', 'b ``` x`y c']],
    [
      'import A from "../a.astro";\nimport { B, type C } from \'b\'\n\nimport goods from abroad',
      ['import goods from abroad'],
    ],
    ['<Since v="1" /> a <Steps> b\n<Steps>\nc </Steps><Tab.Item x={1}>d', ['a <Steps> b   c   d']],
    ['Map<String, List<T>>, <T extends A>, <Tee>', ['Map<String, List<T>>, <T extends A>, <Tee>']],
    ['[a][b-c] a[0][1] [d] [e][]', ['a a[0][1] [d] [e][]']],
    [':::tip[Take *care*]{icon="x"}\na\n:::\n: b', ['Take *care*', 'a', ': b']],
    ['x <b y\n\n**c**', ['x <b y', 'c']],
  ])('%j', (value, expected) => {
    expect(read({ a: value })).toEqual(expected);
  });

  test('ends at its quote, however long it is', () => {
    const long = 'x'.repeat(200);
    const strings = [`${long}\\`, `${long}"${long}\\"`, `${long}\\\\`, '\\'.repeat(99), 'end'];
    expect(read({ a: strings })).toEqual(strings);
  });

  test('has its emphasis and links known wherever they are', () => {
    for (let shift = 2035; shift < 2055; shift++) {
      const value = `${'&amp;'.repeat(shift)}*em*phasis [a](b)`;
      expect(read({ a: value })).toEqual([`${'&'.repeat(shift)}emphasis a`]);
    }
  });

  test('that is part of a text is no Markdown, and has no tags', () => {
    const content = [{ text: '# a\n*b*<br>' }, { text: '<i>c</i> &amp; d' }];
    expect(read({ content })).toEqual(['# a\n*b*\nc & d']);
  });

  test('is read alike, however long it is', () => {
    const part = 'wörd <b>b</b>o<i>ld</i> &amp; [link](https://example.com/a_(b)) *em*phasis ';
    const line = 'wörd bold & link emphasis ';
    const times = 5000;
    expect(read({ a: part.repeat(times) })).toEqual([line.repeat(times).trim()]);
    expect(read({ a: `${part}\n\n`.repeat(times) })).toEqual(Array(times).fill(line.trim()));
    const image = `<img src="data:image/png;base64,${'A'.repeat(100_000)}">`;
    expect(read({ a: `${image}x` })).toEqual(['x']);
    expect(read({ a: `![x](data:image/png;base64,${'A'.repeat(100_000)})` })).toEqual(['x']);
  });
});

describe('512 KiB of text', () => {
  const bytes = (blocks: TextBlock[]) =>
    blocks.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const all = (title: string, content: unknown) =>
    complete(readText(title, JSON.stringify(content)));

  test.each<[string, string, unknown]>([
    ['one string', 'abc', { a: 'x'.repeat(MIB - 100) }],
    ['many', 'abc', { a: Array(10_000).fill('x'.repeat(100)) }],
    ['a title', 'x'.repeat(MIB), { a: 'b' }],
  ])('are found of %s, exactly', (_, title, content) => {
    expect(bytes(all(title, content))).toBe(MAX_TEXT_BYTES);
  });

  test('are never exceeded, and no character is cut', () => {
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const blocks = all(shift, { a: '😀'.repeat(200_000), b: 'later' });
      expect(blocks.length).toBe(2);
      expect(bytes(blocks)).toBe(
        MAX_TEXT_BYTES - ((4 - shift.length) % 4 === 0 ? 0 : 4) + (shift.length % 4),
      );
      expect(blocks[1]?.text).toMatch(/^(?:😀)+$/u);
    }
  });

  test('hold what fits, the last of it too', () => {
    const a = 'x'.repeat(MAX_TEXT_BYTES - 2);
    expect(all('t', { a, b: 'y', c: 'z' }).map(({ text }) => text)).toEqual(['t', a, 'y']);
  });
});

describe('no portion of 1 MiB takes long', () => {
  /** Milliseconds of processor time; 5 on a quiet machine. */
  const MAX_PORTION = 20;
  const fill = (part: string) =>
    part.repeat(Math.floor((MIB - 64) / (JSON.stringify(part).length - 2)));
  const raw = (part: string) => part.repeat(Math.floor((MIB - 64) / part.length));
  const nested = (levels: number, start: string, core: string, end: string) =>
    start.repeat(levels) + core + end.repeat(levels);
  const strings = (count: number) => Array(count).fill('"abcdefg"').join(',');
  const written = [
    ...['x', 'word ', '"', '<', '<a ', '<b>', '<p>x', '<a ="', `<a ="<b ='`, '<!--x', '<!---->'],
    ...[
      '<script>',
      '</',
      '&',
      '&amp;',
      '&#65;',
      '[',
      '[a](b)',
      '](',
      '[a](',
      '[a](b "',
      '[a](<',
      '![',
      '*',
    ],
    ...[
      '*a ',
      '**a*',
      '\n',
      'a\n',
      '#\n',
      '# a\n',
      '- a\n',
      '>',
      '> a\n',
      '---',
      '|',
      '|a\n',
      '```\n',
    ],
    ...[
      '`',
      '`a',
      '`` `',
      '`a``',
      '<A ',
      '<A a="b" ',
      '<A>',
      '[a][b]',
      '[a][',
      ':::',
      ':::a\n',
      'import ',
    ],
    ...['a\n--\n', '1\n', ' ', ' \n', '[a]: /b\n', '\\', '\u0000', 'é', '😀'],
  ];
  const contents: [string, () => string][] = [
    ...written.map((part): [string, () => string] => [
      JSON.stringify(part),
      () => JSON.stringify({ a: fill(part) }),
    ]),
    ['tags in a text', () => JSON.stringify({ content: [{ text: fill('<p>a') }] })],
    ['escapes', () => `{"a":"${raw('\\u0041')}"}`],
    ['objects', () => `{"a":[${raw('{},')}{}]}`],
    ['lists', () => `{"a":[${raw('[],')}[]]}`],
    ['letters', () => `{"a":[${raw('"a",')}"a"]}`],
    ['texts of a letter', () => `{"content":[${raw('{"text":"a"},')}{}]}`],
    ['lines of Quill', () => `{"ops":[{"insert":"${raw('\\n')}","attributes":{"header":1}}]}`],
    [
      'formats of Quill',
      () => `{"ops":[{"attributes":{${raw('"header":"9",')}"a":1},"insert":"a"}]}`,
    ],
    ['what is left out', () => `{"marks":[${raw('{},')}{}]}`],
    ['strings of a node', () => `{${raw('"format":"a",')}"type":"b"}`],
    ['white space', () => `{"a":[${raw(' ')}]}`],
    [
      'texts in texts',
      () => nested(30, '{"content":[{"text":"a"},{"type":"x","content":[', strings(70_000), ']}]}'),
    ],
    [
      'headings in headings',
      () => nested(60, '{"type":"heading","a":[', strings(70_000), ',"x"]}'),
    ],
    ['nodes in nodes', () => nested(60, '{"format":"q","a":[', strings(70_000), '],"type":"x"}')],
  ];

  test.each(contents)('of %s', async (_, content) => {
    const json = content();
    expect(json.length).toBeGreaterThan(MIB / 2);
    const read = () => portionTimes(readText('Title', json));
    expect(await longestPortion(read, MAX_PORTION)).toBeLessThan(MAX_PORTION);
  });
});
