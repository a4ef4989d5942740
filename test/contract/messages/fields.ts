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
interface Described {
  operationId: string;
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  parameters?: { name?: string; in?: string; required?: boolean; schema?: Schema }[];
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

const { paths, components } = golden<Document>('openapi.json');

const resolve = (schema: Schema): Schema =>
  schema.$ref ? (components.schemas[`${schema.$ref.split('/').pop()}`] as Schema) : schema;

/** Every operation of the document. */
export const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { requestBody, parameters = [] }]) => ({
    method: method.toUpperCase(),
    path,
    body: requestBody && resolve(requestBody.content['application/json'].schema),
    parameters,
  })),
);
type Operation = (typeof operations)[number];

/** The fields of an operation's body. */
export const properties = ({ body }: Operation) => body?.properties ?? {};

/** What a request names in its path, or in the query; null: no team and no workspace. */
export type Place = Record<string, string | null>;

/** A request of the owner that an operation allows, at a place in Acme's handbook or at another. */
export function requestOf(operation: Operation, { ids }: World, place: Place = {}): Request {
  const values: Place = {
    team_slug: 'acme',
    workspace_slug: 'handbook',
    id: ids.page,
    slug: 'page',
    version: '1',
    invite_id: ids.page,
    webhook_id: ids.page,
    ...place,
  };
  const { method, path, body, parameters } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);
  const required = parameters.filter(
    ({ name, in: where, required }) => where === 'query' && required && !/_slug$/.test(`${name}`),
  );
  const query = new URLSearchParams();
  for (const { name } of required) query.set(`${name}`, 'x');
  if (path.startsWith('/collections') && values.team_slug !== null) {
    query.set('team_slug', `${values.team_slug}`);
    query.set('workspace_slug', `${values.workspace_slug}`);
  }
  return { route: `${method} ${filled}?${query}`, ...(body && { body: right(body) }) };
}

/** Every field of every operation, with each kind of value that its schema forbids, one at a time. */
export function* wrongFields(world: World): Generator<Request> {
  for (const operation of operations) {
    const { body, parameters } = operation;
    const { route } = requestOf(operation, world);
    if (body) for (const wrong of wrongs(body)) yield { route, body: wrong };
    const inQuery = parameters.filter(
      ({ name, in: where, schema }) => where === 'query' && schema && !/_slug$/.test(`${name}`),
    );
    for (const { name, schema, required } of inQuery) {
      const [path, search] = route.split('?');
      const others = new URLSearchParams(search);
      others.delete(`${name}`);
      const texts = ['x', '0', '1001', '', '%20'].map((value) => `${name}=${value}`);
      if (schema?.format === 'date-time') texts.push(`${name}=2026-01-31T12:00:00+02:00`);
      if (required) texts.push('');
      texts.push(`${name}=1&${name}=2`);
      for (const text of texts) yield { route: `${path}?${others}&${text}` };
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
  const { properties = {} } = schema;
  const required = requiredOf(schema);
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
  if (name === 'name' || name === 'title') yield '   ';
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
  const { properties = {} } = schema;
  return Object.fromEntries(requiredOf(schema).map((key) => [key, right(properties[key], key)]));
}

/** An item of a manifest also has a name or a title, which the schema does not say. */
function requiredOf({ required = [], properties = {} }: Schema): string[] {
  const isManifestItem = required.includes('key') && 'title' in properties;
  return isManifestItem ? [...required, 'name'] : required;
}
