import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, NOT_JSON_TYPE } from '../errors/domain-error.js';
import { yieldToEventLoop } from '../event-loop.js';
import { notJson, PORTION } from '../json/json-grammar.js';
import { readJson } from '../json/json-reader.js';
import { outsideDeadline } from './connections.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the bytes of the body, in hexadecimal; only for requests with an Idempotency-Key. */
    bodyDigest?: string;
  }
}

/** Largest request body. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const JSON_TYPE = 'application/json';

const ACCEPTED = Symbol('media type');

/** Of a route: its body may also be of this media type, beside application/json. */
export const AcceptsMediaType = (type: string) => SetMetadata(ACCEPTED, type);

/** Makes Fastify leave bodies unread: BodyGuard reads them after authentication. */
export function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  fastify.addHook('onSend', (request, reply, payload, done) => {
    leaveLongBody(request, reply);
    done(null, payload);
  });
}

/**
 * Reads the body, or rejects it with 400. A guard that runs after those that authenticate and count
 * requests: no other request makes the service read or parse anything.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const accepted = this.reflector.get<string | undefined>(ACCEPTED, context.getHandler());
    const types = accepted === undefined ? [JSON_TYPE] : [accepted, JSON_TYPE];
    if (hasBody(request)) return this.read(context, types);
    if (isOfType(request, types) && takesBody(context)) throw notJson();
    return true;
  }

  private async read(context: ExecutionContext, types: readonly string[]): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isOfType(request, types)) throw otherType(types);
    // For callers that wait for it (Expect: 100-continue).
    if (request.headers.expect !== undefined) {
      http.getResponse<FastifyReply>().raw.writeContinue();
    }
    request.body = await outsideDeadline(request, () => readBody(request));
    if (request.body === undefined && takesBody(context)) throw notJson();
    return true;
  }
}

/** True for an operation that has a body, be all of it optional: zero bytes are no JSON. */
function takesBody(context: ExecutionContext): boolean {
  const handler = context.getHandler().name;
  const parameters: object = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}

/** True if a body is announced. Bodies of GET and HEAD are ignored. */
function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > 0;
}

function isOfType({ headers }: FastifyRequest, types: readonly string[]): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return types.includes(type.trim().toLowerCase());
}

const otherType = (types: readonly string[]) =>
  badRequest(types.length === 1 ? NOT_JSON_TYPE : `the Content-Type must be ${types.join(' or ')}`);

/**
 * Reads the body of a request: JSON of at most 2 MiB, of which content stays text (JsonText). Other
 * requests are processed meanwhile.
 * @returns undefined for an empty one
 * @throws DomainError bad_request: too large, not UTF-8, not JSON, too deep
 */
async function readBody(request: FastifyRequest): Promise<unknown> {
  const { headers, raw } = request;
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const body = await receive(raw);
  if (body.length === 0) return undefined;
  // The fingerprint of an Idempotency-Key includes the body, byte by byte.
  if (headers['idempotency-key'] !== undefined) {
    request.bodyDigest = createHash('sha256').update(body).digest('hex');
  }
  if (!isUtf8(body)) throw badRequest('the body must be UTF-8');
  const text = body.toString('utf8');
  const portions = readJson(text);
  for (;;) {
    const { done, value } = portions.next();
    // The validation of a long body runs in a turn of its own.
    if (!done || text.length > PORTION) await yieldToEventLoop();
    if (done) return value;
  }
}

function receive(raw: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (problem?: Error) => {
      raw.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (problem) reject(problem);
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        raw.pause();
        settle(tooLarge());
      } else chunks.push(chunk);
    };
    const onEnd = () => settle();
    // Nobody can read the response: the error is for the log.
    const onClose = (cause?: Error) =>
      settle(Object.assign(new Error('the body broke off', { cause }), { statusCode: 400 }));
    if (raw.destroyed && !raw.readableEnded) return onClose();
    raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const tooLarge = () => badRequest('the body must be at most 2 MiB');

/** Bytes of a body that Node discards, to continue with the next request on the connection. */
const MAX_DISCARDED = 64 * 1024;
/** Milliseconds in which a caller can read a response before its connection is cut. */
const LINGERING = 2_000;

/**
 * Closes a connection whose request got its response before a long body was read: discarding the body
 * would cost more than a new connection. Nothing more is read, and the response has `Connection: close`.
 * Called for every response, and for requests that Fastify rejects before it runs any hook.
 */
export function leaveLongBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !isLong(raw.headers)) return;
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

function isLong(headers: FastifyRequest['headers']): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > MAX_DISCARDED;
}
