import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { WorkspaceWritesRepository } from './workspace-writes.repository.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspacesService } from './workspaces.service.js';

@Module({
  imports: [TeamsModule],
  controllers: [WorkspacesController],
  providers: [WorkspacesService, WorkspacesRepository, WorkspaceWritesRepository],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
