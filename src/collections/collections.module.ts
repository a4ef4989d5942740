import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { ItemsRepository } from './items.repository.js';
import { TreeController } from './tree.controller.js';
import { TreeRepository } from './tree.repository.js';
import { ChangesRepository } from './writer/changes.repository.js';
import { LongListsRepository } from './writer/long-lists.repository.js';
import { SliceRepository } from './writer/slice.repository.js';
import { TreeWriter } from './writer/tree-writer.js';

@Module({
  imports: [TeamsModule, WorkspacesModule],
  controllers: [TreeController, CollectionsController],
  providers: [
    CollectionsService,
    ChangesRepository,
    ItemsRepository,
    LongListsRepository,
    SliceRepository,
    TreeRepository,
    TreeWriter,
  ],
  exports: [CollectionsService],
})
export class CollectionsModule {}
