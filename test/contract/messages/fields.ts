import { golden } from '../../support/golden.js';
import type { Request, World } from './world.js';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  uniqueItems?: boolean;
  pattern?: string;
  format?: string;
  additionalProperties?: boolean;
}
interface Operation {
  operationId: string;
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  parameters?: { name?: string; in?: string; required?: boolean; schema?: Schema }[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const { paths, components } = golden<Document>('openapi.json');

const resolve = (schema: Schema): Schema =>
  schema.$ref ? (components.schemas[`${schema.$ref.split('/').pop()}`] as Schema) : schema;

/** Every field of every operation, with each kind of value that its schema forbids, one at a time. */
export function* wrongFields({ ids, at }: World): Generator<Request> {
  const values: Record<string, string> = {
    team_slug: 'acme',
    workspace_slug: 'handbook',
    id: ids.page,
    slug: 'page',
    invite_id: ids.page,
    webhook_id: ids.page,
  };
  for (const [template, methods] of Object.entries(paths)) {
    for (const [method, { requestBody, parameters = [] }] of Object.entries(methods)) {
      const path = template.replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);
      const route = `${method.toUpperCase()} ${path}${/^\/collections/.test(path) ? at : ''}`;
      const body = requestBody?.content['application/json'].schema;
      if (body) for (const wrong of wrongs(resolve(body))) yield { route, body: wrong };
      const inQuery = parameters.filter(
        ({ name, in: where, schema }) => where === 'query' && schema && !/_slug$/.test(`${name}`),
      );
      for (const { name, schema } of inQuery) {
        const others = inQuery.filter((other) => other.required && other.name !== name);
        const beside = others.map((other) => `&${other.name}=x`).join('');
        const texts = ['x', '0', '1001', '', '%20'].map((value) => `${name}=${value}`);
        if (schema?.format === 'date-time') texts.push(`${name}=2026-01-31T12:00:00+02:00`);
        for (const text of [...texts, `${name}=1&${name}=2`, ''])
          yield { route: `${route}${route.includes('?') ? '&' : '?'}${text}${beside}` };
      }
    }
  }
}

/** Values that a schema forbids; for an object or a list, with one problem in it. */
function* wrongs(schema: Schema, name = '', depth = 0): Generator<unknown> {
  const type = [schema.type].flat()[0];
  if (![schema.type].flat().includes('null')) yield null;
  if (schema.enum) return yield 'nonsense';
  if (type === 'string') return yield* wrongTexts(schema, name);
  if (type === 'integer') return yield* [-1, 1.5, '1'];
  if (type === 'array') return yield* wrongLists(schema, depth);
  yield* [[], 'text'];
  if (schema.additionalProperties) return yield* wrongContents();
  const { properties = {}, required = [] } = schema;
  const whole = Object.fromEntries(required.map((key) => [key, right(properties[key], key)]));
  yield { ...whole, nonsense: 1 };
  for (const key of required) yield { ...whole, [key]: undefined };
  for (const [key, property] of Object.entries(properties)) {
    yield { ...whole, [`${key[0]?.toUpperCase()}${key.slice(1)}`]: 1 };
    for (const wrong of wrongs(resolve(property), key, depth)) yield { ...whole, [key]: wrong };
  }
}

function* wrongTexts({ minLength, maxLength, pattern, format }: Schema, name: string) {
  yield 1;
  if (minLength) yield '';
  if (maxLength) yield 'x'.repeat(maxLength + 1);
  if (pattern) yield 'No Slug';
  if (format) yield 'nobody';
  if (name === 'name') yield '   ';
  if (maxLength && !pattern && !format) yield* ['a\0', 'a\ud800'];
}

function* wrongLists({ items = {}, maxItems = 0, minItems, uniqueItems }: Schema, depth: number) {
  yield 'text';
  if (minItems) yield [];
  yield Array(maxItems + 1).fill({});
  if (uniqueItems) yield* [['a', 'a'], [1]];
  if (uniqueItems || depth > 1) return;
  const element = resolve(items);
  for (const wrong of wrongs(element, '', depth + 1)) yield [wrong];
  if (element.properties?.email) yield [right(element), right(element)];
}

function* wrongContents() {
  let deep: object = {};
  for (let level = 0; level < 65; level++) deep = { deep };
  yield* [deep, { text: 'a\0' }, { text: 'a\ud800' }, { text: 'x'.repeat(1024 * 1024) }];
}

/** A value that the schema allows. */
function right(given: Schema | undefined, name = ''): unknown {
  const schema = resolve(given ?? {});
  const type = [schema.type].flat()[0];
  if (schema.enum) return schema.enum[0];
  if (type === 'integer') return schema.minimum ?? 1;
  if (type === 'array') return schema.minItems ? [right(schema.items)] : [];
  if (type === 'string')
    return schema.format ? 'zoe@example.com' : name === 'id' ? 'none' : 'right';
  const { properties = {}, required = [] } = schema;
  return Object.fromEntries(required.map((key) => [key, right(properties[key], key)]));
}
