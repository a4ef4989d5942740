import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { enforce } from '../access/enforce.js';
import type { WorkspaceAction } from '../access/table.js';
import type { Actor } from '../auth/actor.js';
import { newId } from '../database/ids.js';
import { notFound, outcomeUnknown } from '../errors/domain-error.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import { otherTeam } from '../teams/team.js';
import { slugsFor } from '../workspaces/slug.js';
import type { Workspace, WorkspaceKey } from '../workspaces/workspace.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type {
  Command,
  Item,
  ItemChanges,
  ItemWithChildren,
  Move,
  NewItem,
  NewItems,
  NewNode,
  Ordering,
  TreeQuery,
  WorkspaceIds,
  WorkspaceSelector,
} from './collection.js';
import { etagOf, listEtagOf, matchesWeakly } from './etag.js';
import { type FoundItem, ItemsRepository, type ReadItem } from './items.repository.js';
import { TreeRepository } from './tree.repository.js';
import type { TreeAnswer } from './tree-answer.js';
import { noWorkspaceNamed } from './tree-errors.js';
import { TreeWriter } from './writer/tree-writer.js';

const WHAT = 'collection or page';

@Injectable()
export class CollectionsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly items: ItemsRepository,
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
  ): Promise<TreeAnswer> {
    const workspace = await this.workspaceFor(actor, selector, 'content.read');
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
    write: IdempotentWrite<Item[]> | null,
  ): Promise<Item[]> {
    const { parentId, index, items, field } = given;
    const ids = idsOf(await this.workspaceFor(actor, selector, 'content.write'));
    const nodes = await toNodes(items, field);
    const command: Command = { kind: 'create', parentId, index, nodes };
    return (await this.writer.run(ids, command, write)).items;
  }

  /** @throws DomainError bad_request: no workspace; not_found, forbidden, conflict, unprocessable_entity */
  async reorder(
    actor: Actor,
    selector: WorkspaceSelector,
    move: Move,
    write: IdempotentWrite<Item[]> | null,
  ): Promise<void> {
    const ids = idsOf(await this.workspaceFor(actor, selector, 'content.write'));
    await this.writer.run(ids, { kind: 'move', move }, write);
  }

  /** Gives a parent its complete list of children. @throws DomainError as reorder() */
  async order(actor: Actor, selector: WorkspaceSelector, ordering: Ordering): Promise<void> {
    const ids = idsOf(await this.workspaceFor(actor, selector, 'content.write'));
    await this.writer.run(ids, { kind: 'order', ...ordering });
  }

  /** @throws DomainError not_found, forbidden */
  async get(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    withAncestors: boolean,
  ): Promise<ItemWithChildren> {
    const ids = await this.idsFor(actor, selector, id, 'content.read');
    return withEtag(
      await this.items.withChildren({ ...ids, callerId: actor.id }, id, withAncestors),
    );
  }

  /** @throws DomainError bad_request: no workspace; not_found, forbidden */
  async getBySlug(
    actor: Actor,
    selector: WorkspaceSelector,
    slug: string,
    withAncestors: boolean,
  ): Promise<ItemWithChildren> {
    const ids = idsOf(await this.workspaceFor(actor, selector, 'content.read'));
    return withEtag(
      await this.items.withChildrenBySlug({ ...ids, callerId: actor.id }, slug, withAncestors),
    );
  }

  /** @throws DomainError not_found, forbidden, conflict, unprocessable_entity */
  async update(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    changes: ItemChanges,
  ): Promise<ItemWithChildren> {
    const ids = await this.idsFor(actor, selector, id, 'content.write');
    const answer = await this.writer.run(ids, { kind: 'update', id, changes });
    const [item] = answer.items as [Item];
    // Read later than the ETag, never earlier: a child that changed in between makes it stale.
    const by = { ...ids, callerId: actor.id };
    const children = item.object === 'collection' ? await this.childrenAfterWrite(by, id) : [];
    return { item, children, etag: answer.etag as string };
  }

  /** The change is committed: a failure of this read must not be taken for a change that failed. */
  private childrenAfterWrite(by: Parameters<ItemsRepository['children']>[0], id: string) {
    return this.items.children(by, id).catch((error: unknown) => {
      throw outcomeUnknown(error);
    });
  }

  /** Deletes an item with all below it. @throws DomainError not_found, forbidden, conflict */
  async delete(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    ifMatch: string | undefined,
  ): Promise<void> {
    const ids = await this.idsFor(actor, selector, id, 'content.write');
    await this.writer.run({ ...ids, callerId: actor.id }, { kind: 'delete', id, ifMatch });
  }

  private async workspaceFor(
    actor: Actor,
    { team, workspaceSlug }: WorkspaceSelector,
    action: WorkspaceAction,
  ): Promise<Workspace> {
    const isNamed = team.slug !== undefined || team.id !== undefined;
    if (!isNamed || workspaceSlug === undefined) {
      throw noWorkspaceNamed();
    }
    return this.workspaces.forAction(actor, { team, slug: workspaceSlug }, action);
  }

  /** The workspace of an item, where the caller may do this. A workspace that is named must hold it. */
  private async idsFor(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    action: WorkspaceAction,
  ): Promise<WorkspaceIds> {
    const { team, workspaceSlug } = selector;
    if ((team.slug !== undefined || team.id !== undefined) && workspaceSlug !== undefined) {
      return idsOf(await this.workspaceFor(actor, selector, action));
    }
    const found = await this.items.find(id, actor.id);
    const isContradiction = found !== null && namesTwoTeams(selector, found);
    if (!found || !(holds(selector, found) || isContradiction)) throw notFound(WHAT);
    enforce(action, found.access, WHAT);
    if (isContradiction) throw otherTeam();
    return found;
  }
}

/** @throws DomainError not_found */
function withEtag(found: ReadItem | null): ItemWithChildren {
  if (!found) throw notFound(WHAT);
  const { item, children, ancestors } = found;
  const versions = children.map(({ id, version }) => `;${id}:${version}`).join('');
  return { ...found, etag: etagOf(item, versions, ancestors) };
}

const idsOf = ({ id, teamId }: WorkspaceKey): WorkspaceIds => ({ workspaceId: id, teamId });

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

/** True where slug and id of a team contradict each other, as one of them is the item's. */
const namesTwoTeams = ({ team }: WorkspaceSelector, { teamSlug, teamId }: FoundItem): boolean =>
  team.slug !== undefined &&
  team.id !== undefined &&
  (team.slug === teamSlug) !== (team.id === teamId);

/** A workspace that is named must hold the item. */
function holds({ team, workspaceSlug }: WorkspaceSelector, found: FoundItem): boolean {
  return (
    (team.slug === undefined || team.slug === found.teamSlug) &&
    (team.id === undefined || team.id === found.teamId) &&
    (workspaceSlug === undefined || workspaceSlug === found.workspaceSlug)
  );
}
