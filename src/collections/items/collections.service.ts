import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../auth/actor.js';
import { requireScope } from '../../auth/claims.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { outcomeUnknown } from '../../errors/domain-error.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import type { CommandResult } from '../writer/tree-rules.js';
import { TreeWriter } from '../writer/tree-writer.js';
import {
  type Command,
  type ContentPatch,
  type Item,
  type ItemChanges,
  type ItemWithChildren,
  type ListedChild,
  MAX_CHILDREN,
  type Move,
  type NewItems,
  type Ordering,
  type WorkspaceIds,
  type WorkspaceSelector,
} from './collection.js';
import { ItemAccess, idsOf } from './item-access.js';
import { ItemsRepository } from './items.repository.js';
import { toNodes } from './new-nodes.js';

/** `children`: all direct children, in order; null: `items` has them. */
export type WithAllChildren = CommandResult & { children: readonly ListedChild[] | null };

/** Writes of items; ItemReadsService reads them. */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly access: ItemAccess,
    private readonly items: ItemsRepository,
    private readonly writer: TreeWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

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
    const ids = idsOf(await this.access.workspaceFor(actor, selector, 'content.write'));
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
    const ids = idsOf(await this.access.workspaceFor(actor, selector, 'content.write'));
    await this.writer.run({ ...ids, author: actor }, { kind: 'move', move }, write);
  }

  /** Gives a parent its complete list of children. @throws DomainError as reorder() */
  async order(actor: Actor, selector: WorkspaceSelector, ordering: Ordering): Promise<void> {
    const ids = idsOf(await this.access.workspaceFor(actor, selector, 'content.write'));
    await this.writer.run({ ...ids, author: actor }, { kind: 'order', ...ordering });
  }

  /** What a command wrote, with all direct children, if the result does not have them all. */
  async withAllChildren(actor: Actor, result: CommandResult): Promise<WithAllChildren> {
    const [item, ...children] = result.items as [Item, ...Item[]];
    const isCut = children.length > MAX_CHILDREN;
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
    const { items, etag } = await this.access.withItem(
      actor,
      selector,
      id,
      'content.write',
      (ids) => this.writer.run({ ...ids, author: actor }, { kind: 'update', id, changes }),
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
    return this.access.withItem(actor, selector, id, 'content.write', (ids) =>
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
    await this.access.withItem(actor, selector, id, action, (ids) =>
      this.writer.run({ ...ids, author: actor, callerId: actor.id }, command),
    );
  }
}
