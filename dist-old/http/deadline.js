import { DomainError, outcomeUnknown } from '../errors/domain-error.js';
/** Milliseconds until a request that has arrived gets a response; less than ten seconds. */
const DEADLINE = 9_000;
/**
 * Returns an error for requests that take too long, so that callers need no timeout of their own. A
 * read has failed then; a change may still happen, and the response says so. The deadline applies
 * to the first byte: the rest of a response may take as long as its caller reads (slow-readers.ts).
 * @param respond sends an error
 */
export function enforceDeadline(fastify, respond) {
    fastify.addHook('preHandler', (request, reply, done) => {
        const end = () => {
            if (!request.isDeadlinePaused)
                respond(lateness(request), request, reply);
        };
        const timer = setTimeout(end, DEADLINE).unref();
        request.deadline = timer;
        reply.raw.once('close', () => clearTimeout(timer));
        done();
    });
    fastify.addHook('onSend', (request, _reply, _payload, done) => {
        clearTimeout(request.deadline);
        done();
    });
}
/**
 * Does something that has a bound of its own, such as reading the body from a slow caller: the deadline
 * starts again after it.
 */
export async function outsideDeadline(request, work) {
    request.isDeadlinePaused = true;
    try {
        return await work();
    }
    finally {
        request.isDeadlinePaused = false;
        request.deadline?.refresh();
    }
}
function lateness({ method }) {
    const cause = new Error(`no response within ${DEADLINE} ms`);
    if (method !== 'GET' && method !== 'HEAD')
        return outcomeUnknown(cause);
    const message = `the response took longer than ${DEADLINE / 1000} seconds: try again`;
    return new DomainError('internal_server_error', message, { cause });
}
//# sourceMappingURL=deadline.js.map