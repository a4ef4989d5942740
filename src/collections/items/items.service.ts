import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import { requireScope } from '../../auth/token.guard.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { newId, slugsFor } from '../../database/identifiers.js';
import { notFound } from '../../errors/domain-error.js';
import { EventLoopTurn } from '../../event-loop.js';
import { etagOf } from '../../http/etag.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { ITEM } from '../errors.js';
import { deleteSubtree } from '../subtrees/subtrees.repository.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { TreeWriter } from '../writer/tree-writer.js';
import {
  type Command,
  type ContentPatch,
  type ItemChanges,
  type NewItem,
  type NewItems,
  type NewNode,
  type ReadItem,
  type WorkspaceIds,
  type WorkspaceSelector,
} from './collection.js';
import {
  alreadyAuthorized,
  authorized,
  ItemAccess,
  refOf,
  retryIfTransferred,
} from './item-access.js';
import {
  type ItemRead,
  ItemsRepository,
  itemById,
  itemByKey,
  itemBySlug,
  type SmallItem,
  toReadItem,
} from './items.repository.js';

/** Reads and writes of single items. Reads of small ones are one statement with what decides on access. */
@Injectable()
export class ItemsService {
  constructor(
    private readonly access: ItemAccess,
    private readonly workspaces: WorkspacesService,
    private readonly items: ItemsRepository,
    private readonly writer: TreeWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param most direct children: if there are more, they are left out
   * @throws DomainError not_found, forbidden
   */
  async get(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    withAncestors: boolean,
    most?: number,
  ): Promise<ReadItem & { etag: string }> {
    if (selector.workspace) {
      return this.readIn(actor, selector, itemById(id, withAncestors), withAncestors);
    }
    const find = async () => {
      const anywhere = await this.items.findAndRead(id, actor.id, withAncestors);
      return authorized(selector, anywhere, 'content.read', ITEM);
    };
    return retryIfTransferred(find, async (find) => {
      const found = await find([]);
      return this.complete(actor, found, found, withAncestors, most);
    });
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

  /** @throws DomainError bad_request: no workspace; not_found, forbidden */
  getByKey(
    actor: Actor,
    selector: WorkspaceSelector,
    key: string,
    withAncestors: boolean,
  ): Promise<ReadItem & { etag: string }> {
    return this.readIn(actor, selector, itemByKey(key, withAncestors), withAncestors);
  }

  private async readIn(
    actor: Actor,
    selector: WorkspaceSelector,
    read: ItemRead,
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
    most?: number,
  ): Promise<ReadItem & { etag: string }> {
    const item =
      found.json === null
        ? await this.items.withChildren(
            { teamId, workspaceId, callerId },
            found.itemId,
            withAncestors,
            most,
          )
        : toReadItem(found);
    if (!item) throw notFound(ITEM);
    const { itemId: id, version, children, ancestors } = item;
    const marks = children === null ? null : children.map(({ mark }) => mark).join('');
    return { ...item, etag: etagOf({ id, version }, marks, ancestors) };
  }

  /**
   * Makes items, all or none.
   * @returns them in the order given, each after its parent
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
    const authorize = this.access.named(actor, selector, 'content.write');
    // Slugs of many take long: they are for those who may write.
    const target =
      count(items) > MAX_UNAUTHORIZED ? alreadyAuthorized(await authorize([])) : authorize;
    const nodes = await toNodes(items, field);
    const command: Command = { kind: 'create', parentId, index, nodes };
    return this.writer.run(actor, target, command, write);
  }

  /** @throws DomainError not_found, forbidden, conflict, unprocessable_entity */
  update(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    changes: ItemChanges,
  ): Promise<CommandResult> {
    return this.access.withItem(actor, selector, id, 'content.write', (authorize) =>
      this.writer.run(actor, authorize, { kind: 'update', id, changes }),
    );
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
    return this.access.withItem(actor, selector, id, 'content.write', (authorize) =>
      this.writer.run(actor, authorize, { kind: 'patch', id, ...patch }, write),
    );
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
    const command = deleteSubtree({ id, trashedBy, ifMatch });
    await this.access.withItem(actor, selector, id, action, (authorize) =>
      this.writer.run(actor, authorize, command),
    );
  }
}

/** Items that slugs are drawn for before it is known whether their caller may write. */
const MAX_UNAUTHORIZED = 100;

const count = (items: readonly NewItem[]): number =>
  items.reduce((sum, { children }) => sum + 1 + count(children ?? []), 0);

/**
 * Draws ids and slugs for new items, and says how messages call each. In portions: the slug of a name
 * in Chinese takes a tenth of a millisecond.
 */
async function toNodes(
  items: NewItem[],
  field: string,
  turn = new EventLoopTurn(),
): Promise<NewNode[]> {
  const nodes: NewNode[] = [];
  for (const [n, item] of items.entries()) {
    if (turn.isOver) await turn.next();
    const place = field === '' ? '' : `${field}[${n}].`;
    const { wanted, fallback } = slugsFor(item.title);
    const children = item.children && (await toNodes(item.children, `${place}children`, turn));
    nodes.push({ ...item, id: newId(), slugs: [wanted, fallback], place, children });
  }
  return nodes;
}
