/** A schema of the document, as far as it is compared. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  [bound: string]: unknown;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}

type Content = { content?: Record<string, { schema?: Schema }> };

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
}

/** An OpenAPI document, as far as it is compared. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: unknown;
}

/**
 * What callers of `before` can no longer rely on in `next`: sentences, none where nothing was removed
 * or narrowed. Additions are no breaks: a new operation, an optional field, a further enum value.
 */
export function breakingChanges(before: Document, next: Document): string[] {
  const found: string[] = [];
  const compare = new Comparison(before, next, found);
  for (const [path, methods] of Object.entries(before.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const counterpart = next.paths[path]?.[method];
      if (counterpart) compare.operations(operation, counterpart, at);
      else found.push(`${at} is gone`);
    }
  }
  return found;
}

/** Bounds by which a later document may be stricter; +1: a larger value is. */
const BOUNDS = { minLength: 1, minimum: 1, minItems: 1, maxLength: -1, maximum: -1, maxItems: -1 };

class Comparison {
  private readonly seen = new Set<string>();

  constructor(
    private readonly before: Document,
    private readonly next: Document,
    private readonly found: string[],
  ) {}

  operations(before: Operation, next: Operation, at: string): void {
    if (before.operationId !== next.operationId) {
      this.found.push(`${at} is no longer called ${before.operationId}`);
    }
    this.parameters(before.parameters ?? [], next.parameters ?? [], at);
    if (next.requestBody?.required && !before.requestBody?.required) {
      this.found.push(`${at} now requires a body`);
    }
    this.schemas(json(before.requestBody), json(next.requestBody), 'request', `${at} body`);
    for (const [status, response] of Object.entries(before.responses)) {
      const counterpart = next.responses[status];
      if (!counterpart) this.found.push(`${at} no longer returns ${status}`);
      const schema = json(resolve(response, this.before));
      const other = json(resolve(counterpart ?? {}, this.next));
      if (counterpart) this.schemas(schema, other, 'response', `${at} ${status}`);
    }
  }

  private parameters(before: Parameter[], next: Parameter[], at: string): void {
    const [olds, news] = [keyed(before, this.before), keyed(next, this.next)];
    for (const [key, parameter] of olds) {
      const counterpart = news.get(key);
      if (!counterpart) this.found.push(`${at} no longer takes ${key}`);
      else this.schemas(parameter.schema, counterpart.schema, 'request', `${at} ${key}`);
    }
    for (const [key, { required }] of news) {
      if (required && !olds.get(key)?.required) this.found.push(`${at} now requires ${key}`);
    }
  }

  private schemas(
    given: Schema | undefined,
    other: Schema | undefined,
    way: 'request' | 'response',
    at: string,
  ): void {
    if (!given) return;
    if (!other) {
      this.found.push(`${at} has no schema any more`);
      return;
    }
    // A schema that holds itself, such as a tree, is compared once.
    const pair = `${way} ${given.$ref} ${other.$ref}`;
    if (given.$ref && this.seen.has(pair)) return;
    this.seen.add(pair);
    const [before, next] = [resolve(given, this.before), resolve(other, this.next)];
    this.types(before, next, way, at);
    if (way === 'request') this.bounds(before, next, at);
    const [olds, news] = [before.properties ?? {}, next.properties ?? {}];
    for (const [name, property] of Object.entries(olds)) {
      const counterpart = news[name];
      if (!counterpart) this.found.push(`${at}.${name} is gone`);
      else this.schemas(property, counterpart, way, `${at}.${name}`);
    }
    const [always, lost] = way === 'request' ? [next, before] : [before, next];
    for (const name of always.required ?? []) {
      if (lost.required?.includes(name) || !(name in olds || way === 'request')) continue;
      const change = way === 'request' ? 'is now required' : 'is no longer always there';
      this.found.push(`${at}.${name} ${change}`);
    }
    if (before.items) this.schemas(before.items, next.items, way, `${at}[]`);
  }

  private types(before: Schema, next: Schema, way: string, at: string): void {
    const [olds, news] = [[before.type ?? []].flat(), [next.type ?? []].flat()];
    // A response that promised nothing may be anything.
    if (way === 'response' && olds.length === 0) return;
    const [kept, allowed] = way === 'request' ? [olds, news] : [news, olds];
    const fits = kept.every((type) => allowed.includes(type) || isWhole(type, allowed));
    if (fits && (olds.length === 0) === (news.length === 0)) return;
    this.found.push(`${at} was ${olds.join(' or ')} and is ${news.join(' or ')}`);
  }

  private bounds(before: Schema, next: Schema, at: string): void {
    const lost = next.enum ? (before.enum ?? ['other values']).filter(notIn(next.enum)) : [];
    if (lost.length > 0) this.found.push(`${at} no longer takes ${lost.join(', ')}`);
    if (next.pattern && next.pattern !== before.pattern) {
      this.found.push(`${at} must now match ${next.pattern}`);
    }
    for (const [bound, sign] of Object.entries(BOUNDS)) {
      const [old, now] = [before[bound], next[bound]] as (number | undefined)[];
      if (now === undefined || (bound === 'minLength' && old === undefined && now === 0)) continue;
      if (old === undefined || sign * now > sign * old)
        this.found.push(`${at} has ${bound} ${now}`);
    }
  }
}

const isWhole = (type: string, allowed: string[]) =>
  type === 'integer' && allowed.includes('number');
const notIn = (values: unknown[]) => (value: unknown) => !values.includes(value);
const json = (body: Content | undefined) => body?.content?.['application/json']?.schema;

const keyed = (parameters: Parameter[], document: Document) =>
  new Map(
    parameters.map((given) => {
      const parameter = resolve(given, document);
      return [`${parameter.in} ${parameter.name}`, parameter];
    }),
  );

/** What a reference leads to, or the thing itself. */
function resolve<Part extends { $ref?: string }>(part: Part, document: Document): Part {
  if (!part.$ref) return part;
  let found: unknown = document;
  for (const key of part.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[key];
  return { ...(found as Part) };
}
