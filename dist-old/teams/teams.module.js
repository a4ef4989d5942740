var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InviteListRepository } from './invites/invite-list.repository.js';
import { InviteOutbox } from './invites/invite-outbox.js';
import { InviteOutboxRepository } from './invites/invite-outbox.repository.js';
import { InvitesController } from './invites/invites.controller.js';
import { InvitesRepository } from './invites/invites.repository.js';
import { InvitesService } from './invites/invites.service.js';
import { InvitesByEmailRepository } from './invites/invites-by-email.repository.js';
import { MailLimitsRepository } from './invites/mail-limits.repository.js';
import { MyInvitesService } from './invites/my-invites.service.js';
import { JoinController } from './members/join.controller.js';
import { JoinService } from './members/join.service.js';
import { Ownership } from './members/ownership.js';
import { ReentryService } from './members/reentry.service.js';
import { TeamMembersController } from './members/team-members.controller.js';
import { TeamMembersRepository } from './members/team-members.repository.js';
import { TeamMembersService } from './members/team-members.service.js';
import { TeamIds } from './team-ids.repository.js';
import { TeamReadsRepository } from './team-reads.repository.js';
import { TeamUsageRepository } from './team-usage.repository.js';
import { TeamsController } from './teams.controller.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';
let TeamsModule = class TeamsModule {
};
TeamsModule = __decorate([
    Module({
        imports: [AuthModule],
        controllers: [TeamsController, JoinController, TeamMembersController, InvitesController],
        providers: [
            TeamsService,
            TeamsRepository,
            TeamReadsRepository,
            TeamIds,
            TeamUsageRepository,
            TeamMembersService,
            TeamMembersRepository,
            Ownership,
            ReentryService,
            JoinService,
            InvitesService,
            MyInvitesService,
            InviteListRepository,
            InvitesRepository,
            InvitesByEmailRepository,
            InviteOutbox,
            InviteOutboxRepository,
            MailLimitsRepository,
        ],
        exports: [TeamsService, TeamIds, TeamMembersRepository, TeamUsageRepository, ReentryService],
    })
], TeamsModule);
export { TeamsModule };
//# sourceMappingURL=teams.module.js.map