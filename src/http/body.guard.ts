import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { PORTION } from '../json/json-grammar.js';
import { readJson } from '../json/json-reader.js';
import { waitForBody } from './deadline.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the bytes of the body, in hexadecimal; only where an Idempotency-Key came along. */
    bodyDigest?: string;
  }
}

/** Largest request body. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const JSON_TYPE = /^application\/json[\t ]*(?:;|$)/i;

/**
 * Makes Fastify leave bodies where they are: BodyGuard reads them, once it is known who is calling.
 */
export function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
}

/**
 * Reads the body, or refuses it with 400. A guard, behind those that ask for a token and count
 * requests: nobody else makes the service read or parse anything.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    return hasBody(request) ? this.read(request, http.getResponse<FastifyReply>()) : true;
  }

  private async read(request: FastifyRequest, { raw }: FastifyReply): Promise<true> {
    // To those who wait to be asked for it (Expect: 100-continue).
    if (request.headers.expect !== undefined) raw.writeContinue();
    request.body = await waitForBody(request, () => readBody(request));
    return true;
  }
}

/** True where a body is announced. What comes with GET and HEAD means nothing. */
function hasBody({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > 0;
}

/**
 * Reads the body of a request: JSON of at most 2 MiB, of which content stays text (JsonText). Others
 * get their turns meanwhile.
 * @returns undefined for an empty one
 * @throws DomainError bad_request: another media type, too large, not UTF-8, not JSON, too deep
 */
async function readBody(request: FastifyRequest): Promise<unknown> {
  const { headers, raw } = request;
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw badRequest('the Content-Type must be application/json');
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const body = await receive(raw);
  if (body.length === 0) return undefined;
  // What an Idempotency-Key stands for includes the body, byte by byte.
  if (headers['idempotency-key'] !== undefined) {
    request.bodyDigest = createHash('sha256').update(body).digest('hex');
  }
  if (!isUtf8(body)) throw badRequest('the body must be UTF-8');
  const text = body.toString('utf8');
  const portions = readJson(text);
  for (;;) {
    const { done, value } = portions.next();
    // The validation of a long body has a turn of its own.
    if (!done || text.length > PORTION) await nextTurn();
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
    // Nobody is there to read the answer: it is for the log.
    const onClose = (cause?: Error) =>
      settle(Object.assign(new Error('the body broke off', { cause }), { statusCode: 400 }));
    if (raw.destroyed && !raw.readableEnded) return onClose();
    raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const tooLarge = () => badRequest('the body must be at most 2 MiB');
