import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_LEVELS, TEAM_ROLES, VISIBILITIES, WORKSPACE_ROLES } from '../access/roles.js';
import { PLANS } from '../config/plan-limits.js';
import { ERROR_CODES } from '../errors/domain-error.js';
import { RECORDS } from './examples.js';
import { messageSchemas } from './webhook-messages.js';

interface Schema {
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  default?: unknown;
  example?: unknown;
}

/** Enums that have a name in the document, and so in generated clients. */
const ENUMS: Record<string, { description: string; words: readonly string[] }> = {
  TeamRole: { description: 'Role in a team, lowest to highest.', words: TEAM_ROLES },
  WorkspaceRole: { description: 'Role in a workspace.', words: WORKSPACE_ROLES },
  Visibility: { description: 'Who can see a workspace.', words: VISIBILITIES },
  AccessLevel: {
    description: '`full`: do everything with the content; `read-only`: read it.',
    words: ACCESS_LEVELS,
  },
  ObjectKind: { description: 'A collection, or a page.', words: ['collection', 'item'] },
  Plan: { description: 'Plan of a team.', words: PLANS },
  ErrorCode: { description: 'Short code of an error.', words: ERROR_CODES },
};

/** The named enums, as schemas. */
export const enumSchemas = () =>
  Object.fromEntries(
    Object.entries(ENUMS).map(([name, { description, words }]) => [
      name,
      { type: 'string' as const, description, enum: [...words] },
    ]),
  );

/**
 * Converts a part of the document to OpenAPI 3.1: `nullable` is a type, a reference may have a
 * description, and a named enum is referenced.
 */
export function inThreeOne(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inThreeOne);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, allOf, ...rest } = node as Record<string, unknown>;
  const entries = Object.entries(rest).map(([key, value]) => [key, inThreeOne(value)]);
  const result: Record<string, unknown> = Object.fromEntries(entries);
  if (nullable === true) result.type = [result.type, 'null'];
  if (Array.isArray(allOf) && allOf.length === 1) Object.assign(result, inThreeOne(allOf[0]));
  else if (allOf) result.allOf = inThreeOne(allOf);
  return named(result);
}

function named(schema: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(schema.enum) || typeof schema.type !== 'string') return schema;
  const words = schema.enum.join();
  const name = Object.keys(ENUMS).find((key) => ENUMS[key]?.words.join() === words);
  if (!name) return schema;
  const { enum: _words, type: _type, ...rest } = schema;
  return { $ref: `#/components/schemas/${name}`, ...rest };
}

/**
 * Moves the defaults of optional properties, which only requests have, into their descriptions.
 * Generators take a property with a default for one that is always there, and so require it of callers.
 */
export function withDefaultsInText(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas as Record<string, Schema>).map(([name, schema]) => {
      const { properties, required = [] } = schema;
      if (!properties) return [name, schema];
      const entries = Object.entries(properties).map(([key, property]) => [
        key,
        required.includes(key) ? property : defaultInText(property),
      ]);
      return [name, { ...schema, properties: Object.fromEntries(entries) }];
    }),
  );
}

function defaultInText({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema;
  const text = value === '' ? 'empty' : `\`${value}\``;
  return { ...schema, description: `${schema.description} Default: ${text}.` };
}

/** Adds examples to schemas and their properties. */
export function withExamples(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      name in RECORDS ? withExample(schema as Schema, RECORDS[name]) : schema,
    ]),
  );
}

function withExample(schema: Schema, example: unknown): Schema {
  const values = example as Record<string, unknown>;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { example: _other, ...rest } = property;
    return [name, name in values ? { ...rest, example: values[name] } : rest];
  });
  return {
    ...schema,
    ...(schema.properties && { properties: Object.fromEntries(properties) }),
    example,
  };
}

type Node = Record<string, unknown>;

const MESSAGE_SCHEMAS = Object.keys(messageSchemas());

/** Values, whose keys are not keywords. */
const VALUES = new Set(['example', 'examples', 'default', 'enum']);

/**
 * Adds `type` to unions, and drops empty `items`: Scalar reports schemas without a type. This is for the
 * pages only, since generators would make such a union twice.
 */
export function withTypesOfUnions(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withTypesOfUnions);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node)
    .filter(([key, value]) => !(key === 'items' && Object.keys(value).length === 0))
    .map(([key, value]) => [key, VALUES.has(key) ? value : withTypesOfUnions(value)]);
  const { anyOf, oneOf } = node as { anyOf?: Node[]; oneOf?: Node[] };
  const union = anyOf ?? oneOf;
  return { ...(union && { type: typesOf(union) }), ...Object.fromEntries(entries) };
}

/** A reference in a union leads to a record. */
const typesOf = (union: Node[]): unknown[] => [
  ...new Set(union.map(({ type = 'object' }) => type)),
];

/**
 * The document in OpenAPI 3.0.3, for tools that do not read 3.1: `null` among types is `nullable`, and a
 * reference with keywords beside it is an `allOf`.
 */
export function inThreeZero(document: OpenAPIObject): OpenAPIObject {
  // 3.0 has no webhooks, and so no use for the schemas of their messages.
  const { webhooks: _none, ...rest } = document as OpenAPIObject & { webhooks?: unknown };
  const { components = {} } = rest;
  const nullable = recordsOrNull(document);
  const schemas = Object.entries(components.schemas ?? {})
    .filter(([name]) => !MESSAGE_SCHEMAS.includes(name))
    .map(([name, schema]) => [name, nullable.has(name) ? { ...schema, nullable: true } : schema]);
  const shown = { ...rest, components: { ...components, schemas: Object.fromEntries(schemas) } };
  return { ...(converted(shown) as OpenAPIObject), openapi: '3.0.3' };
}

/**
 * The names of the schemas that are referenced as "this record or null". In 3.0, a reference cannot add
 * null to what the referenced schema allows: both have to be `nullable`.
 */
function recordsOrNull(node: unknown): Set<string> {
  if (typeof node !== 'object' || node === null) return new Set();
  const { anyOf, oneOf } = node as { anyOf?: Node[]; oneOf?: Node[] };
  const union = anyOf ?? oneOf ?? [];
  const refs = union.some(isNull) ? union.flatMap(({ $ref }) => $ref ?? []) : [];
  const names = refs.map((ref) => String(ref).replace('#/components/schemas/', ''));
  return new Set([...names, ...Object.values(node).flatMap((child) => [...recordsOrNull(child)])]);
}

const isNull = ({ type }: Node): boolean => type === 'null';

function converted(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(converted);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    VALUES.has(key) ? value : converted(value),
  ]);
  return withAllOf(withNullable(Object.fromEntries(entries)));
}

/**
 * `type: [X, null]`, and a record or `null`, become `nullable`; several types or `null` become any value.
 */
function withNullable(node: Node): Node {
  const { type, anyOf, oneOf, ...rest } = node;
  if (Array.isArray(type)) {
    const [only, ...others] = type.filter((name) => name !== 'null');
    if (others.length > 0) throw new Error(`3.0 has no schema of several types: ${type}`);
    return { ...rest, type: only, nullable: true };
  }
  const all = anyOf ?? oneOf;
  if (!Array.isArray(all) || !all.some(isNull)) return node;
  const left = all.filter((one: Node) => !isNull(one));
  // `nullable` requires a type; without one, null is allowed like everything else.
  return left.length === 1 ? { ...rest, type: 'object', nullable: true, allOf: left } : rest;
}

function withAllOf(node: Node): Node {
  const { $ref, ...rest } = node;
  if (typeof $ref !== 'string' || Object.keys(rest).length === 0) return node;
  return { ...rest, allOf: [{ $ref }] };
}
