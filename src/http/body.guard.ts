import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { waitForBody } from './deadline.js';
import { hasBody, readBody } from './json-body.js';

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
