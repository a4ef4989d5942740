import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A schema of the OpenAPI document, as far as junk is made of it. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Media {
  content?: { 'application/json'?: { schema?: Schema } };
}

export interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters?: { name: string; in: string; schema?: Schema }[];
        requestBody?: Media;
        responses: Record<string, Media>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  /** Parameters of the query. */
  query: { name: string; schema: Schema }[];
  body: Schema | null;
  /** Whether a 200 is as the document says; what is wrong is in its `errors`. */
  validates: ValidateFunction;
}

/** Every operation of the document. */
export function operationsOf(document: OpenApi): Operation[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  // As wide as the service: addresses may have letters that are not ASCII (RFC 6531).
  ajv.addFormat('email', /^[^\s@]+@[^\s@]+$/u);
  ajv.addSchema(document, 'openapi');
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      query: (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, schema }) => ({ name, schema: schema ?? {} })),
      body: operation.requestBody?.content?.['application/json']?.schema ?? null,
      validates: ajv.compile({ $ref: `openapi#${pointer('paths', path, method)}` }),
    })),
  );
}

const pointer = (...steps: string[]): string =>
  [...steps, 'responses', '200', 'content', 'application/json', 'schema']
    .map(
      (step) =>
        `/${step.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}`,
    )
    .join('');

/** A schema without references at its top. */
export function resolve(schema: Schema, { components }: OpenApi): Schema {
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (ref === undefined) return schema;
  return resolve(components.schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}, {
    components,
    paths: {},
  });
}
