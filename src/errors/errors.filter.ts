import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Failure, toFailure } from './error-response.js';

/** Turns errors into responses; registered globally by createApp(). */
@Catch()
export class ErrorsFilter implements ExceptionFilter {
  constructor(private readonly publicUrl: string) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Also used for requests that Fastify rejects before Nest sees them (frameworkErrors). */
  respond(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const failure: Failure = toFailure(thrown, this.publicUrl);
    // Logged with the request, when its response has been sent.
    request.failureCause = failure.cause;
    if (reply.sent) return;
    reply
      .status(failure.status)
      .headers(failure.headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify(failure.body));
  }
}
