/** Bytes of a body that Node discards, to continue with the next request on the connection. */
const THROWN_AWAY = 64 * 1024;
/** Milliseconds in which a caller can read a response before its connection is cut. */
const LINGERING = 2_000;
/**
 * Closes connections whose request got its response before a long body was read: discarding the
 * body would cost more than a new connection. Nothing more is read, and the response has
 * `Connection: close`.
 */
export function leaveLongBodies(fastify) {
    fastify.addHook('onSend', (request, reply, payload, done) => {
        leaveLongBody(request, reply);
        done(null, payload);
    });
}
/** The same for requests that Fastify rejects before it runs any hook. */
export function leaveLongBody({ raw }, reply) {
    if (raw.complete || !isLong(raw.headers))
        return;
    const { socket } = raw;
    reply.raw.shouldKeepAlive = false;
    // Node discards a body that nobody has begun to read.
    raw.read();
    raw.pause();
    // Node would close the connection at once, and a caller that still sends would not see the response.
    socket.destroySoon = () => {
        socket.end();
        setTimeout(() => socket.destroy(), LINGERING).unref();
    };
}
function isLong(headers) {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
    return encoding !== undefined || Number(length) > THROWN_AWAY;
}
//# sourceMappingURL=unread-body.js.map