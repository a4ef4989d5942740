import { Global, Module } from '@nestjs/common';
import { CurrentAccess } from '../idempotency/idempotency.guard.js';
import { TeamsModule } from '../teams/teams.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { ApplyController } from './apply/apply.controller.js';
import { ApplyService } from './apply/apply.service.js';
import { ChangeLogRepository } from './changes/change-log.repository.js';
import { ChangeWaiters } from './changes/change-waiters.js';
import { ChangesService } from './changes/changes.service.js';
import { ChangesPurge } from './changes/changes-purge.js';
import { ItemAccess } from './items/item-access.js';
import { ItemsController } from './items/items.controller.js';
import { ItemsRepository } from './items/items.repository.js';
import { ItemsService } from './items/items.service.js';
import { ReplayAccess } from './items/replay-access.js';
import { IndexWriter } from './search/index-writer.js';
import { PageIndexer } from './search/page-indexer.js';
import { SearchController } from './search/search.controller.js';
import { SearchService } from './search/search.service.js';
import { SubtreesController } from './subtrees/subtrees.controller.js';
import { SubtreesService } from './subtrees/subtrees.service.js';
import { TrashController } from './trash/trash.controller.js';
import { TrashRepository } from './trash/trash.repository.js';
import { TrashService } from './trash/trash.service.js';
import { TrashPurge } from './trash/trash-purge.js';
import { TreeController } from './tree/tree.controller.js';
import { TreeRepository } from './tree/tree.repository.js';
import { TreeService } from './tree/tree.service.js';
import { VersionsController } from './versions/versions.controller.js';
import { VersionsRepository } from './versions/versions.repository.js';
import { VersionsService } from './versions/versions.service.js';
import { TreeCommits } from './writer/tree-commits.js';
import { TreeRowsRepository } from './writer/tree-rows.repository.js';
import { TreeWriter } from './writer/tree-writer.js';

/** Global: the guard of idempotent writes, which asks for CurrentAccess, belongs to the modules of their controllers. */
@Global()
@Module({
  imports: [TeamsModule, WorkspacesModule],
  controllers: [
    TreeController,
    ApplyController,
    TrashController,
    ItemsController,
    SubtreesController,
    SearchController,
    VersionsController,
  ],
  providers: [
    { provide: CurrentAccess, useClass: ReplayAccess },
    ItemsService,
    ApplyService,
    ChangeLogRepository,
    ChangeWaiters,
    ChangesPurge,
    TreeRowsRepository,
    ChangesService,
    ItemAccess,
    ItemsRepository,
    IndexWriter,
    PageIndexer,
    SearchService,
    SubtreesService,
    TrashPurge,
    TrashRepository,
    TrashService,
    TreeRepository,
    TreeService,
    TreeCommits,
    TreeWriter,
    VersionsRepository,
    VersionsService,
  ],
  exports: [CurrentAccess, ChangeLogRepository],
})
export class CollectionsModule {}
