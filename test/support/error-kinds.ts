import type { ErrorCode } from '../../src/errors/domain-error.js';
import { ERROR_MESSAGES } from '../../src/openapi/error-messages.js';

const GAP = '\u2026';

/** The messages that a template stands for. The name of a field may stand before a rule. */
export const patternOf = (text: string): RegExp =>
  new RegExp(`^(\\S+ )?${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(GAP, '.+')}$`, 's');

/** Several problems are one message. */
export const partsOf = (message: string): string[] => message.split('; ');

/** The kinds of a code: the more of a message a template has, the sooner it is tried. */
const KINDS = new Map(
  Object.entries(ERROR_MESSAGES).map(([code, messages]) => {
    const texts = messages.map(([text]) => text).sort((a, b) => b.length - a.length);
    return [code, texts.map((text) => ({ text, pattern: patternOf(text) }))];
  }),
);

/** The kind of a message that has one problem: its template on the page of errors. */
export const kindOf = (code: string, part: string): string | undefined =>
  KINDS.get(code)?.find(({ pattern }) => pattern.test(part))?.text;

/** Codes that every operation may return: they concern the token, and failures. */
const SHARED_CODES: readonly string[] = [
  'unauthorized',
  'internal_server_error',
] satisfies ErrorCode[];

/**
 * Kinds that every operation may return: they concern the form of the request, whatever its fields are, its ways to
 * name a team and a workspace, the scope of the token, and load.
 */
const SHARED_KINDS: ReadonlySet<string> = new Set([
  '… is not a known property: leave it out',
  '… must be given once',
  '… holds too many objects: a body holds at most … objects and lists',
  '… must be a JSON object',
  '… must be a string',
  '… must not contain the character NUL',
  '… must be well-formed Unicode, without lone surrogates',
  'teamId must be the id of the team that team_slug names',
  '… in the query must be the one in the path',
  'the URL is malformed: …',
  'the Content-Type must be …',
  'the body must be UTF-8',
  'the body must be valid JSON',
  'the body must be at most 2 MiB',
  'the body must be nested at most …',
  'the body must hold at most …',
  'the extensions of a chunk are too large: send none',
  'the header Content-Encoding must be identity: send the body uncompressed',
  'the header Expect must be 100-continue',
  'the header Host is required',
  'the headers are too large: …',
  'the request is malformed: check its headers and its body',
  'the request is not valid HTTP: check the client or proxy that sent it',
  'the request took too long to arrive: …',
  'the body arrived too slowly: …',
  'the token lacks the scope …',
  'route not found: …',
  'this data is busy with changes by others, and nothing has happened: try again in a second',
  'the Idempotency-Key has just expired: try again',
  'your user record has just been erased: …',
  'more than … requests in a minute: try again in … seconds',
  'too many of your changes are waiting, and this one was not made: …',
  'too many large reads are in progress: …',
  'too many responses of more than 8 MiB are being sent: …',
  'your request bodies that are being received exceed 16 MiB: …',
  'the request bodies that are being received exceed 96 MiB: …',
  'the body stood still for a second while others needed its room: …',
]);

/** Kinds that every operation may return which takes an Idempotency-Key. */
const KEY_KINDS: ReadonlySet<string> = new Set([
  'Idempotency-Key must be …',
  'a request with this Idempotency-Key is in progress: try again',
  'the Idempotency-Key was used for another request: use a new one',
]);

/** Who may return a kind of error: every operation, those with a key, or only those at which it was heard. */
export function groupOf(code: string, kind: string): 'shared' | 'keyed' | 'operations' {
  if (KEY_KINDS.has(kind)) return 'keyed';
  return SHARED_KINDS.has(kind) || SHARED_CODES.includes(code) ? 'shared' : 'operations';
}
