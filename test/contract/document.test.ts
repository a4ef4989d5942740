import { createConfig, lintFromString } from '@redocly/openapi-core';
import { ERROR_CODES } from '../../src/errors/domain-error.js';
import { ERROR_STATUS } from '../../src/errors/error-status.js';
import { OPERATIONS } from '../../src/openapi/operation.js';
// Its handlers fill OPERATIONS.
import '../../src/app.module.js';
import { golden } from '../support/golden.js';

interface Parameter {
  name?: string;
  required?: boolean;
  example?: unknown;
  schema?: { example?: unknown };
}

// What routes.test.ts holds to be the document of the running service.
const document = golden<{
  paths: Record<
    string,
    Record<string, { operationId: string; responses: object; parameters?: Parameter[] }>
  >;
  components: { schemas: Record<string, unknown> };
}>('openapi.json');
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test('the document is clean by the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  const wrong = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  expect(wrong.filter((problem) => !isToldByMethod(problem))).toEqual([]);
});

/** Two paths that both match a URL are no problem if no method is on both. */
function isToldByMethod(problem: string): boolean {
  const [, one = '', two = ''] = /^no-ambiguous-paths: .*`(.+)` and `(.+)`\.$/.exec(problem) ?? [];
  const methodsOf = (path: string) => Object.keys(document.paths[path] ?? {});
  return one !== '' && methodsOf(one).every((method) => !methodsOf(two).includes(method));
}

test('every operation says what it takes and what its errors are', () => {
  const ids = operations.map(({ operationId }) => operationId.replace(/InWorkspace$/, ''));
  expect(ids.filter((id) => !OPERATIONS.has(id))).toEqual([]);
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
