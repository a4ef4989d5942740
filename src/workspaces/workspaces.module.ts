import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { MemberRemovalController } from './members/member-removal.controller.js';
import { MemberRemovalService } from './members/member-removal.service.js';
import { WorkspaceMembersController } from './members/workspace-members.controller.js';
import { WorkspaceMembersService } from './members/workspace-members.service.js';
import { PurgeRequests } from './trash/purge-requests.js';
import { WorkspaceTrashController } from './trash/workspace-trash.controller.js';
import { WorkspaceTrashRepository } from './trash/workspace-trash.repository.js';
import { WorkspaceTrashService } from './trash/workspace-trash.service.js';
import { WorkspaceReadsRepository } from './workspace-reads.repository.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

@Module({
  imports: [TeamsModule],
  controllers: [
    WorkspacesController,
    WorkspaceMembersController,
    MemberRemovalController,
    WorkspaceTrashController,
  ],
  providers: [
    WorkspacesService,
    WorkspaceReadsRepository,
    WorkspaceMembersService,
    MemberRemovalService,
    PurgeRequests,
    WorkspaceTrashService,
    WorkspaceTrashRepository,
  ],
  exports: [WorkspacesService, PurgeRequests],
})
export class WorkspacesModule {}
