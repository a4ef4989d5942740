import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Bytes of a body that Node throws away, to go on with the next request on the connection. */
const THROWN_AWAY = 64 * 1024;
/** Milliseconds in which a caller can read an answer before its connection is cut. */
const LINGERING = 2_000;

/**
 * Ends connections on which a long body was not read before its request was answered: it would cost
 * more to throw it away than to answer. Nothing more is read of it, and the answer says that the
 * connection closes.
 */
export function leaveLongBodies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    leaveLongBody(request, reply);
    done(null, payload);
  });
}

/** The same for what Fastify refuses before it runs any hook. */
export function leaveLongBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !isLong(raw.headers)) return;
  const { socket } = raw;
  reply.raw.shouldKeepAlive = false;
  // Node throws away what nobody has begun to read.
  raw.read();
  raw.pause();
  // Node would cut the connection at once, and who still sends would not get to see the answer.
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGERING).unref();
  };
}

function isLong(headers: FastifyRequest['headers']): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > THROWN_AWAY;
}
