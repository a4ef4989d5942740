import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../auth/actor.js';
import { requireScope } from '../auth/scopes.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import type { PreparedRead } from '../database/database.js';
import { newId } from '../database/ids.js';
import { notFound, outcomeUnknown } from '../errors/domain-error.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import { slugsFor } from '../workspaces/slug.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import {
  type Command,
  type ContentPatch,
  type Item,
  type ItemChanges,
  type ItemWithChildren,
  type ListedChild,
  MOST_CHILDREN,
  type Move,
  type NewItem,
  type NewItems,
  type NewNode,
  type Ordering,
  type ReadItem,
  type TreeQuery,
  type WorkspaceIds,
  type WorkspaceSelector,
} from './collection.js';
import { etagOf, listEtagOf, matchesWeakly } from './etag.js';
import {
  authorizedPlace,
  followed,
  ItemPlaces,
  idsOf,
  namesWorkspace,
  refOf,
  WHAT,
} from './item-places.js';
import { itemById, itemBySlug, type SmallItem, toReadItem } from './item-statements.js';
import { ItemsRepository } from './items.repository.js';
import { TreeRepository } from './tree.repository.js';
import type { TreeAnswer, TreeColumns } from './tree-answer.js';
import { smallPart } from './tree-lists.js';
import type { CommandResult } from './writer/tree-rules.js';
import { TreeWriter } from './writer/tree-writer.js';

/** `children`: all direct children, in order; null: `items` has them. */
export type WithAllChildren = CommandResult & { children: readonly ListedChild[] | null };

@Injectable()
export class CollectionsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly places: ItemPlaces,
    private readonly items: ItemsRepository,
    private readonly tree: TreeRepository,
    private readonly writer: TreeWriter,
    @Inject(CONFIG) private readonly config: Config,
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
  ): Promise<TreeAnswer> {
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

  /**
   * Makes items, all or none.
   * @returns them in the order given, each behind its parent
   * @throws DomainError bad_request: no workspace; not_found; forbidden: access, or the plan's limit;
   *   unprocessable_entity
   */
  async create(
    actor: Actor,
    selector: WorkspaceSelector,
    given: NewItems,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    const { parentId, index, items, field } = given;
    const ids = idsOf(await this.places.workspaceFor(actor, selector, 'content.write'));
    const nodes = await toNodes(items, field);
    const command: Command = { kind: 'create', parentId, index, nodes };
    return this.writer.run({ ...ids, author: actor }, command, write);
  }

  /** @throws DomainError bad_request: no workspace; not_found, forbidden, conflict, unprocessable_entity */
  async reorder(
    actor: Actor,
    selector: WorkspaceSelector,
    move: Move,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<void> {
    const ids = idsOf(await this.places.workspaceFor(actor, selector, 'content.write'));
    await this.writer.run({ ...ids, author: actor }, { kind: 'move', move }, write);
  }

  /** Gives a parent its complete list of children. @throws DomainError as reorder() */
  async order(actor: Actor, selector: WorkspaceSelector, ordering: Ordering): Promise<void> {
    const ids = idsOf(await this.places.workspaceFor(actor, selector, 'content.write'));
    await this.writer.run({ ...ids, author: actor }, { kind: 'order', ...ordering });
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
      return authorizedPlace(selector, anywhere, 'content.read', WHAT);
    };
    return followed(find, (found) =>
      this.complete({ ...found, callerId: actor.id }, found, withAncestors),
    );
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
    if (row.itemId === null) throw notFound(WHAT);
    const place = { teamId: row.teamId, workspaceId: row.id, callerId: actor.id };
    return this.complete(place, row, withAncestors);
  }

  /** Reads an item that is too large to have come along. @throws DomainError not_found: it is gone */
  private async complete(
    place: Parameters<ItemsRepository['withChildren']>[0],
    found: SmallItem,
    withAncestors: boolean,
  ): Promise<ReadItem & { etag: string }> {
    const item =
      found.json === null
        ? await this.items.withChildren(place, found.itemId, withAncestors)
        : toReadItem(found);
    if (!item) throw notFound(WHAT);
    const { itemId: id, version, children, ancestors } = item;
    const marks = children.map(({ mark }) => mark).join('');
    return { ...item, etag: etagOf({ id, version }, marks, ancestors) };
  }

  /** What a command wrote, with all direct children, if the result does not have them all. */
  async withAllChildren(actor: Actor, result: CommandResult): Promise<WithAllChildren> {
    const [item, ...children] = result.items as [Item, ...Item[]];
    const isCut = children.length > MOST_CHILDREN;
    const by = { ...item, callerId: actor.id };
    return { ...result, children: isCut ? await this.childrenAfterWrite(by, item.id) : null };
  }

  /** @throws DomainError not_found, forbidden, conflict, unprocessable_entity */
  async update(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    changes: ItemChanges,
  ): Promise<ItemWithChildren> {
    const { items, etag } = await this.places.where(actor, selector, id, 'content.write', (ids) =>
      this.writer.run({ ...ids, author: actor }, { kind: 'update', id, changes }),
    );
    const [item] = items as [Item];
    // Read later than the ETag, never earlier: a child that changed in between makes it stale.
    const by = { ...item, callerId: actor.id };
    const children = item.object === 'collection' ? await this.childrenAfterWrite(by, id) : [];
    return { item, children, etag: etag as string };
  }

  /**
   * Changes parts of a page's content: all operations or none, on the content as it is when it is
   * written.
   * @throws DomainError not_found, forbidden, conflict, unprocessable_entity
   */
  async patch(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    patch: ContentPatch,
    write: IdempotentWrite<CommandResult> | null,
  ): Promise<CommandResult> {
    return this.places.where(actor, selector, id, 'content.write', (ids) =>
      this.writer.run({ ...ids, author: actor }, { kind: 'patch', id, ...patch }, write),
    );
  }

  /**
   * The direct children of an item whose change is committed: a failure of this read must not be taken
   * for a change that failed.
   * @throws DomainError internal_server_error: the outcome is unknown
   */
  private childrenAfterWrite(
    by: WorkspaceIds & { callerId: string },
    id: string,
  ): Promise<readonly ListedChild[]> {
    return this.items.children(by, id).catch((error: unknown) => {
      throw outcomeUnknown(error);
    });
  }

  /**
   * Moves an item with all below it to the trash.
   * @param isPermanent deletes it for good instead, which takes managing the workspace
   * @throws DomainError not_found, forbidden, conflict
   */
  async delete(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    isPermanent: boolean,
    ifMatch: string | undefined,
  ): Promise<void> {
    if (isPermanent) requireScope(actor.scope, 'manage');
    const action = isPermanent ? 'content.purge' : 'content.write';
    const hasTrash = this.config.trashTtlSeconds > 0;
    const trashedBy = isPermanent || !hasTrash ? null : actor.id;
    const command: Command = { kind: 'delete', id, trashedBy, ifMatch };
    await this.places.where(actor, selector, id, action, (ids) =>
      this.writer.run({ ...ids, author: actor, callerId: actor.id }, command),
    );
  }
}

/** Milliseconds after which long work leaves the event loop to others. */
const PORTION = 10;

/**
 * Draws ids and slugs for new items, and says how messages call each. In portions: the slug of a name
 * in Chinese takes a tenth of a millisecond.
 */
async function toNodes(
  items: NewItem[],
  field: string,
  work = { since: performance.now() },
): Promise<NewNode[]> {
  const nodes: NewNode[] = [];
  for (const [n, item] of items.entries()) {
    if (performance.now() - work.since > PORTION) {
      await nextTurn();
      work.since = performance.now();
    }
    const place = field === '' ? '' : `${field}[${n}].`;
    const { wanted, fallback } = slugsFor(item.name);
    const children = item.children && (await toNodes(item.children, `${place}children`, work));
    nodes.push({ ...item, id: newId(), slugs: [wanted, fallback], place, children });
  }
  return nodes;
}
