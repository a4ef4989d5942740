import { Module } from '@nestjs/common';
import { InvitesController } from './invites/invites.controller.js';
import { InvitesRepository } from './invites/invites.repository.js';
import { InvitesService } from './invites/invites.service.js';
import { JoiningController } from './invites/joining.controller.js';
import { JoiningRepository } from './invites/joining.repository.js';
import { JoiningService } from './invites/joining.service.js';
import { MyInvitesController } from './invites/my-invites.controller.js';
import { MyInvitesRepository } from './invites/my-invites.repository.js';
import { PeopleRoles } from './members/people-roles.repository.js';
import { TeamMembersController } from './members/team-members.controller.js';
import { TeamMembersRepository } from './members/team-members.repository.js';
import { TeamMembersService } from './members/team-members.service.js';
import { PeopleGate } from './people-gate.repository.js';
import { TeamsController } from './teams.controller.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  controllers: [
    TeamsController,
    TeamMembersController,
    InvitesController,
    MyInvitesController,
    JoiningController,
  ],
  providers: [
    TeamsService,
    TeamsRepository,
    UsageRepository,
    PeopleGate,
    PeopleRoles,
    TeamMembersService,
    TeamMembersRepository,
    InvitesService,
    InvitesRepository,
    JoiningService,
    JoiningRepository,
    MyInvitesRepository,
  ],
  exports: [TeamsService, TeamsRepository, UsageRepository, PeopleGate, PeopleRoles],
})
export class TeamsModule {}
