import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { notJson } from '@teamspaces/json-text/errors';
import { PORTION } from '@teamspaces/json-text/json-grammar';
import { readJson } from '@teamspaces/json-text/json-reader';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, NOT_JSON_TYPE } from '../errors/domain-error.js';
import { ofJson } from '../errors/json-error.js';
import { yieldToEventLoop } from '../event-loop.js';
import { pointsOfBody } from '../rate-limit/rate-limit.js';
import { announcedBytes, BodiesInReceipt, type BodyInReceipt } from './bodies-in-receipt.js';
import { outsideDeadline } from './deadline.js';
import { MAX_BODY_BYTES, MAX_DISCARDED } from './limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the bytes of the body, in hexadecimal; only for requests with an Idempotency-Key. */
    bodyDigest?: string;
  }
}

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
 * Reads the body, or rejects it with 400 or 429. A guard that runs after those that authenticate and count
 * requests: no other request makes the service read or parse anything.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bodies: BodiesInReceipt,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const accepted = this.reflector.get<string | undefined>(ACCEPTED, context.getHandler());
    const types = accepted === undefined ? [JSON_TYPE] : [accepted, JSON_TYPE];
    if (hasBody(request)) return this.read(context, types);
    if (isOfType(request, types) && takesBody(context)) throw ofJson(notJson());
    return true;
  }

  private async read(context: ExecutionContext, types: readonly string[]): Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    if (!isPlain(request)) throw badRequest(COMPRESSED);
    if (!isOfType(request, types)) throw otherType(types);
    const body = await this.receive(request, http.getResponse<FastifyReply>());
    request.body = await parse(request, body);
    if (request.body === undefined && takesBody(context)) throw ofJson(notJson());
    return true;
  }

  /**
   * Receives the body; one that has arrived already needs no room.
   * @throws DomainError bad_request: too large, too slow; rate_limit_exceeded: there is no room for it
   */
  private async receive(request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
    const { headers, raw, user } = request;
    const announced = announcedBytes(request);
    if (announced !== null && announced > MAX_BODY_BYTES) throw tooLarge();
    // Of a body whose length was not known when the request was counted.
    const charge = (bytes: number) => announced === null && user?.charge(pointsOfBody(bytes));
    if (raw.complete && !raw.destroyed) {
      const body: Buffer = raw.read() ?? Buffer.alloc(0);
      charge(body.length);
      return body;
    }
    const inReceipt = await this.bodies.begin(user?.id ?? '', announced);
    try {
      // For callers that wait for it (Expect: 100-continue).
      if (headers.expect !== undefined) reply.raw.writeContinue();
      return await outsideDeadline(request, () => receive(raw, inReceipt));
    } finally {
      this.bodies.end(inReceipt);
      charge(inReceipt.received);
      if (inReceipt.isCut) leaveBody(request, reply);
    }
  }
}

/** True for an operation that has a body, be all of it optional: zero bytes are no JSON. */
function takesBody(context: ExecutionContext): boolean {
  const handler = context.getHandler().name;
  const parameters: object = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler);
  return Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
}

/** True if a body is announced. Bodies of GET and HEAD are ignored. */
function hasBody(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  return announcedBytes(request) !== 0;
}

const COMPRESSED = 'the header Content-Encoding must be identity: send the body uncompressed';

/** False if a coding is named that changes the bytes. Some clients name the charset, which changes none. */
function isPlain({ headers }: FastifyRequest): boolean {
  const codings = (headers['content-encoding'] ?? '').split(',');
  return codings.every((coding) => /^(?:identity|utf-?8)?$/i.test(coding.trim()));
}

function isOfType({ headers }: FastifyRequest, types: readonly string[]): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return types.includes(type.trim().toLowerCase());
}

const otherType = (types: readonly string[]) =>
  badRequest(types.length === 1 ? NOT_JSON_TYPE : `the Content-Type must be ${types.join(' or ')}`);

/**
 * Parses the body of a request: JSON, of which content stays text (JsonText). Other requests are processed
 * meanwhile.
 * @returns undefined for an empty one
 * @throws DomainError bad_request: not UTF-8, not JSON, too deep
 */
async function parse(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  // The fingerprint of an Idempotency-Key includes the body, byte by byte.
  if (request.headers['idempotency-key'] !== undefined) {
    request.bodyDigest = createHash('sha256').update(body).digest('hex');
  }
  if (!isUtf8(body)) throw badRequest('the body must be UTF-8');
  const text = body.toString('utf8');
  const portions = readJson(text);
  try {
    for (;;) {
      const { done, value } = portions.next();
      // The validation of a long body runs in a turn of its own.
      if (!done || text.length > PORTION) await yieldToEventLoop();
      if (done) return value;
    }
  } catch (error) {
    throw ofJson(error);
  }
}

/** Chunks that are joined while a body arrives: a chunk may have one byte, and takes hundreds beside it. */
const JOINED = 256;

/** @throws DomainError bad_request: it is too large; or the error that it is cut with */
function receive(raw: IncomingMessage, body: BodyInReceipt): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const joined: Buffer[] = [];
    let chunks: Buffer[] = [];
    const settle = (problem?: Error) => {
      raw.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      if (problem) reject(problem);
      else if (body.received === chunks[0]?.length) resolve(chunks[0]);
      else resolve(Buffer.concat([...joined, ...chunks], body.received));
    };
    const onData = (chunk: Buffer) => {
      body.received += chunk.length;
      if (body.received > MAX_BODY_BYTES) {
        raw.pause();
        return settle(tooLarge());
      }
      if (chunks.push(chunk) < JOINED) return;
      joined.push(Buffer.concat(chunks));
      chunks = [];
    };
    const onEnd = () => settle();
    // Nobody can read the response: the error is for the log.
    const onClose = (cause?: Error) =>
      settle(Object.assign(new Error('the body broke off', { cause }), { statusCode: 400 }));
    if (raw.destroyed && !raw.readableEnded) return onClose();
    body.onCut = settle;
    raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const tooLarge = () => badRequest('the body must be at most 2 MiB');

/** Milliseconds in which a caller can read a response before its connection is cut. */
const LINGERING = 2_000;

/**
 * Closes a connection whose request got its response before a long body was read: discarding the body
 * would cost more than a new connection. Called for every response, and for requests that Fastify rejects before
 * it runs any hook.
 */
export function leaveLongBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.raw.complete && isLong(request)) leaveBody(request, reply);
}

/** Reads no more of a body; the response has `Connection: close`. */
function leaveBody({ raw }: FastifyRequest, reply: FastifyReply): void {
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

function isLong(request: FastifyRequest): boolean {
  const announced = announcedBytes(request);
  return announced === null || announced > MAX_DISCARDED;
}
