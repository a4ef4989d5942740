import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import { listEtagOf, matchesWhole } from '../../http/etag.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import type { Move, Ordering, TreeQuery, WorkspaceSelector } from '../items/collection.js';
import { ItemAccess, refOf } from '../items/item-access.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { TreeWriter } from '../writer/tree-writer.js';
import { TreeRepository } from './tree.repository.js';
import { smallPart, type TreeColumns, type TreeResponse } from './tree-lists.js';

/** Lists of a tree, and changes of its order. */
@Injectable()
export class TreeService {
  constructor(
    private readonly access: ItemAccess,
    private readonly workspaces: WorkspacesService,
    private readonly tree: TreeRepository,
    private readonly writer: TreeWriter,
  ) {}

  /**
   * @param ifNoneMatch the ETag that the caller has
   * @returns a body of null where that is current
   * @throws DomainError bad_request: no workspace, cursor; not_found, forbidden; unprocessable_entity
   */
  async list(
    actor: Actor,
    selector: WorkspaceSelector,
    query: TreeQuery,
    ifNoneMatch: string | undefined,
  ): Promise<TreeResponse> {
    // Without a tag to compare, the list comes along if it is small.
    const [workspace] = await this.workspaces.readForAction<TreeColumns>(
      actor,
      refOf(selector),
      'content.read',
      ifNoneMatch === undefined ? smallPart(query) : undefined,
    );
    const etag = listEtagOf(workspace.treeStamp, query);
    if (matchesWhole(ifNoneMatch, etag)) {
      // A caller that has the tag has read the list. `*` asks whether there is one.
      if (ifNoneMatch?.includes('*')) {
        await this.tree.assertExists(actor.id, workspace, query);
      }
      return { body: null, etag, next: null };
    }
    return this.tree.read(actor.id, workspace, query);
  }

  /** @throws DomainError bad_request: no workspace; not_found, forbidden, conflict, unprocessable_entity */
  async reorder(
    actor: Actor,
    selector: WorkspaceSelector,
    move: Move,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    const authorize = this.access.named(actor, selector, 'content.write');
    return this.writer.run(actor, authorize, { kind: 'move', move }, write);
  }

  /** Gives a parent its complete list of children. @throws DomainError as reorder() */
  async order(actor: Actor, selector: WorkspaceSelector, ordering: Ordering): Promise<void> {
    const authorize = this.access.named(actor, selector, 'content.write');
    await this.writer.run(actor, authorize, { kind: 'order', ...ordering });
  }
}
