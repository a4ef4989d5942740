import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimit } from './rate-limit.js';

/** Counts the requests of those who are known. A guard, behind the one that asks who is calling. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limit: RateLimit) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (!this.limit.enabled) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest & { user?: { id: string } }>();
    if (request.user === undefined) return true;
    request.countedFor = 'user';
    return this.limit.count(http.getResponse<FastifyReply>(), 'user', request.user.id);
  }
}
