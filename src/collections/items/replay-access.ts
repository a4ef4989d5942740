import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { TeamAction } from '../../access/roles.js';
import type { Actor } from '../../auth/actor.js';
import { DomainError } from '../../errors/domain-error.js';
import type { CurrentAccess } from '../../idempotency/idempotency.guard.js';
import {
  itemIdIn,
  type KeyScope,
  lacksContent,
  withContent,
} from '../../idempotency/idempotent-write.js';
import { TeamsService } from '../../teams/teams.service.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import { MAX_CHILDREN_WRITTEN } from '../limits.js';
import { type WorkspaceSelector } from './collection.js';
import { serializeReadItem } from './collection.wire.js';
import { selectorOf } from './item-access.js';
import { ItemsService } from './items.service.js';

/** What the caller of a replay may see now, asked of the domains. */
@Injectable()
export class ReplayAccess implements CurrentAccess {
  constructor(
    private readonly teams: TeamsService,
    private readonly workspaces: WorkspacesService,
    private readonly items: ItemsService,
  ) {}

  async readableScope(
    actor: Actor,
    request: FastifyRequest,
    stored: KeyScope,
    read: TeamAction,
  ): Promise<KeyScope> {
    const named = await this.readableWorkspace(actor, request, stored, read);
    const { teamId, targetWorkspaceId } = stored;
    if (!teamId || !targetWorkspaceId) return named;
    const { workspace_slug: slug } = (request.body ?? {}) as { workspace_slug?: string };
    // Without a slug it is the workspace that was checked already.
    if (slug === undefined) return { ...named, targetWorkspaceId };
    const ref = { team: { id: teamId }, slug };
    const target = await this.workspaces.forAction(actor, ref, 'workspace.read');
    return { ...named, targetWorkspaceId: target.id };
  }

  private async readableWorkspace(
    actor: Actor,
    request: FastifyRequest,
    { teamId, workspaceId }: KeyScope,
    read: TeamAction,
  ): Promise<KeyScope> {
    const { team, workspace } = selectorIn(request);
    if (workspace) {
      const { id, teamId } = await this.workspaces.forAction(actor, workspace, 'workspace.read');
      return { teamId, workspaceId: id };
    }
    if (teamId !== null && workspaceId !== null) {
      await this.workspaces.forActionById(actor, { teamId, id: workspaceId }, 'workspace.read');
      if (team.slug === undefined && team.id === undefined) return { teamId, workspaceId };
    } else if (team.slug === undefined) return { teamId: null, workspaceId: null };
    const { id } = await this.teams.forAction(actor, team, read);
    return { teamId: id, workspaceId: teamId && workspaceId };
  }

  /**
   * Content and children as getCollection returns them now, none if that is an error, and no children if they are more
   * than the response to a write shows; the team's code.
   */
  async asSeenNow(actor: Actor, response: string): Promise<string> {
    if (lacksContent(response)) {
      const id = itemIdIn(response);
      const anywhere = selectorOf({}, undefined);
      const read = this.items.get(actor, anywhere, id, false, MAX_CHILDREN_WRITTEN);
      const found = await orNull(read);
      if (!found) return response;
      return withContent(response, String(await serializeReadItem(found)));
    }
    if (!response.includes('"inviteCode":"')) return response;
    // Those see the invite code of a Team who would see it there now; for others it is ''.
    const body = JSON.parse(response) as { _id?: string; inviteCode?: string };
    if (!body.inviteCode || body._id === undefined) return response;
    const team = await orNull(this.teams.forAction(actor, { id: body._id }, 'team.read'));
    return team?.inviteCode ? response : JSON.stringify({ ...body, inviteCode: '' });
  }
}

/** null: the caller would get an error. */
const orNull = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });

/**
 * The team and the workspace that a request names: in its path, or in the query of the short form of
 * collections. The same request has succeeded before, so all of it is well-formed.
 */
function selectorIn({ params, query, routeOptions }: FastifyRequest): WorkspaceSelector {
  const { teamId, ...inQuery } = query as Record<string, string | undefined>;
  const isShort = routeOptions.url?.startsWith('/collections');
  const { team_slug, workspace_slug } = (isShort ? inQuery : params) as typeof inQuery;
  return selectorOf({ slug: team_slug, id: teamId }, workspace_slug);
}
