/** The nine codes of the contract. */
export const ERROR_CODES = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'invite_expired',
  'unprocessable_entity',
  'rate_limit_exceeded',
  'internal_server_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * An error that the service reports to the caller. It does not depend on HTTP.
 *
 * `message` is for the caller: one sentence that names the field and the bound. Details for the log
 * go into `cause`; `retryAfterSeconds` is set if a retry makes sense.
 */
export class DomainError extends Error {
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.name = 'DomainError';
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** The caller sent no token. */
export const NO_TOKEN = 'send a token in the header Authorization: Bearer <token>';

/** Why a token was rejected; the details are for the log. */
export const NOT_VALID = 'the token is not valid: get a new one from your identity provider';
export const EXPIRED = 'the token has expired: get a new one from your identity provider';

/** The caller sent no token, or one that is not valid. */
export class UnauthorizedError extends DomainError {
  constructor(
    message: string,
    readonly tokenWasSent: boolean,
    options?: { cause?: unknown },
  ) {
    super('unauthorized', message, options);
  }
}

/** The caller's token is narrowed to less than the action requires. */
export class InsufficientScopeError extends DomainError {
  /** @param scope the one that the action requires */
  constructor(readonly scope: string) {
    super('forbidden', `the token lacks the scope ${scope}: get one that has it`);
  }
}

/** Fastify reports it for a path, the service for a query. */
export const MALFORMED_URL = 'the URL is malformed: it must be percent-encoded UTF-8';

/** Fastify reports it for a malformed header, the service for another media type. */
export const NOT_JSON_TYPE = 'the Content-Type must be application/json';

/** The request is wrong by itself: malformed, of the wrong type, out of bounds, unknown property. */
export const badRequest = (message: string): DomainError => new DomainError('bad_request', message);

/** The caller may know that the thing exists, but may not do this. */
export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** What to do about a thing that is not found. */
const WHERE_TO_LOOK = {
  team: 'check its slug',
  workspace: 'check its slug, or ask one of its editors to add you',
  'deleted workspace': 'check its id in the list of deleted workspaces',
  'collection or page': 'check its id or slug',
  deletion: 'check the id',
  version: 'check its number in the list of versions',
  member: 'userId must be the _id of somebody in the list of members',
  invite: 'ask for a new one',
  webhook: 'check its id in the list of webhooks',
  'team with this invite code': 'ask for the current code',
  route: 'check the method and the path against /openapi.json',
};

type Thing = keyof typeof WHERE_TO_LOOK;

/** A place in a request that names an item by its id. */
export type IdField = 'parent' | 'newParent' | `children[${number}]`;

/** What `notFound` can name. */
export type Missing = Thing | IdField;

const isThing = (what: Missing): what is Thing => Object.hasOwn(WHERE_TO_LOOK, what);

/**
 * The thing does not exist, or the caller may not know that it does: the message is the same.
 * @param what the thing, or the place in the request that names it
 */
export const notFound = (what: Missing): DomainError =>
  new DomainError(
    'not_found',
    `${what} not found: ${isThing(what) ? WHERE_TO_LOOK[what] : 'check the id'}`,
  );

/** The request conflicts with the current state: taken, stale, already done. */
export const conflict = (message: string): DomainError => new DomainError('conflict', message);

/** The content of a workspace can only be read. @param name of the workspace */
export const archived = (name: string): DomainError =>
  conflict(`workspace ${name} is archived: unarchive it to change its content`);

/** The request is valid, but cannot be applied to the current data. */
export const unprocessable = (message: string): DomainError =>
  new DomainError('unprocessable_entity', message);

/** The invite was valid once and is no longer. */
export const inviteExpired = (): DomainError =>
  new DomainError('invite_expired', 'the invite has expired: ask for a new one');

/** If-Match names another version than the current one. @param what the record that it is about */
export const stale = (what: 'item' | 'list' | 'team' | 'workspace'): DomainError =>
  conflict(`If-Match is not the current ETag: the ${what} has changed, read it again`);

/** @param field the place in the request that names a page as a parent */
export const pageAsParent = (field: string): DomainError =>
  unprocessable(`${field} must be a collection, not a page`);

/** @param limit requests that a caller may send in a minute */
export const rateLimitExceeded = (limit: number, retryAfterSeconds: number): DomainError =>
  new DomainError(
    'rate_limit_exceeded',
    `more than ${limit} requests in a minute: try again in ${retryAfterSeconds} seconds`,
    { retryAfterSeconds },
  );

/** Others use what the request needs, and it was not available in time. @param cause for the log */
export const busy = (cause?: unknown): DomainError =>
  new DomainError(
    'conflict',
    'this data is busy with changes by others, and nothing has happened: try again in a second',
    { cause, retryAfterSeconds: 1 },
  );

/** The result of a commit is unknown: the change may have happened or not. */
export const outcomeUnknown = (cause: unknown): DomainError =>
  new DomainError(
    'internal_server_error',
    'the outcome of this change is unknown, since it was not confirmed in time: read the data again, or try again: a retry with the same Idempotency-Key is safe',
    { cause },
  );
