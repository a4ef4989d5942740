import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.js';
import { CallsOtherRoutes, CurrentActor } from '../auth/token.guard.js';
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
  async post(
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(await this.mcp.respond(actor, request, reply), reply);
  }

  /** Clients of 2025-11-25 ask for a stream, and learn that there is none. */
  @Get()
  async get(
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(await this.mcp.respond(actor, request, reply), reply);
  }

  /** They end a session so: there is none. */
  @Delete()
  async delete(
    @CurrentActor() actor: Actor,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await send(await this.mcp.respond(actor, request, reply), reply);
  }
}

async function send(response: Response, reply: FastifyReply): Promise<void> {
  const text = await response.text();
  reply.status(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  reply.send(text);
}
