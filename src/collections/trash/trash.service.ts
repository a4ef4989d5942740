import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceAction } from '../../access/roles.js';
import type { Actor } from '../../auth/actor.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { timeOf } from '../../database/time.js';
import type { Listed, PageRequest } from '../../http/pagination.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { limitReached } from '../../teams/errors.js';
import type { WorkspaceKey } from '../../workspaces/workspace.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { notInTrash } from '../errors.js';
import type { WorkspaceIds, WorkspaceSelector } from '../items/collection.js';
import { alreadyAuthorized, ItemAccess, keyOf } from '../items/item-access.js';
import type { Target } from '../subtrees/subtree-rules.js';
import { restoreSubtree } from '../subtrees/subtrees.repository.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { TreeWriter } from '../writer/tree-writer.js';
import {
  type FoundDeletion,
  type ListedDeletion,
  purgeDeletion,
  purgePortion,
  TrashRepository,
} from './trash.repository.js';
import { TrashPurge } from './trash-purge.js';

const DELETION = 'deletion';

@Injectable()
export class TrashService {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspacesService,
    private readonly access: ItemAccess,
    private readonly trash: TrashRepository,
    private readonly writer: TreeWriter,
    private readonly purgeProcess: TrashPurge,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The deletions of a workspace, newest first.
   * @throws DomainError bad_request: no workspace; not_found, forbidden
   */
  async list(
    actor: Actor,
    selector: WorkspaceSelector,
    page: PageRequest,
  ): Promise<Listed<ListedDeletion>> {
    const workspace = await this.access.workspaceFor(actor, selector, 'content.readHistory');
    const ids = { teamId: workspace.teamId, workspaceId: workspace.id };
    return this.trash.list(actor.id, ids, page);
  }

  /**
   * Brings a whole deletion back into the tree, or nothing of it.
   * @returns the item with its direct children
   * @throws DomainError not_found: the deletion, or `parent`; forbidden: access, or the plan's limit;
   *   unprocessable_entity: the parent, the depth
   */
  async restore(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    target: Target,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    const ids = await this.idsFor(actor, selector, id, 'content.write');
    const found = await this.trash.find(ids, id);
    if (!found) throw notInTrash();
    this.assertRoomFor(found);
    const command = restoreSubtree({ deletion: found.deletion, ...target });
    return this.writer.run(actor, alreadyAuthorized(ids), command, write);
  }

  /** Deletes a deletion for good. @throws DomainError not_found, forbidden; conflict: archived */
  async purge(actor: Actor, selector: WorkspaceSelector, id: string): Promise<void> {
    const ids = await this.idsFor(actor, selector, id, 'content.purge');
    const { trashTtlSeconds } = this.config;
    const isPurged = await this.whilePurging(actor, keyOf(ids), (tx) =>
      purgeDeletion(tx, actor, ids, id, trashTtlSeconds),
    );
    if (!isPurged) throw notInTrash();
    this.purgeProcess.wake();
  }

  /**
   * Deletes all that is in the trash of a workspace for good, in portions.
   * @throws DomainError as list(); conflict: archived
   */
  async empty(actor: Actor, selector: WorkspaceSelector): Promise<void> {
    const workspace = await this.access.workspaceFor(actor, selector, 'content.purge');
    const now = await timeOf(this.database);
    const purge = (tx: Transaction) => purgePortion(tx, actor, workspace, now);
    while (await this.whilePurging(actor, workspace, purge));
    this.purgeProcess.wake();
  }

  /** Purging changes no tree, and so takes the lock that archiving takes, and asks again while holding it. */
  private whilePurging<T>(
    actor: Actor,
    workspace: WorkspaceKey,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const by = { callerId: actor.id, teamId: workspace.teamId };
    return this.database.transaction(async (tx) => {
      await this.workspaces.lockForAction(tx, actor, workspace, 'content.purge');
      return work(tx);
    }, by);
  }

  /** The workspace of a deletion; one that is named must hold it, which the reads after this check. */
  private idsFor(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    action: WorkspaceAction,
  ): Promise<WorkspaceIds> {
    return this.access.workspaceOf(actor, selector, action, DELETION, () =>
      this.trash.findPlace(id, actor.id),
    );
  }

  /**
   * Only saves the work of moving rows that would have to be moved back: the limit itself is held in
   * the transaction.
   */
  private assertRoomFor({ deletion, plan, usage }: FoundDeletion): void {
    const limit = this.config.planLimits[plan];
    for (const resource of ['pages', 'collections'] as const) {
      const isPast = limit.pages > 0 && usage[resource] + deletion[resource] > limit.pages;
      if (deletion[resource] > 0 && isPast) throw limitReached({ plan, limit }, resource);
    }
  }
}
