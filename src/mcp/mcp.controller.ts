import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallsOtherRoutes } from '../auth/token.guard.js';
import { McpService } from './mcp.service.js';

/**
 * The Model Context Protocol over streamable HTTP: not an operation of the API, but a second way to call those that there
 * are.
 */
@ApiExcludeController()
@CallsOtherRoutes()
@Controller('mcp')
export class McpController {
  constructor(private readonly mcp: McpService) {}

  @Post()
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.respond(request, reply);
  }

  /** Clients of 2025-11-25 ask for a stream, and learn that there is none. */
  @Get()
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.respond(request, reply);
  }

  /** Clients of 2025-11-25 end a session with it, and learn that there is none. */
  @Delete()
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.mcp.respond(request, reply);
  }
}
