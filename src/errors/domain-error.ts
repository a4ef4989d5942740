/** The nine codes of the contract (service-api.md, "Errors"). */
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
 * A rule of the service that a request ran into. It knows nothing of HTTP.
 *
 * `message` is for the caller: one sentence that names the field and the bound. What only the log
 * should say goes into `cause`; `retryAfterSeconds` is set where trying again later makes sense.
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

/** The caller's token is narrowed to less than the action takes. */
export class InsufficientScopeError extends DomainError {
  /** @param scope the one that the action takes */
  constructor(readonly scope: string) {
    super('forbidden', `the token lacks the scope ${scope}`);
  }
}

/** The request is wrong by itself: malformed, of the wrong type, out of bounds, unknown property. */
export const badRequest = (message: string): DomainError => new DomainError('bad_request', message);

/** The caller may know that the thing exists, but may not do this. */
export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** The thing does not exist, or the caller may not know that it does: one and the same message. */
export const notFound = (what: string): DomainError =>
  new DomainError('not_found', `${what} not found`);

/** The request does not fit the present state: taken, stale, already done. */
export const conflict = (message: string): DomainError => new DomainError('conflict', message);

/** Well-formed, but it makes no sense for the data at hand. */
export const unprocessable = (message: string): DomainError =>
  new DomainError('unprocessable_entity', message);

/** The invite was valid once and is no longer. */
export const inviteExpired = (message: string): DomainError =>
  new DomainError('invite_expired', message);

/** The connection was lost while a change was being committed: nobody knows whether it happened. */
export const outcomeUnknown = (cause: unknown): DomainError =>
  new DomainError(
    'internal_server_error',
    'the database was lost before it confirmed this change, so it may have happened or not: read again, or repeat the request with the same Idempotency-Key',
    { cause },
  );
