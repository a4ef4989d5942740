import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { InviteOutbox } from './invites/invite-outbox.js';
import { InviteOutboxRepository } from './invites/invite-outbox.repository.js';
import { InvitesController } from './invites/invites.controller.js';
import { InvitesService } from './invites/invites.service.js';
import { TeamMembersController } from './members/team-members.controller.js';
import { TeamMembersService } from './members/team-members.service.js';
import { TeamReadsRepository } from './team-reads.repository.js';
import { TeamsController } from './teams.controller.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [AuthModule],
  controllers: [TeamsController, TeamMembersController, InvitesController],
  providers: [
    TeamsService,
    TeamReadsRepository,
    TeamMembersService,
    InvitesService,
    InviteOutbox,
    InviteOutboxRepository,
  ],
  exports: [TeamsService],
})
export class TeamsModule {}
