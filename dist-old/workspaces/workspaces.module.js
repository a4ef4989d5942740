var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { MemberRemovalController } from './members/member-removal.controller.js';
import { MemberRemoval } from './members/member-removal.js';
import { MemberRemovalService } from './members/member-removal.service.js';
import { WorkspaceMembersController } from './members/workspace-members.controller.js';
import { WorkspaceMembersRepository } from './members/workspace-members.repository.js';
import { WorkspaceMembersService } from './members/workspace-members.service.js';
import { PurgeRequests } from './trash/purge-requests.js';
import { WorkspaceTrashController } from './trash/workspace-trash.controller.js';
import { WorkspaceTrashRepository } from './trash/workspace-trash.repository.js';
import { WorkspaceTrashService } from './trash/workspace-trash.service.js';
import { WorkspaceReadsRepository } from './workspace-reads.repository.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspacesService } from './workspaces.service.js';
let WorkspacesModule = class WorkspacesModule {
};
WorkspacesModule = __decorate([
    Module({
        imports: [TeamsModule],
        controllers: [
            WorkspacesController,
            WorkspaceMembersController,
            MemberRemovalController,
            WorkspaceTrashController,
        ],
        providers: [
            WorkspacesService,
            WorkspacesRepository,
            WorkspaceReadsRepository,
            WorkspaceMembersService,
            WorkspaceMembersRepository,
            MemberRemoval,
            MemberRemovalService,
            PurgeRequests,
            WorkspaceTrashService,
            WorkspaceTrashRepository,
        ],
        exports: [WorkspacesService, PurgeRequests],
    })
], WorkspacesModule);
export { WorkspacesModule };
//# sourceMappingURL=workspaces.module.js.map