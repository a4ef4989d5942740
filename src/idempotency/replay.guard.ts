import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AlreadyDone } from './once.js';
import { Replays } from './replays.js';
import { requestKeyOf } from './request-key.js';

/**
 * Stops a POST that has succeeded under its `Idempotency-Key`: ReplayFilter answers it. It only saves
 * work: that nothing is done twice is held by the transactions, which throw AlreadyDone, too.
 */
@Injectable()
export class ReplayGuard implements CanActivate {
  constructor(private readonly replays: Replays) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const key = requestKeyOf(context);
    if (key === null) return true;
    context.switchToHttp().getRequest<FastifyRequest>().idempotencyKey = key;
    return this.replays.find(context, key).then((answer) => {
      if (answer !== null) throw new AlreadyDone(answer);
      return true;
    });
  }
}
