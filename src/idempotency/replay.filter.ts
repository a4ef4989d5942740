import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { DomainError } from '../errors/domain-error.js';
import { ErrorsFilter } from '../errors/errors.filter.js';
import { AlreadyDone, type RequestKey } from './once.js';
import { Replays } from './replays.js';

/** Answers what was done before with the answer that was kept of it. */
@Catch(AlreadyDone)
export class ReplayFilter implements ExceptionFilter {
  private readonly errors: ErrorsFilter;

  constructor(
    private readonly replays: Replays,
    @Inject(CONFIG) { publicUrl }: Config,
  ) {
    this.errors = new ErrorsFilter(publicUrl);
  }

  async catch(done: AlreadyDone, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    try {
      const key = request.idempotencyKey as RequestKey;
      const answer = done.answer ?? (await this.replays.find(host, key)) ?? refuse(done);
      http
        .getResponse<FastifyReply>()
        .status(200)
        .header('content-type', 'application/json; charset=utf-8')
        .header('idempotent-replayed', 'true')
        .send(answer);
    } catch (error) {
      this.errors.catch(error, host);
    }
  }
}

/** What had succeeded has been cleared away since: its 24 hours were over this very moment. */
function refuse(cause: AlreadyDone): never {
  throw new DomainError('conflict', 'the Idempotency-Key has just expired: try again', {
    cause,
    retryAfterSeconds: 1,
  });
}
