import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import type { JsonError } from '../src/errors.js';
import type { Portions } from '../src/json-grammar.js';
import { applyPatch } from '../src/json-patch.js';
import { readJson } from '../src/json-reader.js';
import { MAX_BYTES, MAX_DEPTH } from '../src/json-text.js';
import { readPatch } from '../src/patch-operations.js';
import {
  depthOf,
  type Naive,
  type NaiveOperation,
  naivelyPatched,
  pointer,
  write,
} from './naive-patch.js';

function complete<T>(portions: Portions<T>): { value: T; turns: number } {
  for (let turns = 1; ; turns++) {
    const { done, value } = portions.next();
    if (done) return { value, turns };
  }
}

const operationsOf = (patch: string) => readPatch(complete(readJson(patch)).value);

describe('a hundred operations read the text as often as one does', () => {
  const turnsOf = (document: string, operations: object[]): number =>
    complete(applyPatch(document, operationsOf(JSON.stringify(operations)))).turns;
  const hundred = (operation: (n: number) => object) =>
    Array.from({ length: 100 }, (_, n) => operation(n));
  const long = Array.from({ length: 15_000 }, () => 'x'.repeat(60));
  const parts = Array.from({ length: 240 }, () => Array<string>(60).fill('x'.repeat(60)));
  const nested = (levels: number): object =>
    levels === 0 ? { end: long } : { a: nested(levels - 1) };

  test.each<[string, object, (n: number) => object]>([
    [
      'copies of a short value',
      { a: 1, long },
      (n) => ({ op: 'copy', from: '/a', path: `/b${n}` }),
    ],
    [
      'copies of a long one, to one place',
      { a: parts.slice(0, 70), b: 1, parts: parts.slice(0, 70) },
      () => ({
        op: 'copy',
        from: '/a',
        path: '/b',
      }),
    ],
    ['elements at the end', { parts }, (n) => ({ op: 'add', path: '/parts/-', value: n })],
    ['elements at the beginning', { parts }, (n) => ({ op: 'add', path: '/parts/0', value: n })],
    [
      'moves within a list',
      { parts },
      (n) => ({
        op: 'move',
        from: `/parts/${n}`,
        path: `/parts/${239 - n}`,
      }),
    ],
    [
      'moves of all',
      { a: parts },
      (n) =>
        n % 2 ? { op: 'move', from: '/b', path: '/a' } : { op: 'move', from: '/a', path: '/b' },
    ],
    ['tests behind a long value', { long, z: 1 }, () => ({ op: 'test', path: '/z', value: 1 })],
    [
      'many names',
      Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`name ${n}`, n])),
      (n) => ({
        op: 'replace',
        path: `/name ${n * 400}`,
        value: true,
      }),
    ],
    [
      'tests of many names',
      Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`name ${n}`, n])),
      (n) => ({ op: 'test', path: `/name ${n * 400}`, value: n * 400 }),
    ],
    [
      'places deep inside',
      nested(60),
      (n) => ({
        op: 'add',
        path: `${'/a'.repeat(60)}/m${n}`,
        value: n,
      }),
    ],
  ])('%s', (_, document, operation) => {
    const text = JSON.stringify(document);
    const one = turnsOf(text, [operation(0)]);
    expect(one).toBeGreaterThan(8);
    expect(turnsOf(text, hundred(operation))).toBeLessThanOrEqual(one * 2);
  });

  test('what would double with every copy is refused before it takes memory', () => {
    const document = `{"a":[${JSON.stringify('x'.repeat(500_000))}]}`;
    const doubling = hundred((n) => ({ op: 'copy', from: '', path: `/${n}` }));
    expect(() => turnsOf(document, doubling)).toThrow(
      'body[1] must leave the content at most 1 MiB',
    );
  });
});

/** Names that mean something in a list, too. */
const NAME = fc.constantFrom('a', 'b', '0', '1', '2', '-', 'é', '😀', '__proto__', '~/');
const SCALAR = fc.constantFrom<Naive>(
  0,
  1,
  25,
  true,
  null,
  '',
  'a',
  'é',
  '😀',
  '\\"',
  'b'.repeat(70),
);
const { value: VALUE, object: OBJECT } = fc.letrec<{
  value: Naive;
  list: Naive;
  object: Map<string, Naive>;
}>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, SCALAR, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc
    .array(fc.tuple(NAME, tie('value')), { maxLength: 5 })
    .map((members) => new Map(members)),
}));
const PATH = fc.array(NAME, { maxLength: 4 });

/** The places of a document. */
function placesOf(value: Naive, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value) ? value.entries() : value.entries();
  return [
    path,
    ...[...members].flatMap(([name, member]) => placesOf(member, [...path, `${name}`])),
  ];
}

test('a patch is what its operations make of a value, one after the other', () => {
  const scenes = OBJECT.chain((document) => {
    const place = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...placesOf(document)) }, PATH);
    const path = fc
      .tuple(place, fc.option(NAME))
      .map(([to, name]) => (name === null ? to : [...to, name]));
    const operation = fc.record<NaiveOperation>({
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'copy', 'test'),
      path: fc.oneof(place, path),
      from: place,
      value: VALUE,
    });
    return fc.record({
      document: fc.constant(document),
      operations: fc.array(operation, { minLength: 1, maxLength: 8 }),
      // Far from the bounds, or next to one of them.
      near: fc.constantFrom('', '', '', '', 'depth', 'depth', 'size'),
      space: fc.constantFrom('', ' '),
      room: fc.nat(40),
    });
  });
  fc.assert(
    fc.property(scenes, ({ document, operations, near, space, room }) => {
      const deep = near === 'depth' ? Array<string>(55 + (room % 8)).fill('w') : [];
      let whole: Naive = document;
      for (const name of deep) whole = new Map([[name, whole]]);
      if (near === 'size') {
        const size = Buffer.byteLength(write(document)) + (document.size > 0 ? 10 : 9) - 1;
        if (MAX_BYTES - size - room < 0) return;
        whole = new Map([...document, ['pad', 'p'.repeat(Math.max(0, MAX_BYTES - size - room))]]);
      }
      const given = operations.map(({ op, path, from, value }) => ({
        op,
        path: [...deep, ...path],
        from: [...deep, ...from],
        value,
      }));
      const isIntoItself = ({ op, path, from }: NaiveOperation) =>
        op === 'move' && path.length > from.length && from.every((name, n) => path[n] === name);
      fc.pre(depthOf(whole) <= MAX_DEPTH && !given.some(isIntoItself));
      const patch = given.map(({ op, path, from, value }) => {
        const places = `"path":${JSON.stringify(pointer(path))},"from":${JSON.stringify(pointer(from))}`;
        return `{"op":"${op}",${places},"value":${write(value)}}`;
      });
      const text = write(whole, space);
      const expected = naivelyPatched(whole, given);
      let actual: string | { code: string };
      try {
        actual = complete(applyPatch(text, operationsOf(`[${patch}]`))).value;
      } catch (error) {
        const { code } = error as JsonError;
        if (!code) throw error;
        actual = { code };
      }
      if (typeof actual === 'string' && expected === write(whole)) expect(actual).toBe(text);
      expect(typeof actual === 'string' ? actual.replaceAll(' ', '') : actual).toEqual(expected);
    }),
    { numRuns: runs(600, 50_000) },
  );
});
