import { Module } from '@nestjs/common';
import { PeopleGate } from './people-gate.repository.js';
import { TeamsController } from './teams.controller.js';
import { TeamsRepository } from './teams.repository.js';
import { TeamsService } from './teams.service.js';
import { UsageRepository } from './usage.repository.js';

@Module({
  controllers: [TeamsController],
  providers: [TeamsService, TeamsRepository, UsageRepository, PeopleGate],
  exports: [TeamsService, TeamsRepository, UsageRepository, PeopleGate],
})
export class TeamsModule {}
