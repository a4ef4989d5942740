import type { ErrorCode } from '../../src/errors/domain-error.js';
import { recordedAt } from '../../src/openapi/responses.js';
import { groupOf, kindOf, partsOf } from './error-kinds.js';
import { operationIdFinder } from './golden.js';

/** What tests of this file have heard, each once: method, path, status, code and message. */
const heard = new Map<string, Exchange>();

interface Exchange {
  method: string;
  path: string;
  status: number;
  error: { code: string; message: string };
}

/** Keeps an error of the service, for the check after all tests of the file. */
export function hear(exchange: Exchange): void {
  const { method, path, error } = exchange;
  heard.set(`${method} ${path} ${error.message}`, exchange);
}

/**
 * What the document says of an operation must be all that callers hear: each error has a kind that was recorded at
 * its operation (src/openapi/recorded-errors.ts), or one that every operation may return. The record itself comes
 * from test/contract/messages, so there is nothing to compare with while golden files are written.
 */
function undocumented(): string[] {
  const find = operationIdFinder();
  const found = new Map<string, string>();
  for (const { method, path, status, error } of heard.values()) {
    const { code, message } = error;
    const id = find(method, path);
    if (id === null) continue;
    const recorded = recordedAt(id, code as ErrorCode);
    const known = new Set(recorded.map((one) => kindOf(code, one)));
    for (const part of partsOf(message)) {
      const kind = kindOf(code, part);
      if (kind !== undefined && (groupOf(code, kind) !== 'operations' || known.has(kind))) continue;
      found.set(`${id} ${kind ?? part}`, `${id}: ${status} ${part}`);
    }
  }
  return [...found.values()].sort();
}

afterAll(() => {
  if (process.env.UPDATE_GOLDEN === '1' || heard.size === 0) return;
  const errors = undocumented();
  if (errors.length === 0) return;
  const advice =
    'Cause them in test/contract/messages, then: UPDATE_GOLDEN=1 npm test -- test/contract/messages';
  throw new Error(
    ['The OpenAPI document lacks errors that this file has heard:', ...errors, advice].join('\n'),
  );
});
