import type { FastifyReply } from 'fastify';
import {
  assertSettings,
  etagOf,
  listEtagOf,
  matches,
  matchesOwn,
  matchesWhole,
  recordEtagOf,
  respondWithRecord,
} from '../../src/http/etag.js';

const item = { id: 'a', version: 3 };
const above = [{ id: 'p', name: 'Above', slug: 'above' }];
const plain = etagOf(item, ';b:1;c:2');
const withAncestors = etagOf(item, ';b:1;c:2', above);

describe('the ETag of an item', () => {
  test('is a strong one: text in quotes, to which ancestors add a part behind a dot', () => {
    expect(etagOf(item, '')).toMatch(/^"[0-9a-f]{64}"$/);
    expect(plain).toMatch(/^"[0-9a-f]{64}-[0-9a-f]{64}"$/);
    expect(plain.slice(0, 65)).toBe(etagOf(item, '').slice(0, 65));
    expect(withAncestors).toMatch(/^"[0-9a-f]{64}-[0-9a-f]{64}\.[0-9a-f]{64}"$/);
    expect(withAncestors.slice(0, 130)).toBe(plain.slice(0, 130));
    expect(etagOf(item, ';b:1;c:2', [])).not.toBe(plain);
  });

  test('is another one once anything that the response shows has changed', () => {
    const others = [
      etagOf({ ...item, id: 'b' }, ';b:1;c:2'),
      etagOf({ ...item, version: 4 }, ';b:1;c:2'),
      etagOf(item, ';c:2;b:1'),
      etagOf(item, ''),
      etagOf(item, ';b:1;c:2', [{ ...above[0], name: 'Renamed' } as (typeof above)[0]]),
      listEtagOf('stamp'),
      listEtagOf('other stamp'),
      listEtagOf('stamp', { parentId: 'a', withContent: false }),
      listEtagOf('stamp', { parentId: null, withContent: true }),
    ];
    expect(new Set([plain, withAncestors, ...others]).size).toBe(others.length + 2);
    expect(listEtagOf('stamp', { parentId: null, withContent: false })).toBe(listEtagOf('stamp'));
    expect(listEtagOf('stamp')).toMatch(/^"[0-9a-f]{64}"$/);
  });
});

const hex = '0'.repeat(64);
const suffixed = (suffix: string, etag = plain): string => `${etag.slice(0, -1)}${suffix}"`;
const ALIKE: Record<string, [header: string, ifMatch: boolean, ifNoneMatch: boolean]> = {
  'the tag': [plain, true, true],
  'any tag': ['*', true, true],
  'the tag in a list': [`"x", ${plain} ,"y"`, true, true],
  'any tag in a list': ['"x", *', true, true],
  'the tag, weak': [`W/${plain}`, true, true],
  'a list with the tag, weak': [`"x", W/${plain}`, true, true],
  ...Object.fromEntries(
    ['-gzip', '--gzip', ';gzip', ':gzip', '-br', '--zstd', ';deflate'].flatMap((suffix) => [
      [`the tag with ${suffix}`, [suffixed(suffix), true, true]],
      [`the tag, weak, with ${suffix}`, [`W/${suffixed(suffix)}`, true, true]],
    ]),
  ),
  'the tag with two suffixes': [suffixed('-gzip-gzip'), false, false],
  'the tag with another suffix': [suffixed('-lzma'), false, false],
  'the tag with a suffix without a separator': [suffixed('gzip'), false, false],
  'the tag with a suffix behind the quotes': [`${plain}-gzip`, false, false],
  'the tag, weak twice': [`W/W/${plain}`, false, false],
  'the tag, weak, with a small w': [`w/${plain}`, false, false],
  'another tag, weak, with a suffix': ['W/"x-gzip"', false, false],
  'the tag of another version, weak, with a suffix': [
    `W/${suffixed('-gzip', etagOf({ ...item, version: 4 }, ';b:1;c:2'))}`,
    false,
    false,
  ],
  'the tag with ancestors, weak, with a suffix': [
    `W/${suffixed('-gzip', withAncestors)}`,
    true,
    false,
  ],
  'another tag': ['"x"', false, false],
  'a list of other tags': ['"x", "y"', false, false],
  'the tag without its quotes': [plain.slice(1, -1), false, false],
  'the tag with ancestors': [withAncestors, true, false],
  'the tag with the ancestors of another time': [`${plain.slice(0, -1)}.${hex}"`, true, false],
  'ancestors without the tag': [`"${hex}.${hex}"`, false, false],
  'a part behind the dot that is too short': [
    `${plain.slice(0, -1)}.${hex.slice(1)}"`,
    false,
    false,
  ],
  'a part behind the dot that is too long': [`${plain.slice(0, -1)}.${hex}0"`, false, false],
  'a part behind the dot that is no hash': [
    `${plain.slice(0, -1)}.${'x'.repeat(64)}"`,
    false,
    false,
  ],
  'something behind the quotes': [`${plain.slice(0, -1)}.${hex}"x`, false, false],
  'W/ inside the tag': [`"W/${plain.slice(1)}`, false, false],
  'W/ ahead of nothing': ['W/', false, false],
  nothing: ['', false, false],
};

test('If-Match leaves ancestors out; what a compressing proxy does to a tag makes no difference', () => {
  const offenders = Object.entries(ALIKE).flatMap(([name, [header, ifMatch, ifNoneMatch]]) => {
    const found = [matches(header, plain), matchesWhole(header, plain)];
    return found[0] === ifMatch && found[1] === ifNoneMatch ? [] : [{ name, found }];
  });
  expect(offenders).toEqual([]);
});

test('a tag that ends with an encoding itself is compared with it, too', () => {
  const sent = ['"x-gzip"', 'W/"x-gzip"', '"x-gzip-gzip"', 'W/"x-gzip--br"'];
  expect(sent.filter((header) => !matchesWhole(header, '"x-gzip"'))).toEqual([]);
  expect(['"x"', 'W/"x"', '"x-br"'].filter((header) => matchesWhole(header, '"x-gzip"'))).toEqual(
    [],
  );
});

test('If-None-Match compares the ancestors, too', () => {
  expect(matchesWhole(`W/${withAncestors}`, withAncestors)).toBe(true);
  expect(matchesWhole(plain, withAncestors)).toBe(false);
});

test('a tag of the item alone, with children left out, compares the item alone', () => {
  const alone = etagOf(item, null);
  const [changed, renamed] = [etagOf(item, ';b:2'), etagOf({ ...item, version: 4 }, ';b:1;c:2')];
  expect([plain, changed, etagOf(item, ''), alone].map((etag) => matches(alone, etag))).toEqual(
    Array(4).fill(true),
  );
  expect(matches(etagOf(item, null, above), plain)).toBe(true);
  expect(matchesOwn(alone, etagOf(item, ''))).toBe(true);
  expect([matches(alone, renamed), matches(plain, alone)]).toEqual([false, false]);
  // Its response lacks what a read shows.
  expect(matchesWhole(alone, plain)).toBe(false);
  // A collection without children is not one whose children are left out.
  expect(matches(etagOf(item, ''), plain)).toBe(false);
});

test('If-Match of a write to the item alone leaves out its children and its ancestors', () => {
  const own = etagOf(item, '');
  const other = etagOf({ ...item, version: 4 }, ';b:1;c:2');
  const compressed = [`W/${plain}`, suffixed('-gzip'), `W/${suffixed('--br', withAncestors)}`];
  const listed = ['*', `"x", ${plain}`, ...compressed];
  const matching = [own, plain, withAncestors, etagOf(item, '', above), ...listed];
  expect(matching.filter((header) => !matchesOwn(header, own))).toEqual([]);
  const others = [other, '"x"', `W/${other}`, plain.slice(0, -9), `${own.slice(0, -1)}-0"`];
  expect(others.filter((header) => matchesOwn(header, own))).toEqual([]);
});

describe('the ETag of a record with settings', () => {
  const settings = { name: 'Acme' };
  const shown = { name: 'Acme', membersCount: 1 };
  const etag = recordEtagOf(settings, JSON.stringify(shown));

  test('has a part for the settings, and one for all that is shown', () => {
    expect(etag).toMatch(/^"[0-9a-f]{64}-[0-9a-f]{64}"$/);
    const joined = recordEtagOf(settings, JSON.stringify({ ...shown, membersCount: 2 }));
    expect(joined.slice(0, 65)).toBe(etag.slice(0, 65));
    expect(joined).not.toBe(etag);
    const renamed = recordEtagOf({ name: 'Other' }, JSON.stringify(shown));
    expect(renamed.slice(65)).toBe(etag.slice(65));
    expect(renamed).not.toBe(etag);
  });

  test('is accepted by If-Match while the settings are the same', () => {
    assertSettings('team', undefined, settings);
    assertSettings('team', etag, settings);
    assertSettings('team', '*', { name: 'Other' });
    expect(() => assertSettings('team', etag, { name: 'Other' })).toThrow('the team has changed');
  });

  test('comes with the response, which is 304 without a body for a caller that has it', () => {
    const respond = (ifNoneMatch?: string) => {
      const sent = { status: 200, headers: {} as Record<string, string> };
      const reply = {
        header: (name: string, value: string) => Object.assign(sent.headers, { [name]: value }),
        status: (status: number) => Object.assign(sent, { status }),
      } as unknown as FastifyReply;
      return { body: respondWithRecord(reply, ifNoneMatch, settings, shown), ...sent };
    };
    const headers = { etag };
    expect(respond()).toEqual({ body: JSON.stringify(shown), status: 200, headers });
    expect(respond('"x"')).toEqual({ body: JSON.stringify(shown), status: 200, headers });
    expect(respond(etag)).toEqual({ body: undefined, status: 304, headers });
  });
});
