import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import type { WorkspaceIds, WorkspaceSelector } from '../items/collection.js';
import { alreadyAuthorized, ItemAccess, idsOf } from '../items/item-access.js';
import type { Naming } from '../items/titles.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { TreeWriter } from '../writer/tree-writer.js';
import type { Target } from './subtree-rules.js';
import { copySubtree, transferSubtree } from './subtrees.repository.js';

/** Where a copy or transfer goes. */
export interface SubtreeTarget extends Target {
  /** Absent: it stays in its workspace. */
  workspaceSlug?: string | undefined;
  /** Of the item. */
  ifMatch?: string | undefined;
}

/** Copies and transfers of items with all below them. */
@Injectable()
export class SubtreesService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly access: ItemAccess,
    private readonly writer: TreeWriter,
  ) {}

  /**
   * Copies an item, within its workspace or to another one of the team, where the caller may write.
   * @param naming of the copy; absent: as the original
   * @returns the copy with its direct children
   * @throws DomainError not_found; forbidden: access, or the plan's limit; conflict: `ifMatch`;
   *   unprocessable_entity: the parent, the depth, the number of items
   */
  duplicate(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    { name, title }: Naming,
    { workspaceSlug, ...target }: SubtreeTarget,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    const naming = { name, title };
    const action = workspaceSlug === undefined ? 'content.write' : 'content.read';
    return this.access.withItem(actor, selector, id, action, async (authorize) => {
      const from = await authorize([]);
      const to =
        workspaceSlug === undefined ? from : await this.targetWorkspace(actor, from, workspaceSlug);
      const copy = copySubtree({ id, from: otherThan(to, from), ...target, naming });
      return this.writer.run(actor, alreadyAuthorized(to), copy, write);
    });
  }

  /**
   * Moves an item to another workspace of its team; the caller may write in both.
   * @returns the item with its direct children
   * @throws DomainError as duplicate(), without a limit; unprocessable_entity: it is in that workspace
   */
  transfer(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    { workspaceSlug, ...target }: SubtreeTarget & { workspaceSlug: string },
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    return this.access.withItem(actor, selector, id, 'content.write', async (authorize) => {
      const from = await authorize([]);
      const to = await this.targetWorkspace(actor, from, workspaceSlug);
      const transfer = transferSubtree({ id, from: otherThan(to, from), ...target });
      return this.writer.run(actor, alreadyAuthorized(to), transfer, write);
    });
  }

  /** The workspace of the same team that something goes to. @throws DomainError not_found, forbidden */
  private async targetWorkspace(
    actor: Actor,
    { teamId }: WorkspaceIds,
    slug: string,
  ): Promise<WorkspaceIds> {
    const ref = { team: { id: teamId }, slug };
    const [workspace] = await this.workspaces.readForAction(actor, ref, 'content.write');
    return idsOf(workspace);
  }
}

/** The workspace that something comes from; null: it is the one that it goes to. */
const otherThan = (to: WorkspaceIds, from: WorkspaceIds): string | null =>
  from.workspaceId === to.workspaceId ? null : from.workspaceId;
