import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  NotFoundException,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  DomainError,
  type ErrorCode,
  InsufficientScopeError,
  MALFORMED_URL,
  NOT_JSON_TYPE,
  notFound,
  UnauthorizedError,
} from './domain-error.js';
import { ERROR_STATUS } from './error-status.js';

/** Turns errors into responses; registered globally by createApp(). */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  /**
   * @param sendPage what a browser gets for an unknown route; false: the caller is none
   * @param formatFor an error as routes of another protocol send it
   */
  constructor(
    private readonly publicUrl: string,
    private readonly sendPage: SendPage = () => false,
    private readonly formatFor: FormatFailure = (_request, failure) => failure,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also used for requests that Fastify rejects before Nest sees them (frameworkErrors). */
  respond(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const { status, headers, body, cause } = this.failureFor(thrown, request);
    // Logged with the request, when its response has been sent.
    request.failureCause = cause;
    if (reply.sent) return;
    if (isUnknownRoute(thrown)) {
      reply.header('vary', 'accept');
      if (this.sendPage(request, reply)) return;
    }
    reply
      .status(status)
      .headers(headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(body));
  }

  /** An error as the caller of this request reads it. */
  failureFor(thrown: unknown, request: FastifyRequest): ErrorResponse & { cause: unknown } {
    const failure: Failure = toFailure(thrown, this.publicUrl);
    return { ...failure, ...this.formatFor(request, failure) };
  }
}

/** Sends a page, unless the caller is a program. */
type SendPage = (request: FastifyRequest, reply: FastifyReply) => boolean;

/** The response to an error. */
export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: object;
}

type FormatFailure = (
  request: FastifyRequest,
  failure: Failure,
) => Pick<ErrorResponse, 'headers' | 'body'>;

/** Nest throws this if no route has the method and the path; the service itself never does. */
const isUnknownRoute = (thrown: unknown): boolean => thrown instanceof NotFoundException;

/** An error as the caller reads it. */
export interface Failure {
  code: ErrorCode;
  status: number;
  headers: Record<string, string>;
  body: { error: { code: ErrorCode; message: string; doc_url: string } };
  /** The reason, only for the log. */
  cause: unknown;
}

/**
 * Turns whatever was thrown into one of the nine error responses. Anything not known to be the
 * caller's fault returns 500, and its message reveals no internals.
 */
export function toFailure(thrown: unknown, publicUrl: string): Failure {
  const error = classify(thrown);
  return {
    code: error.code,
    status: ERROR_STATUS[error.code],
    headers: headersOf(error),
    body: {
      error: {
        code: error.code,
        message: error.message,
        doc_url: `${publicUrl}/api-reference/errors#${error.code}`,
      },
    },
    cause: error.cause,
  };
}

function headersOf(error: DomainError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.code === 'unauthorized') {
    const sent = error instanceof UnauthorizedError && error.tokenWasSent;
    headers['www-authenticate'] = sent ? 'Bearer error="invalid_token"' : 'Bearer';
  }
  if (error instanceof InsufficientScopeError) {
    headers['www-authenticate'] = `Bearer error="insufficient_scope", scope="${error.scope}"`;
  }
  if (error.retryAfterSeconds !== null) headers['retry-after'] = String(error.retryAfterSeconds);
  return headers;
}

function classify(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  const known = frameworkMessage(thrown);
  if (known) return known;
  return failed(thrown);
}

/** Anything that is not known to be the caller's fault. */
const failed = (cause: unknown): DomainError =>
  new DomainError(
    'internal_server_error',
    'the service failed to process this request: try again, or give its operator the X-Request-Id',
    { cause },
  );

/** Messages for requests that Fastify and Nest reject before a handler is reached. */
const FASTIFY_MESSAGES: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_JSON_TYPE,
  FST_ERR_BAD_URL: MALFORMED_URL,
};

function frameworkMessage(thrown: unknown): DomainError | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  const { statusCode, cause } = thrown as { statusCode?: unknown; cause?: unknown };
  // Nest wraps what Fastify throws.
  const { code } = (thrown instanceof HttpException ? (cause ?? {}) : thrown) as { code?: unknown };
  const fastify = typeof code === 'string' ? FASTIFY_MESSAGES[code] : undefined;
  if (fastify) return new DomainError('bad_request', fastify);
  const status = thrown instanceof HttpException ? thrown.getStatus() : statusCode;
  if (status === 404) return notFound('route');
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new DomainError(
      'bad_request',
      'the request is malformed: check its headers and its body',
      { cause: thrown },
    );
  }
  return null;
}
