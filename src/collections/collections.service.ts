import { Injectable } from '@nestjs/common';
import { enforce } from '../access/enforce.js';
import type { WorkspaceAction } from '../access/table.js';
import type { Actor } from '../auth/actor.js';
import { badRequest, notFound, unprocessable } from '../errors/domain-error.js';
import type { Workspace } from '../workspaces/workspace.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type {
  Item,
  ItemChanges,
  ItemWithChildren,
  Move,
  NewItem,
  Place,
  Tree,
  TreeQuery,
} from './collection.js';
import { CollectionsRepository, type FoundItem } from './collections.repository.js';
import { TreeRepository } from './tree.repository.js';
import { TreeWritesRepository } from './tree-writes.repository.js';

const WHAT = 'collection or page';

@Injectable()
export class CollectionsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly collections: CollectionsRepository,
    private readonly tree: TreeRepository,
    private readonly writes: TreeWritesRepository,
  ) {}

  /** @throws DomainError bad_request: no place, cursor; not_found, forbidden; unprocessable_entity */
  async list(actor: Actor, place: Place, query: TreeQuery): Promise<Tree> {
    return this.tree.read(await this.workspaceFor(actor, place, 'content.read'), query);
  }

  /** @throws DomainError bad_request: no place; not_found, forbidden, unprocessable_entity */
  async create(actor: Actor, place: Place, given: NewItem): Promise<Item> {
    const workspace = await this.workspaceFor(actor, place, 'content.write');
    if (given.object === 'collection' && given.content !== null) {
      throw unprocessable('content can only be given for a page (object item)');
    }
    const content = given.object === 'item' ? (given.content ?? '{}') : null;
    return this.writes.create(whereIs(workspace), { ...given, content });
  }

  /** @throws DomainError bad_request: no place; not_found, forbidden, conflict, unprocessable_entity */
  async reorder(actor: Actor, place: Place, move: Move): Promise<void> {
    const workspace = await this.workspaceFor(actor, place, 'content.write');
    await this.writes.move(whereIs(workspace), move);
  }

  /** @throws DomainError not_found, forbidden */
  async get(actor: Actor, place: Place, id: string): Promise<ItemWithChildren> {
    const { item, etag } = await this.itemFor(actor, place, id, 'content.read');
    if (etag !== null) return { item, children: [], etag };
    const found = await this.collections.withChildren(item);
    if (!found) throw notFound(WHAT);
    return found;
  }

  /** @throws DomainError not_found, forbidden, conflict, unprocessable_entity */
  async update(
    actor: Actor,
    place: Place,
    id: string,
    changes: ItemChanges,
  ): Promise<ItemWithChildren> {
    const { item } = await this.itemFor(actor, place, id, 'content.write');
    const updated = await this.writes.update(item, item.id, changes);
    // Read later than the ETag, never earlier: a child that changed in between makes it stale.
    const children = item.object === 'collection' ? await this.collections.children(item) : [];
    return { ...updated, children };
  }

  /** @throws DomainError not_found, forbidden, conflict */
  async delete(actor: Actor, place: Place, id: string, ifMatch: string | undefined): Promise<void> {
    const { item } = await this.itemFor(actor, place, id, 'content.write');
    await this.writes.delete(item, item.id, ifMatch);
  }

  private workspaceFor(actor: Actor, place: Place, action: WorkspaceAction): Promise<Workspace> {
    const { team, workspaceSlug } = place;
    if (!isNamed(place) || workspaceSlug === undefined) {
      throw badRequest('team_slug (or teamId) and workspace_slug must be given in the query');
    }
    return this.workspaces.forAction(actor, { team, slug: workspaceSlug }, action);
  }

  private async itemFor(
    actor: Actor,
    place: Place,
    id: string,
    action: WorkspaceAction,
  ): Promise<FoundItem> {
    // Where a workspace is named in full, its own answer comes first: 403 to those outside the team.
    if (isNamed(place)) await this.workspaceFor(actor, place, action);
    const found = await this.collections.find(id, actor.id);
    const isContradiction = found !== null && namesTwoTeams(place, found);
    if (!found || !(holds(place, found) || isContradiction)) throw notFound(WHAT);
    enforce(action, found.facts, WHAT);
    if (isContradiction) throw badRequest('teamId must be the id of the team that team_slug names');
    return found;
  }
}

const whereIs = ({ id, teamId }: Workspace) => ({ workspaceId: id, teamId });

/** True when the request names a workspace, and the team it is in. */
const isNamed = ({ team, workspaceSlug }: Place): boolean =>
  (team.slug !== undefined || team.id !== undefined) && workspaceSlug !== undefined;

/** True where slug and id of a team contradict each other, as one of them is the item's. */
const namesTwoTeams = ({ team }: Place, { teamSlug, item }: FoundItem): boolean =>
  team.slug !== undefined &&
  team.id !== undefined &&
  (team.slug === teamSlug) !== (team.id === item.teamId);

/** A place that is named must hold the item (decisions, section 6.1). */
function holds({ team, workspaceSlug }: Place, found: FoundItem): boolean {
  return (
    (team.slug === undefined || team.slug === found.teamSlug) &&
    (team.id === undefined || team.id === found.item.teamId) &&
    (workspaceSlug === undefined || workspaceSlug === found.workspaceSlug)
  );
}
