var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { badRequest, NOT_JSON_TYPE } from '../errors/domain-error.js';
import { PORTION } from '../json/json-grammar.js';
import { readJson } from '../json/json-reader.js';
import { outsideDeadline } from './deadline.js';
/** Largest request body. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const JSON_TYPE = 'application/json';
const ACCEPTED = Symbol('media type');
/** Of a route: its body may also be of this media type, beside application/json. */
export const AcceptsMediaType = (type) => SetMetadata(ACCEPTED, type);
/**
 * Makes Fastify leave bodies unread: BodyGuard reads them after authentication.
 */
export function leaveBodiesUnread(fastify) {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
}
/**
 * Reads the body, or rejects it with 400. A guard that runs after those that authenticate and count
 * requests: no other request makes the service read or parse anything.
 */
let BodyGuard = class BodyGuard {
    reflector;
    constructor(reflector) {
        this.reflector = reflector;
    }
    canActivate(context) {
        const http = context.switchToHttp();
        const request = http.getRequest();
        if (!hasBody(request))
            return true;
        const accepted = this.reflector.get(ACCEPTED, context.getHandler());
        const types = accepted === undefined ? [JSON_TYPE] : [accepted, JSON_TYPE];
        return this.read(request, http.getResponse(), types);
    }
    async read(request, { raw }, types) {
        assertMediaType(request, types);
        // For callers that wait for it (Expect: 100-continue).
        if (request.headers.expect !== undefined)
            raw.writeContinue();
        request.body = await outsideDeadline(request, () => readBody(request));
        return true;
    }
};
BodyGuard = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Reflector])
], BodyGuard);
export { BodyGuard };
/** True if a body is announced. Bodies of GET and HEAD are ignored. */
function hasBody({ method, headers }) {
    if (method === 'GET' || method === 'HEAD')
        return false;
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
    return encoding !== undefined || Number(length) > 0;
}
/** @throws DomainError bad_request: another media type */
function assertMediaType({ headers }, types) {
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    if (types.includes(type.trim().toLowerCase()))
        return;
    throw badRequest(types.length === 1 ? NOT_JSON_TYPE : `the Content-Type must be ${types.join(' or ')}`);
}
/**
 * Reads the body of a request: JSON of at most 2 MiB, of which content stays text (JsonText). Other
 * requests are processed meanwhile.
 * @returns undefined for an empty one
 * @throws DomainError bad_request: too large, not UTF-8, not JSON, too deep
 */
async function readBody(request) {
    const { headers, raw } = request;
    if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES)
        throw tooLarge();
    const body = await receive(raw);
    if (body.length === 0)
        return undefined;
    // The fingerprint of an Idempotency-Key includes the body, byte by byte.
    if (headers['idempotency-key'] !== undefined) {
        request.bodyDigest = createHash('sha256').update(body).digest('hex');
    }
    if (!isUtf8(body))
        throw badRequest('the body must be UTF-8');
    const text = body.toString('utf8');
    const portions = readJson(text);
    for (;;) {
        const { done, value } = portions.next();
        // The validation of a long body runs in a turn of its own.
        if (!done || text.length > PORTION)
            await nextTurn();
        if (done)
            return value;
    }
}
function receive(raw) {
    return new Promise((resolve, reject) => {
        const chunks = [];
        let size = 0;
        const settle = (problem) => {
            raw.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
            if (problem)
                reject(problem);
            else
                resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size));
        };
        const onData = (chunk) => {
            size += chunk.length;
            if (size > MAX_BODY_BYTES) {
                raw.pause();
                settle(tooLarge());
            }
            else
                chunks.push(chunk);
        };
        const onEnd = () => settle();
        // Nobody can read the response: the error is for the log.
        const onClose = (cause) => settle(Object.assign(new Error('the body broke off', { cause }), { statusCode: 400 }));
        if (raw.destroyed && !raw.readableEnded)
            return onClose();
        raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    });
}
const tooLarge = () => badRequest('the body must be at most 2 MiB');
//# sourceMappingURL=body.guard.js.map