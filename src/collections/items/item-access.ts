import { Injectable } from '@nestjs/common';
import { combineReads, type PartialRead } from '@teamspaces/pg-lanes/statements';
import { enforce } from '../../access/decide.js';
import type { WorkspaceAction } from '../../access/roles.js';
import type { Actor } from '../../auth/actor.js';
import { DomainError, type Missing, notFound, outcomeUnknown } from '../../errors/domain-error.js';
import { otherTeam } from '../../teams/errors.js';
import type { TeamRef } from '../../teams/team.js';
import type { Workspace, WorkspaceKey, WorkspaceRef } from '../../workspaces/workspace.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { ITEM, noWorkspaceNamed } from '../errors.js';
import type {
  AuthorizeWorkspace,
  Item,
  ListedChild,
  WorkspaceIds,
  WorkspaceSelector,
} from './collection.js';
import { type FoundItem, IN_WORKSPACE, ItemsRepository } from './items.repository.js';

/** Finds the workspaces that requests are about, and decides on access to them. */
@Injectable()
export class ItemAccess {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly items: ItemsRepository,
  ) {}

  /**
   * The workspace that a request names, for an action.
   * @throws DomainError bad_request: it names none; not_found, forbidden
   */
  async workspaceFor(
    actor: Actor,
    selector: WorkspaceSelector,
    action: WorkspaceAction,
  ): Promise<Workspace> {
    return this.workspaces.forAction(actor, refOf(selector), action);
  }

  /**
   * The workspace of something that has an id, for an action. One that is named must hold it, which is seen
   * when it is looked up there.
   * @param what names it in messages
   * @param find finds it if no workspace is named
   * @throws DomainError not_found, forbidden
   */
  async workspaceOf(
    actor: Actor,
    selector: WorkspaceSelector,
    action: WorkspaceAction,
    what: Missing,
    find: () => Promise<FoundItem | null>,
  ): Promise<WorkspaceIds> {
    if (selector.workspace) {
      const named = this.workspaceFor(actor, selector, action);
      return idsOf(await named.catch(refusedIfThere(selector, action, what, find)));
    }
    return authorized(selector, await find(), action, what);
  }

  /** The workspace that a request names, for a command. @throws DomainError bad_request: it names none */
  named(actor: Actor, selector: WorkspaceSelector, action: WorkspaceAction): AuthorizeWorkspace {
    const ref = refOf(selector);
    return async (reads) => {
      const read = reads.length > 0 ? combineReads(IN_WORKSPACE, reads) : undefined;
      const rows = await this.workspaces.readForAction(actor, ref, action, read);
      return { ...idsOf(rows[0]), rows };
    };
  }

  /**
   * Does something with an item in its workspace; if it is not found there, since it was transferred
   * meanwhile, again in the one that it is in now, if the caller may (decisions 11.3).
   * @throws DomainError as workspaceOf(), or what `use` throws
   */
  withItem<T>(
    actor: Actor,
    selector: WorkspaceSelector,
    id: string,
    action: WorkspaceAction,
    use: (authorize: AuthorizeWorkspace) => Promise<T>,
  ): Promise<T> {
    const find = async () => (await this.items.find(id, actor.id))[0] ?? null;
    if (selector.workspace) {
      const named = this.named(actor, selector, action);
      return use((reads) => named(reads).catch(refusedIfThere(selector, action, ITEM, find)));
    }
    const authorize: AuthorizeWorkspace = async (reads) => {
      const rows = await this.items.find(id, actor.id, reads);
      const { teamId, workspaceId } = authorized(selector, rows[0] ?? null, action, ITEM);
      return { teamId, workspaceId, rows };
    };
    return retryIfTransferred(authorize, use);
  }

  /**
   * Reads the direct children of an item whose change is committed: a failure of this read must not be taken
   * for a change that failed. Returns null if there are more than the response to a write shows.
   * @throws DomainError internal_server_error: the outcome is unknown
   */
  childrenFor({ id: callerId }: Actor): (item: Item) => Promise<readonly ListedChild[] | null> {
    return (item) =>
      this.items.childrenWritten({ ...item, callerId }, item.id).catch((error: unknown) => {
        throw outcomeUnknown(error);
      });
  }
}

/** Tries of an item that is found in a workspace, and then not by what uses it. */
const MAX_RETRIES = 5;

/**
 * Uses the workspace of an item, which it finds; if the item is not found there, the one that it is in now. That
 * may be the same: the item was transferred, and came back before it was looked up again.
 */
export async function retryIfTransferred<Target extends WorkspaceIds, T>(
  find: (reads: readonly PartialRead[]) => Promise<Target>,
  use: (find: (reads: readonly PartialRead[]) => Promise<Target>) => Promise<T>,
): Promise<T> {
  let target = null as Target | null;
  let next = async (reads: readonly PartialRead[]) => {
    target = await find(reads);
    return target;
  };
  for (let returns = 0; ; ) {
    try {
      return await use(next);
    } catch (error) {
      const isMissing = error instanceof DomainError && error.code === 'not_found';
      if (!isMissing || target === null) throw error;
      const before = target.workspaceId;
      const found = await find([]);
      target = found;
      next = async (reads) => {
        // What else is to be read was not.
        target = reads.length > 0 ? await find(reads) : found;
        return target;
      };
      if (found.workspaceId !== before) continue;
      const isItem = error.message === notFound(ITEM).message;
      if (!isItem || ++returns === MAX_RETRIES) throw error;
    }
  }
}

/** A request names a workspace by its slug, together with the slug or the id of its team. */
export function selectorOf(team: TeamRef, slug: string | undefined): WorkspaceSelector {
  const isNamed = slug !== undefined && (team.slug !== undefined || team.id !== undefined);
  return { team, workspaceSlug: slug, workspace: isNamed ? { team, slug } : null };
}

/** @throws DomainError bad_request: no workspace is named */
export function refOf({ workspace }: WorkspaceSelector): WorkspaceRef {
  if (workspace === null) throw noWorkspaceNamed();
  return workspace;
}

/**
 * What was found by its id, with its workspace, if the caller may do this there.
 * @param what names it in messages
 * @throws DomainError not_found, forbidden; bad_request: the request names two teams
 */
export function authorized<Found extends FoundItem>(
  selector: WorkspaceSelector,
  found: Found | null,
  action: WorkspaceAction,
  what: Missing,
): Found {
  const isContradiction = found !== null && namesTwoTeams(selector, found);
  if (!found || !(holds(selector, found) || isContradiction)) throw notFound(what);
  enforce(action, found, what);
  if (isContradiction) throw otherTeam();
  return found;
}

/** An archived workspace refuses with 409 what is there: what is not is 404 in it, too (decisions 5.6). */
const refusedIfThere =
  (
    selector: WorkspaceSelector,
    action: WorkspaceAction,
    what: Missing,
    find: () => Promise<FoundItem | null>,
  ) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof DomainError && error.code === 'conflict') {
      authorized(selector, await find(), action, what);
    }
    throw error;
  };

/** For a workspace whose access was decided before. */
export const alreadyAuthorized =
  (ids: WorkspaceIds): AuthorizeWorkspace =>
  async () => ({ ...ids, rows: null });

export const idsOf = ({ id, teamId }: WorkspaceKey): WorkspaceIds => ({ workspaceId: id, teamId });

export const keyOf = ({ workspaceId, teamId }: WorkspaceIds): WorkspaceKey => ({
  id: workspaceId,
  teamId,
});

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
