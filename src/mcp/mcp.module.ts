import { Module } from '@nestjs/common';
import { LocalRequests } from './local-requests.js';
import { McpController } from './mcp.controller.js';
import { McpService } from './mcp.service.js';
import { ProtectedResourceController } from './protected-resource.controller.js';

/** The Model Context Protocol: downstream of everything, which it reaches by requests alone. */
@Module({
  controllers: [McpController, ProtectedResourceController],
  providers: [LocalRequests, McpService],
})
export class McpModule {}
