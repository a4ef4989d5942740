import type { OpenAPIObject } from '@nestjs/swagger';
import { createConfig, lintFromString, loadConfig } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import openapiTS, { astToString } from 'openapi-typescript';
import { ERROR_CODES } from '../../src/errors/domain-error.js';
import { ERROR_STATUS } from '../../src/errors/error-status.js';
import { LONG_FORM_TAG } from '../../src/openapi/describe-operation.js';
import { inThreeZero } from '../../src/openapi/schemas.js';
import { breakingChanges, type Document } from '../support/breaking-changes.js';
import { expectGolden, golden, goldenDocument } from '../support/golden.js';
import type { ErrorResponse } from '../support/open-api.js';
import { scene } from '../support/scene.js';

interface Parameter {
  name?: string;
  required?: boolean;
  example?: unknown;
  schema?: { example?: unknown };
}

interface Operation {
  operationId: string;
  tags: string[];
  responses: Record<string, ErrorResponse>;
  parameters?: Parameter[];
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: {
    schemas: Record<string, { properties?: object; required?: string[] }>;
    responses: Record<string, ErrorResponse>;
  };
}

const at = scene();
let document: OpenApi;
let operations: Operation[];
beforeAll(async () => {
  ({ body: document } = await at.with(null).get('/openapi.json'));
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});

/**
 * A document in which no operation has errors of its own, and none has examples: these are recorded
 * (messages/record.ts), and do not change what an operation is.
 */
function withoutErrorExamples(given: OpenApi): OpenApi {
  const document = structuredClone(given);
  const { paths, components } = document;
  const names = Object.keys(components.responses);
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const [n, code] of ERROR_CODES.entries()) {
      const $ref = `#/components/responses/${names[n]}`;
      responses[ERROR_STATUS[code]] = { $ref } as ErrorResponse;
    }
  }
  for (const { content } of Object.values(components.responses)) {
    delete (content['application/json'] as { examples?: object }).examples;
  }
  return document;
}

/** A document without its long forms. */
const withoutLongForms = (document: OpenApi): OpenApi => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).filter(
      ([path]) => !path.includes('{workspace_slug}/collections'),
    ),
  ),
});

test('the document is the golden one, which leaves out the examples of errors, and long forms', () => {
  const reduced = withoutLongForms(withoutErrorExamples(document));
  // Before the golden file is written anew; a break that is meant: BREAKING=1.
  const breaks = breakingChanges(golden('openapi.json'), reduced as unknown as Document);
  if (process.env.BREAKING !== '1') expect(breaks).toEqual([]);
  expectGolden('openapi.json', reduced);
});

test('every operation on collections has a long form, which differs in the place only', () => {
  expect(withoutErrorExamples(document)).toEqual(goldenDocument());
});

test('the examples of errors of a long form are those of its short form', () => {
  const responses = new Map(
    operations.map(({ operationId, responses }) => [operationId, responses]),
  );
  const long = [...responses].filter(([id]) => id.endsWith('InWorkspace'));
  expect(long.length).toBeGreaterThan(10);
  for (const [id, ofLong] of long) {
    expect([id, ofLong]).toEqual([id, responses.get(id.replace('InWorkspace', ''))]);
  }
});

test('the document is clean by the recommended rules of Redocly', async () => {
  expect(await problemsOf(document)).toEqual([]);
});

/** What Redocly says about a document. */
async function problemsOf(source: object): Promise<string[]> {
  // The server is PUBLIC_URL, which is localhost in the tests.
  const rules = { 'no-server-example.com': 'off' } as const;
  const config = await createConfig({ extends: ['recommended'], rules, telemetry: 'off' });
  const problems = await lintFromString({ source: JSON.stringify(source), config });
  const wrong = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  return wrong.filter((problem) => !isToldByMethod(problem));
}

/** Two paths that both match a URL are no problem if no method is on both, or only an id that is no id is there. */
function isToldByMethod(problem: string): boolean {
  const [, one = '', two = ''] = /^no-ambiguous-paths: .*`(.+)` and `(.+)`\.$/.exec(problem) ?? [];
  if (one.endsWith('/trash/{id}') && two.endsWith('/{id}/versions')) return true;
  const methodsOf = (path: string) => Object.keys(document.paths[path] ?? {});
  return one !== '' && methodsOf(one).every((method) => !methodsOf(two).includes(method));
}

test('by redocly.yaml, both forms are clean', async () => {
  const config = await loadConfig({ configPath: 'redocly.yaml' });
  for (const form of [document, inThreeZero(document as unknown as OpenAPIObject)]) {
    const problems = await lintFromString({ source: JSON.stringify(form), config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  }
});

test('every operation has the nine statuses of errors', () => {
  const statuses = ERROR_CODES.map((code) => String(ERROR_STATUS[code]));
  for (const { operationId, responses } of operations) {
    expect([operationId, Object.keys(responses)]).toEqual([
      operationId,
      expect.arrayContaining(['200', ...statuses]),
    ]);
  }
});

test('every response has the headers that every response has', () => {
  const all = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
  const { responses: shared } = document.components;
  for (const { operationId, responses } of operations) {
    for (const [status, { $ref = '', ...own }] of Object.entries(responses)) {
      const { headers = {} } = shared[$ref.replace('#/components/responses/', '')] ?? own;
      expect([operationId, status, Object.keys(headers)]).toEqual([
        ...[operationId, status],
        expect.arrayContaining(all),
      ]);
    }
  }
});

test('every operation has one tag, which the document describes; long forms have their own', () => {
  const named = document.tags.map(({ name }) => name);
  expect([...new Set(operations.flatMap(({ tags }) => tags))].sort()).toEqual(named.sort());
  for (const { operationId, tags } of operations) {
    const isLong = operationId.endsWith('InWorkspace');
    expect([operationId, tags.length, tags[0] === LONG_FORM_TAG]).toEqual([operationId, 1, isLong]);
  }
});

test('short forms need a team and a workspace, but for those on one item', () => {
  const wrong = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/collections'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) => {
        const place = parameters.filter(({ name = '' }) => /^(team|workspace)_slug$/.test(name));
        const isNeeded = !path.includes('{id}');
        const isRight =
          place.length === 2 &&
          place.every(
            ({ required, example, schema }) =>
              required === isNeeded && ((example ?? schema?.example) !== undefined) === isNeeded,
          );
        return isRight ? [] : [`${method} ${path}`];
      }),
    );
  expect(wrong).toEqual([]);
});

test('no schema is called as a class of JavaScript is', () => {
  const names = Object.keys(document.components.schemas);
  expect(names.filter((name) => name in globalThis)).toEqual([]);
});

describe('the document in OpenAPI 3.0', () => {
  let converted: OpenAPIObject;
  beforeAll(() => {
    converted = inThreeZero(document as unknown as OpenAPIObject);
  });

  test('is valid by the schema of 3.0, and clean by the rules of Redocly', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(converted)));
    expect([errors, valid, validator.version]).toEqual([undefined, true, '3.0']);
    expect(await problemsOf(converted)).toEqual([]);
  });

  test('has the same operations, and fields that may be null', () => {
    expect(Object.keys(converted.paths)).toEqual(Object.keys(document.paths));
    expect(converted.components?.schemas).toMatchObject({
      Team: { properties: { logo: { type: 'string', nullable: true } } },
      Deletion: {
        properties: {
          deletedBy: { nullable: true, allOf: [{ $ref: '#/components/schemas/DeletedBy' }] },
          object: { allOf: [{ $ref: '#/components/schemas/ObjectKind' }] },
        },
      },
    });
  });

  test('allows null in the properties in which 3.1 does, and in no others', () => {
    const allowing = (ajv: Ajv | Ajv2020, { components }: OpenApi): string[] => {
      ajv.addSchema({ components }, 'openapi');
      return Object.entries(components.schemas).flatMap(([name, { properties = {} }]) =>
        Object.keys(properties)
          .map((key) => `${name}/properties/${key}`)
          .filter((path) => ajv.compile({ $ref: `openapi#/components/schemas/${path}` })(null)),
      );
    };
    const options = { strict: false, validateFormats: false };
    const inThreeOne = allowing(new Ajv2020(options), document);
    expect(inThreeOne).toContain('AuditEntry/properties/actor');
    expect(allowing(new Ajv(options), converted as unknown as OpenApi)).toEqual(inThreeOne);
  });
});

test('no generator needs to double an operation: without the long forms, each is there once', () => {
  const short = operations.filter(({ tags }) => !tags.includes(LONG_FORM_TAG));
  const ids = short.map(({ operationId }) => operationId);
  expect(ids.filter((id) => id.endsWith('InWorkspace'))).toEqual([]);
  expect(
    new Set(operations.map(({ operationId }) => operationId.replace(/InWorkspace$/, ''))),
  ).toEqual(new Set(ids));
});

test('openapi-typescript without options: what a schema requires must be given, and nothing else', async () => {
  const types = astToString(await openapiTS(JSON.stringify(document)));
  const schemas = types.slice(types.indexOf('\n    schemas: {'));
  const described = Object.entries(document.components.schemas);
  for (const [name, { properties = {}, required = [] }] of described) {
    const [, body = ''] = new RegExp(`\\n {8}${name}: \\{\n([^]*?)\n {8}\\}`).exec(schemas) ?? [];
    const fields = Object.keys(properties).map((key) => key + (required.includes(key) ? '' : '?'));
    expect([name, body.match(/(?<=^ {12})\w+\??(?=:)/gm) ?? []]).toEqual([name, fields]);
  }
  expect(described.length).toBeGreaterThan(40);
});
