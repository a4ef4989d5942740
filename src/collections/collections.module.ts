import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsRepository } from './collections.repository.js';
import { CollectionsService } from './collections.service.js';
import { ItemsRepository } from './items.repository.js';
import { SliceRepository } from './slice.repository.js';
import { TreeRepository } from './tree.repository.js';
import { TreeMetrics } from './tree-metrics.js';
import { TreeWriter } from './tree-writer.js';

@Module({
  imports: [TeamsModule, WorkspacesModule],
  controllers: [CollectionsController],
  providers: [
    CollectionsService,
    CollectionsRepository,
    ItemsRepository,
    SliceRepository,
    TreeMetrics,
    TreeRepository,
    TreeWriter,
  ],
})
export class CollectionsModule {}
