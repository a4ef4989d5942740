import { busy, DomainError, ERROR_CODES, type ErrorCode } from '../errors/domain-error.js';
import { type Failure, toFailure } from '../errors/error-response.js';
import { ERROR_MEANING, ERROR_STATUS } from '../errors/error-status.js';
import { RECORDED_ERRORS } from './recorded-errors.js';

const header = (description: string, example: unknown, type = 'string') => ({
  description,
  schema: { type, example },
});

/** Response headers, by the name that the document references. */
export const HEADERS = {
  ETag: header('Strong ETag of what the response shows.', '"Zp0Yd4kq7nM"'),
  Link: header(
    'With `limit`: where the list continues, `<…>; rel="next"`; absent on the last page.',
    '</teams?limit=100&cursor=MTIz>; rel="next"',
  ),
  'Search-Behind': header(
    'Only with `in=all`, and if the newest changes of pages cannot all be found by their text yet: the age in seconds of the oldest of these changes.',
    12,
    'integer',
  ),
  RateLimit: header(
    'What is left of the quota, and for how long; absent if the service has no rate limit.',
    '"user";r=1199;t=60',
  ),
  'RateLimit-Policy': header(
    'The quota: requests in a window of seconds; absent if the service has no rate limit.',
    '"user";q=1200;w=60',
  ),
  'Retry-After': header(
    'Seconds to wait before the next attempt; a 409 or 500 has it only if nothing has happened, and the same request may succeed then.',
    7,
    'integer',
  ),
  'WWW-Authenticate': header(
    'What to send: with `error="invalid_token"` if a token was sent. A 403 has it only if the scope of the token is insufficient: with `error="insufficient_scope"` and the `scope` to send.',
    'Bearer error="invalid_token"',
  ),
  'X-Request-Id': header('Identifies the request in the log of the service.', 'req-1a2b3c'),
  'Idempotent-Replayed': header(
    '`true`: the response of an earlier request with the same key.',
    'true',
  ),
};
export type HeaderName = keyof typeof HEADERS;

/** Headers of every response. */
const OF_ALL: HeaderName[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];

/** References to the headers of a response: these, and those of every response. */
export const headers = (...names: readonly HeaderName[]) =>
  Object.fromEntries(
    [...names, ...OF_ALL].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );

/** Headers of the errors, beside those of every response. */
const OF_ERRORS: Partial<Record<ErrorCode, HeaderName[]>> = {
  unauthorized: ['WWW-Authenticate'],
  forbidden: ['WWW-Authenticate'],
  conflict: ['Retry-After'],
  rate_limit_exceeded: ['Retry-After'],
  internal_server_error: ['Retry-After'],
};

/** `bad_request` is BadRequest in components. */
const nameOf = (code: ErrorCode): string =>
  code.replace(/(^|_)(\w)/g, (_match, _start, letter: string) => letter.toUpperCase());

/** The nine error responses that operations share. */
export const sharedResponses = (publicUrl: string) =>
  Object.fromEntries(
    ERROR_CODES.map((code) => [
      nameOf(code),
      errorResponse(code, publicUrl, RECORDED_ERRORS.shared[code] ?? []),
    ]),
  );

/**
 * The nine statuses of an operation: with examples of its own if errors of the code were recorded at it,
 * otherwise the shared ones.
 */
export function errorResponses(operationId: string, takesKey: boolean, publicUrl: string) {
  const messagesOf = (code: ErrorCode): string[] => [
    ...recordedAt(operationId, code),
    ...((takesKey && RECORDED_ERRORS.keyed[code]) || []),
  ];
  return Object.fromEntries(
    ERROR_CODES.map((code) => {
      const messages = messagesOf(code);
      if (messages.length > 0 && code === 'conflict') messages.push(busy().message);
      const response =
        messages.length > 0
          ? errorResponse(code, publicUrl, messages)
          : { $ref: `#/components/responses/${nameOf(code)}` };
      return [String(ERROR_STATUS[code]), response];
    }),
  );
}

/** The messages of a code that were recorded at an operation. */
export const recordedAt = (operationId: string, code: ErrorCode): string[] =>
  Object.entries(RECORDED_ERRORS.operations[code] ?? {}).flatMap(([message, ids]) =>
    ids.includes(operationId) ? [message] : [],
  );

/** The response of a code, with messages as examples. */
function errorResponse(code: ErrorCode, publicUrl: string, messages: readonly string[]) {
  const examples = messages.map((message, n) => [
    `${code}_${n + 1}`,
    { summary: message, value: errorBody(code, message, publicUrl) },
  ]);
  return {
    description: ERROR_MEANING[code].meaning,
    headers: headers(...(OF_ERRORS[code] ?? [])),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** An example of the response of a code, with its headers. */
export function exampleFailure(code: ErrorCode, publicUrl: string): Failure {
  const [message = ''] = RECORDED_ERRORS.shared[code] ?? [];
  const seconds = /try again in (\d+) second/.exec(message)?.[1];
  const retryAfterSeconds = seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) };
  return toFailure(new DomainError(code, message, retryAfterSeconds), publicUrl);
}

const errorBody = (code: ErrorCode, message: string, publicUrl: string) => ({
  error: { code, message, doc_url: `${publicUrl}/api-reference/errors#${code}` },
});

/** The body of every error. No schema is called Error: generated clients have a class of that name. */
export const errorSchema = (publicUrl: string) => ({
  type: 'object' as const,
  description: 'The body of every error.',
  required: ['error'],
  example: errorBody('bad_request', 'name must be 1 to 32 characters', publicUrl),
  properties: {
    error: {
      type: 'object' as const,
      required: ['code', 'message'],
      properties: {
        code: { $ref: '#/components/schemas/ErrorCode' },
        message: { type: 'string' as const, description: 'One sentence that a person can act on.' },
        doc_url: {
          type: 'string' as const,
          description: 'Where the code is explained; ends in /api-reference/errors#<code>.',
        },
      },
    },
  },
});
