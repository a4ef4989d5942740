import type { ErrorCode } from './schema.js';

/** A response that is not a success. The classes below say which; each belongs to one code. */
export class TeamspacesError extends Error {
  /** null if the response came from a proxy, not from the service. */
  readonly code: ErrorCode | null;
  /** Status of HTTP. */
  readonly status: number;
  /** Where the code is explained. */
  readonly docUrl: string | null;
  /** Identifies the request in the log of the service. */
  readonly requestId: string | null;
  /** The response, for its headers; its body is read already. Not enumerable: a printed error is short. */
  declare readonly response: Response;

  constructor(response: Response, body: unknown) {
    const { code, message, doc_url } = envelope(body);
    super(message ?? `the response has status ${response.status} and is not one of the service's`);
    this.name = new.target.name;
    this.code = code ?? null;
    this.status = response.status;
    this.docUrl = doc_url ?? null;
    this.requestId = response.headers.get('x-request-id');
    Object.defineProperty(this, 'response', { value: response });
  }
}

/** No response, or only part of one: the outcome of the request is unknown. */
export class NoResponseError extends Error {
  /** @param cause what fetch threw */
  constructor(url: string, cause: unknown) {
    const { message, cause: reason } = cause as Error & { cause?: { code?: string } };
    super(`${new URL(url).origin} does not respond: ${reason?.code ?? message}`, { cause });
    this.name = new.target.name;
  }
}

/** 400: the request is wrong by itself; the message names the field and the limit. */
export class BadRequestError extends TeamspacesError {}

/** 401: the token is missing, expired or not valid. */
export class UnauthorizedError extends TeamspacesError {}

/** 403: the caller's role does not allow this, or the plan has no room left. */
export class ForbiddenError extends TeamspacesError {}

/** 404: it does not exist, or is hidden from the caller. */
export class NotFoundError extends TeamspacesError {}

/** 409: taken, already done, or changed since the caller read it. */
export class ConflictError extends TeamspacesError {}

/** 410: the invite has expired; ask for a new one. */
export class InviteExpiredError extends TeamspacesError {}

/** 422: well-formed, but it makes no sense for the data at hand. */
export class UnprocessableEntityError extends TeamspacesError {}

/** 429: still too many requests after the retries. */
export class RateLimitError extends TeamspacesError {}

/** 500, or 502 to 504 from the balancer: the service failed, also after the retries. */
export class InternalServerError extends TeamspacesError {}

/** A new code of the service does not compile here until it has a class. */
const CLASSES: Record<ErrorCode, typeof TeamspacesError> = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  conflict: ConflictError,
  invite_expired: InviteExpiredError,
  unprocessable_entity: UnprocessableEntityError,
  rate_limit_exceeded: RateLimitError,
  internal_server_error: InternalServerError,
};

/** The error of a response, of the class for its code. */
export function toError(response: Response, body: unknown): TeamspacesError {
  const { code } = envelope(body);
  const Class = (code !== undefined && CLASSES[code]) || TeamspacesError;
  return new Class(response, body);
}

interface Envelope {
  code?: ErrorCode;
  message?: string;
  doc_url?: string;
}

/** What the body says; nothing where it is not the service's. */
function envelope(body: unknown): Envelope {
  if (typeof body !== 'object' || body === null || !('error' in body)) return {};
  const { error } = body;
  return typeof error === 'object' && error !== null ? error : {};
}
