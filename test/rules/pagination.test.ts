import 'reflect-metadata';
import { LIST_CURSOR } from '../../src/collections/tree/tree.wire.js';
import { VERSION_CURSOR } from '../../src/collections/versions/versions.wire.js';
import { cursorCodec, nextLink, PageQuery } from '../../src/http/pagination.js';
import { toQuery } from '../../src/validation/request.pipe.js';
import { wrongRefusals } from './told.js';

test('a page has 1 to 1000 elements; limit and cursor may be absent', () => {
  const refused = 'bad_request: limit must be a whole number from 1 to 1000';
  const query = (given: object) => () => toQuery(PageQuery, given);
  expect(
    wrongRefusals({
      nothing: [query({}), 'allowed'],
      'a cursor': [query({ cursor: 'abc' }), 'allowed'],
      'the least': [query({ limit: '1' }), 'allowed'],
      'the most': [query({ limit: '1000' }), 'allowed'],
      'too few': [query({ limit: '0' }), refused],
      'too many': [query({ limit: '1001' }), refused],
    }),
  ).toEqual([]);
});

const codecOf = (shape: RegExp) =>
  cursorCodec<string[]>(
    shape,
    (parts) => parts,
    (...parts) => parts,
  );

test('a cursor holds its parts, and is safe in a URL', () => {
  const codec = codecOf(/^(\d) (\S+) (\S*)$/);
  const cursor = codec.encode(['7', 'a0~?>', '']);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(codec.decode(cursor)).toEqual(['7', 'a0~?>', '']);
});

test('a cursor of another shape is refused', () => {
  const refused = 'bad_request: cursor must come from a Link header';
  const { encode, decode } = codecOf(/^(\d) (\S+)$/);
  const read = (cursor: string) => () => decode(cursor);
  expect(
    wrongRefusals({
      'as it was given': [read(encode(['7', 'x'])), 'allowed'],
      empty: [read(''), refused],
      'no base64': [read('!'), refused],
      'too few parts': [read(encode(['7'])), refused],
      'too many parts': [read(encode(['7', 'x', 'more'])), refused],
    }),
  ).toEqual([]);
});

test('the link to the next page is the same request at the public address, with the cursor', () => {
  const cases: [url: string, link: string][] = [
    ['/teams', '</teams?cursor=new>; rel="next"'],
    ['/teams?limit=2', '</teams?limit=2&cursor=new>; rel="next"'],
    ['/teams?cursor=old&limit=2', '</teams?cursor=new&limit=2>; rel="next"'],
  ];
  const found = cases.map(([url]) => [url, nextLink(url, 'https://a.example/api', 'new')]);
  expect(found).toEqual(
    cases.map(([url, link]) => [url, link.replace('<', '<https://a.example/api')]),
  );
});

test('numbers in cursors are as large as those of the database, and no larger', () => {
  const largest = 2 ** 31 - 1;
  const place = { list: 'abcdefgh', position: 'a0', rebalances: largest };
  expect(LIST_CURSOR.decode(LIST_CURSOR.encode(place))).toEqual(place);
  expect(VERSION_CURSOR.decode(VERSION_CURSOR.encode(largest))).toBe(largest);
  const tooLarge = () => VERSION_CURSOR.decode(VERSION_CURSOR.encode(largest + 1));
  expect(tooLarge).toThrow('cursor must come from a Link header');
});
