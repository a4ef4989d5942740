import {
  type ArgumentsHost,
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  Header,
  ServiceUnavailableException,
  UseFilters,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/token.guard.js';
import { HealthService } from './health.service.js';

/** Probes are no operations of the API: 503 leaves as it is, outside the envelope of errors. */
@Catch(ServiceUnavailableException)
class UnavailableFilter implements ExceptionFilter<ServiceUnavailableException> {
  catch(exception: ServiceUnavailableException, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    reply.status(exception.getStatus()).send(exception.getResponse());
  }
}

/** For balancers and orchestrators: 200 or 503. */
@ApiExcludeController()
@UseFilters(UnavailableFilter)
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Public()
  @Get('live')
  @Header('cache-control', 'no-store')
  live() {
    return this.health.live();
  }

  @Public()
  @Get('ready')
  @Header('cache-control', 'no-store')
  ready() {
    return this.health.ready();
  }
}
