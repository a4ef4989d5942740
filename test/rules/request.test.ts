import 'reflect-metadata';
import fc from 'fast-check';
import '../../src/app.module.js';
import type { Type } from '@nestjs/common';
import type { JsonText } from '@teamspaces/json-text/json-text';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { DomainError } from '../../src/errors/domain-error.js';
import { Id, Index, JsonObject, Name, QueryNumber } from '../../src/validation/fields.js';
import { ListBodyPipe, ListOf } from '../../src/validation/lists.js';
import { fieldsOf, toQuery, toRequest } from '../../src/validation/request.pipe.js';
import { readAll } from '../support/json.js';

/** Those of the service: of the module above, by what class-validator knows of it. */
const REQUEST_CLASSES = [
  ...(
    getMetadataStorage() as unknown as { validationMetadatas: Map<Type<object>, unknown> }
  ).validationMetadatas.keys(),
];

const OPTIONAL = { optional: true };

class Node {
  @Name('Name.')
  name!: string;

  @JsonObject('A field.', OPTIONAL)
  content?: JsonText;

  @ListOf(() => Node, { min: 0, max: 1000 }, 'A field.', OPTIONAL)
  children?: Node[];
}

class Batch {
  @Id('A field.', { ...OPTIONAL, nullable: true })
  parent?: string | null;

  @Index('A field.', OPTIONAL)
  index?: number;

  @ListOf(() => Node, { max: 1000, total: 1000, depth: 100 }, 'The items.')
  items!: Node[];
}

class Page {
  @QueryNumber({ min: 1, max: 1000 }, 'A field.', OPTIONAL)
  limit?: number;

  @Id('A field.', OPTIONAL)
  cursor?: string;
}

/** A list in a list in a list …, one node a level. */
function nested(levels: number): object[] {
  let list: object[] = [];
  for (let level = 0; level < levels; level++) list = [{ name: 'x', children: list }];
  return list;
}

const batch = (items: unknown, more: object = {}) => toRequest(Batch, { items, ...more });
const many = (count: number) => Array.from({ length: count }, () => ({ name: 'x' }));

describe('a body with lists in lists', () => {
  test('becomes instances of its classes on every level', () => {
    const made = batch([{ name: 'a', children: [{ name: 'b' }] }], { parent: null, index: 2 });
    expect(made).toBeInstanceOf(Batch);
    expect(made.items[0]?.children?.[0]).toBeInstanceOf(Node);
    expect(made).toMatchObject({ parent: null, index: 2, items: [{ name: 'a' }] });
  });

  test('hands content on as it came, whatever its keys', () => {
    const content = '{"__proto__":{"a":1},"constructor":[{"prototype":null}]}';
    const made = batch(
      readAll(
        `[{"name":"a","children":[{"name":"b","content":${content}}]},{"name":"c","content":${content}}]`,
      ),
    );
    expect(made.items[0]?.children?.[0]?.content?.text).toBe(content);
    expect(made.items[1]?.content?.text).toBe(content);
  });

  test.each<[unknown, string]>([
    [[{ name: 'a' }, {}], 'items[1].name is required'],
    [
      [{ name: 'a', children: [{ name: '' }] }],
      'items[0].children[0].name must be 1 to 32 characters',
    ],
    [[{ name: 'a', children: [7] }], 'items[0].children[0] must be a JSON object'],
    [
      [{ name: 'a', Children: [] }],
      'items[0].Children is not a known property, did you mean children?',
    ],
    [[{ name: 'a', children: {} }], 'items[0].children must be a list of at most 1000 objects'],
    [[], 'items must be a list of 1 to 1000 objects'],
    [[null], 'items[0] must be a JSON object'],
    [[[{ name: 'a' }]], 'items[0] must be a JSON object'],
    [{ name: 'a' }, 'items must be a list of 1 to 1000 objects'],
    [many(1001), 'items must be a list of 1 to 1000 objects'],
    [[{ name: { constructor: 1 } }], 'items[0].name.constructor is not a known property'],
    [
      [{ '\ud800\n': { constructor: 1 } }],
      String.raw`items[0].\ud800\n.constructor is not a known property`,
    ],
    [[{ name: { toString: 1 } }], 'items[0].name.toString is not a known property'],
    [
      JSON.parse('[{ "name": "a", "__proto__": {} }]'),
      'items[0].__proto__ is not a known property',
    ],
    [[{ name: ['x'] }], 'items[0].name must be a string of 1 to 32 characters'],
    [[{ name: 'a', children: null }], 'items[0].children must be a list of at most 1000 objects'],
    [[{ name: 'a', content: [] }], 'items[0].content must be a JSON object'],
    [[{ name: 'a', children: many(1000) }], 'items must hold at most 1000 in all'],
    [nested(101), 'is too deep: nesting goes at most 100 levels deep'],
    [nested(20_000), 'is too deep: nesting goes at most 100 levels deep'],
  ])('is refused with the place of what is wrong (%#)', (items, message) => {
    expect(() => batch(items)).toThrow(message);
  });

  test('may hold as much as its bounds say', () => {
    expect(batch([{ name: 'a', children: many(999) }]).items[0]?.children).toHaveLength(999);
    expect(() => batch(nested(100))).not.toThrow();
    const withLists = many(1000).map((item) => ({ ...item, children: [] }));
    expect(batch(withLists, { parent: null, index: 0 }).items).toHaveLength(1000);
  });
});

describe('a body of many objects', () => {
  test.each<[string, unknown, object, string]>([
    ['in a field', many(1), { parent: many(12_000) }, 'parent'],
    ['in an element', [{ name: many(12_000) }], {}, 'items[0].name'],
    ['in each element', many(1000).map(() => ({ name: [{}, {}] })), {}, 'items[499].name'],
  ])('%s is refused with the place of too many', (_, items, more, place) => {
    expect(() => batch(items, more)).toThrow(
      `${place} holds too many objects: a body holds at most 2500 objects and lists`,
    );
  });
});

describe('several problems', () => {
  test('are named in one message, in the order of the text', () => {
    expect(() => batch([{ name: '' }, { x: 1, name: 'a' }], { index: -1 })).toThrow(
      'index must be a whole number from 0; items[0].name must be 1 to 32 characters; items[1].x is not a known property: leave it out',
    );
  });

  test('are named up to the third', () => {
    const keys = Object.fromEntries(Array.from({ length: 70_000 }, (_, n) => [`k${n}`, n]));
    expect(() => batch(many(1), keys)).toThrow(
      /^(k\d is not a known property: leave it out(; )?){3}$/,
    );
    expect(() => batch([keys, keys])).toThrow(/^items\[0\].k0 is not/);
    expect(() => batch(Array(9).fill({}))).toThrow(/^(items\[[012]\].name is required(; )?){3}$/);
  });
});

describe('a body that is a list', () => {
  const pipe = new ListBodyPipe(Node, { max: 2, distinct: 'name' });

  test('becomes instances, with their content', () => {
    const [node] = pipe.transform(readAll('[{"name":"a","content":{"b":1}}]'));
    expect(node).toBeInstanceOf(Node);
    expect(node?.content?.text).toBe('{"b":1}');
  });

  test.each<[unknown, string]>([
    [{}, 'the body must be a list of 1 to 2 objects'],
    [[{}], 'body[0].name is required'],
    [[{ name: 'A' }, { name: 'a' }], 'body[1].name is already in the list: name each once'],
    [null, 'the body must be a list of 1 to 2 objects'],
    [undefined, 'the body must be a list of 1 to 2 objects'],
    [[{ name: 'a' }, { name: 'b' }, { name: 'c' }], 'the body must be a list of 1 to 2 objects'],
  ])('is refused with the place of what is wrong (%#)', (body, message) => {
    expect(() => pipe.transform(body)).toThrow(message);
  });
});

describe('every request class', () => {
  const accepts = (requestClass: Type<object>, body: object): boolean => {
    const rules = { whitelist: true, forbidNonWhitelisted: true };
    return validateSync(plainToInstance(requestClass, body), rules).length === 0;
  };
  const { content } = readAll('{"content":{"a":1}}') as { content: JsonText };
  const texts = ['', 'a', 'a-b', 'A b', 'item', 'private', 'a@b.example', 'ä'.repeat(33), '\0'];
  const simple = fc.constantFrom<unknown>(null, true, 0, 3, -1, 1.5, content, {}, ...texts);
  const node = fc.record({ name: simple, email: simple, children: simple }, { requiredKeys: [] });
  const value = fc.oneof(simple, simple, fc.array(simple, { maxLength: 2 }), fc.tuple(node));

  test.each(REQUEST_CLASSES)(
    '%p accepts what class-validator accepts, and nothing else',
    (requestClass) => {
      const fields = [...fieldsOf(requestClass).keys()].map((field) => [field, value]);
      const bodies = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
      fc.assert(
        fc.property(bodies, (body) => {
          const isAccepted = accepts(requestClass, body);
          if (isAccepted) expect(toRequest(requestClass, body)).toBeInstanceOf(requestClass);
          else expect(() => toRequest(requestClass, body)).toThrow(DomainError);
        }),
        { numRuns: 100 },
      );
    },
  );
});

test.each(REQUEST_CLASSES)(
  '%p compares no element of a long list with all others',
  (requestClass) => {
    for (const field of fieldsOf(requestClass).keys()) {
      let reads = 0;
      const list = new Proxy(
        Array.from({ length: 2000 }, (_, n) => `${n}`),
        {
          get(elements, key) {
            reads++;
            return Reflect.get(elements, key);
          },
        },
      );
      validateSync(Object.assign(new requestClass(), { [field]: list }));
      expect({ field, isLinear: reads < 10 * list.length }).toEqual({ field, isLinear: true });
    }
  },
);

describe('a query', () => {
  test('has numbers where it says so; what it does not know is left alone', () => {
    expect(toQuery(Page, { limit: '12', other: 'x' })).toEqual({ limit: 12, cursor: undefined });
  });

  test('that lacks a required parameter is refused every time', () => {
    class Required {
      @Id('A field.')
      id!: string;
    }
    for (let time = 0; time < 2; time++) expect(() => toQuery(Required, {})).toThrow(/^id /);
  });

  test.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: '1e2' }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: '' }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: ['1', '2'] }, 'limit must be given once'],
    [{ limit: 'x', cursor: '' }, 'limit must be a whole number from 1 to 1000; cursor must be at'],
  ])('is refused with the parameter: %j', (query, message) => {
    expect(() => toQuery(Page, query)).toThrow(message);
  });
});
