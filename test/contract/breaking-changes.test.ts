import { breakingChanges, type Document } from '../support/breaking-changes.js';

/** A document with one operation, which accepts and returns these. */
const documentOf = (body: object, response: object = {}, parameters: object[] = []): Document =>
  ({
    paths: {
      '/teams': {
        post: {
          operationId: 'createTeam',
          parameters,
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: { 200: { content: { 'application/json': { schema: response } } } },
        },
      },
    },
  }) as unknown as Document;

const text = { type: 'string' };
const record = (properties: object, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const role = (...words: string[]) => record({ role: { type: 'string', enum: words } });
const limit = (required: boolean) => ({ name: 'limit', in: 'query', required, schema: text });
const none = documentOf({});

test.each<[string, Document, Document, string]>([
  ['a path is gone', none, { paths: {} }, 'POST /teams is gone'],
  [
    'a property of a body is gone',
    documentOf(record({ name: text })),
    documentOf(record({})),
    'POST /teams body.name is gone',
  ],
  [
    'a property of a body becomes required',
    documentOf(record({ name: text })),
    documentOf(record({ name: text }, ['name'])),
    'POST /teams body.name is now required',
  ],
  [
    'a word of a body is no longer taken',
    documentOf(role('guest', 'owner')),
    documentOf(role('owner')),
    'POST /teams body.role no longer takes guest',
  ],
  [
    'a bound is narrowed',
    documentOf(record({ name: { ...text, maxLength: 32 } })),
    documentOf(record({ name: { ...text, maxLength: 16 } })),
    'POST /teams body.name has maxLength 16',
  ],
  [
    'null is no longer taken',
    documentOf(record({ name: { type: ['string', 'null'] } })),
    documentOf(record({ name: text })),
    'POST /teams body.name was string or null and is string',
  ],
  [
    'a property of a response is gone',
    documentOf({}, record({ name: text })),
    documentOf({}, record({})),
    'POST /teams 200.name is gone',
  ],
  [
    'a property of a response is no longer always there',
    documentOf({}, record({ name: text }, ['name'])),
    documentOf({}, record({ name: text })),
    'POST /teams 200.name is no longer always there',
  ],
  [
    'a response may be null',
    documentOf({}, record({ name: text })),
    documentOf({}, record({ name: { type: ['string', 'null'] } })),
    'POST /teams 200.name was string and is string or null',
  ],
  [
    'a parameter becomes required',
    documentOf({}, {}, [limit(false)]),
    documentOf({}, {}, [limit(true)]),
    'POST /teams now requires query limit',
  ],
  [
    'a parameter is gone',
    documentOf({}, {}, [limit(false)]),
    none,
    'POST /teams no longer takes query limit',
  ],
])('%s', (_, before, next, sentence) => {
  expect(breakingChanges(before, next)).toEqual([sentence]);
});

test.each<[string, Document, Document]>([
  ['a new path', { paths: {} }, none],
  ['a new optional property of a body', documentOf(record({})), documentOf(record({ name: text }))],
  ['a further word of a body', documentOf(role('owner')), documentOf(role('guest', 'owner'))],
  ['a new property of a response', documentOf({}, record({})), documentOf({}, record({ a: text }))],
  ['a new optional parameter', none, documentOf({}, {}, [limit(false)])],
])('%s breaks nobody', (_, before, next) => {
  expect(breakingChanges(before, next)).toEqual([]);
});
