import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { MemberRemovalService } from './members/member-removal.service.js';
import { WorkspaceMembersController } from './members/workspace-members.controller.js';
import { WorkspaceMembersService } from './members/workspace-members.service.js';
import { WorkspaceTrashController } from './trash/workspace-trash.controller.js';
import { PurgeRequests, WorkspaceTrashService } from './trash/workspace-trash.service.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

@Module({
  imports: [TeamsModule],
  controllers: [WorkspacesController, WorkspaceMembersController, WorkspaceTrashController],
  providers: [
    WorkspacesService,
    WorkspaceMembersService,
    MemberRemovalService,
    PurgeRequests,
    WorkspaceTrashService,
  ],
  exports: [WorkspacesService, PurgeRequests],
})
export class WorkspacesModule {}
