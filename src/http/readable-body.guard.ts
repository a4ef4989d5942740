import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { UnreadableBody } from './json-body.js';

/**
 * Refuses what is no JSON with 400. A guard, behind the one that asks for a token: a caller without one
 * gets 401 first, whatever else is wrong.
 */
@Injectable()
export class ReadableBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<FastifyRequest>();
    if (body instanceof UnreadableBody) throw badRequest(body.problem);
    return true;
  }
}
