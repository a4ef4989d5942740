import { Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import type { PreparedRead } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { ITEM } from '../errors.js';
import { TreeRepository } from '../tree/tree.repository.js';
import { smallPart } from '../tree/tree-lists.js';
import type { TreeColumns, TreeResponse } from '../tree/tree-response.js';
import type { ReadItem, TreeQuery, WorkspaceIds, WorkspaceSelector } from './collection.js';
import { etagOf, listEtagOf, matchesWeakly } from './etag.js';
import { authorizedPlace, namesWorkspace, refOf, retryIfTransferred } from './item-access.js';
import { itemById, itemBySlug, type SmallItem, toReadItem } from './item-statements.js';
import { ItemsRepository } from './items.repository.js';

/** Reads of trees and of single items: small ones in one statement with what decides on access. */
@Injectable()
export class ItemReadsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly items: ItemsRepository,
    private readonly tree: TreeRepository,
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
    if (matchesWeakly(ifNoneMatch, etag)) {
      // Whoever has the tag has read the list. `*` asks whether there is one.
      if (ifNoneMatch?.includes('*')) {
        await this.tree.assertExists(actor.id, workspace, query);
      }
      return { body: null, etag, next: null };
    }
    return this.tree.read(actor.id, workspace, query);
  }

  /** @throws DomainError not_found, forbidden */
  async get(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    withAncestors: boolean,
  ): Promise<ReadItem & { etag: string }> {
    if (namesWorkspace(selector)) {
      return this.readIn(actor, selector, itemById(id, withAncestors), withAncestors);
    }
    const find = async () => {
      const anywhere = await this.items.findAndRead(id, actor.id, withAncestors);
      return authorizedPlace(selector, anywhere, 'content.read', ITEM);
    };
    return retryIfTransferred(find, (found) => this.complete(actor, found, found, withAncestors));
  }

  /** @throws DomainError bad_request: no workspace; not_found, forbidden */
  getBySlug(
    actor: Actor,
    selector: WorkspaceSelector,
    slug: string,
    withAncestors: boolean,
  ): Promise<ReadItem & { etag: string }> {
    return this.readIn(actor, selector, itemBySlug(slug, withAncestors), withAncestors);
  }

  private async readIn(
    actor: Actor,
    selector: WorkspaceSelector,
    read: PreparedRead,
    withAncestors: boolean,
  ): Promise<ReadItem & { etag: string }> {
    const [row] = await this.workspaces.readForAction<SmallItem | { itemId: null }>(
      actor,
      refOf(selector),
      'content.read',
      read,
    );
    if (row.itemId === null) throw notFound(ITEM);
    const place = { teamId: row.teamId, workspaceId: row.id };
    return this.complete(actor, place, row, withAncestors);
  }

  /** Reads an item that is too large to have come along. @throws DomainError not_found: it is gone */
  private async complete(
    { id: callerId }: Actor,
    { teamId, workspaceId }: WorkspaceIds,
    found: SmallItem,
    withAncestors: boolean,
  ): Promise<ReadItem & { etag: string }> {
    const item =
      found.json === null
        ? await this.items.withChildren(
            { teamId, workspaceId, callerId },
            found.itemId,
            withAncestors,
          )
        : toReadItem(found);
    if (!item) throw notFound(ITEM);
    const { itemId: id, version, children, ancestors } = item;
    const marks = children.map(({ mark }) => mark).join('');
    return { ...item, etag: etagOf({ id, version }, marks, ancestors) };
  }
}
