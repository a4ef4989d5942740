import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { DeparturesController } from './members/departures.controller.js';
import { DeparturesRepository } from './members/departures.repository.js';
import { DeparturesService } from './members/departures.service.js';
import { WorkspaceMembersController } from './members/workspace-members.controller.js';
import { WorkspaceMembersRepository } from './members/workspace-members.repository.js';
import { WorkspaceMembersService } from './members/workspace-members.service.js';
import { WorkspaceWritesRepository } from './workspace-writes.repository.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspacesService } from './workspaces.service.js';

@Module({
  imports: [TeamsModule],
  controllers: [WorkspacesController, WorkspaceMembersController, DeparturesController],
  providers: [
    WorkspacesService,
    WorkspacesRepository,
    WorkspaceWritesRepository,
    WorkspaceMembersService,
    WorkspaceMembersRepository,
    DeparturesService,
    DeparturesRepository,
  ],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
