import { HttpException } from '@nestjs/common';
import { DomainError, InsufficientScopeError, MALFORMED_URL, NOT_JSON_TYPE, notFound, UnauthorizedError, } from './domain-error.js';
import { ERROR_STATUS } from './error-status.js';
/**
 * Turns whatever was thrown into one of the nine error responses. Anything not known to be the
 * caller's fault returns 500, and its message reveals no internals.
 */
export function toFailure(thrown, publicUrl) {
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
function headersOf(error) {
    const headers = {};
    if (error.code === 'unauthorized') {
        const sent = error instanceof UnauthorizedError && error.tokenWasSent;
        headers['www-authenticate'] = sent ? 'Bearer error="invalid_token"' : 'Bearer';
    }
    if (error instanceof InsufficientScopeError) {
        headers['www-authenticate'] = `Bearer error="insufficient_scope", scope="${error.scope}"`;
    }
    if (error.retryAfterSeconds !== null)
        headers['retry-after'] = String(error.retryAfterSeconds);
    return headers;
}
function classify(thrown) {
    if (thrown instanceof DomainError)
        return thrown;
    const known = frameworkMessage(thrown);
    if (known)
        return known;
    return failed(thrown);
}
/** Anything that is not known to be the caller's fault. */
export const failed = (cause) => new DomainError('internal_server_error', 'the service failed to process this request: try again, or give its operator the X-Request-Id', { cause });
/** Messages for requests that Fastify and Nest reject before a handler is reached. */
const FASTIFY_MESSAGES = {
    FST_ERR_CTP_INVALID_MEDIA_TYPE: NOT_JSON_TYPE,
    FST_ERR_BAD_URL: MALFORMED_URL,
};
function frameworkMessage(thrown) {
    if (typeof thrown !== 'object' || thrown === null)
        return null;
    const { statusCode, cause } = thrown;
    // Nest wraps what Fastify throws.
    const { code } = (thrown instanceof HttpException ? (cause ?? {}) : thrown);
    const fastify = typeof code === 'string' ? FASTIFY_MESSAGES[code] : undefined;
    if (fastify)
        return new DomainError('bad_request', fastify);
    const status = thrown instanceof HttpException ? thrown.getStatus() : statusCode;
    if (status === 404)
        return notFound('route');
    if (typeof status === 'number' && status >= 400 && status < 500) {
        return new DomainError('bad_request', 'the request is malformed: check its headers and its body', { cause: thrown });
    }
    return null;
}
//# sourceMappingURL=error-response.js.map