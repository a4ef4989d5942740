import { Injectable } from '@nestjs/common';
import { decide, standingOf, type WorkspaceFacts } from '../access/decide.js';
import { enforce, enforceTeam } from '../access/enforce.js';
import type { WorkspaceAction } from '../access/table.js';
import type { Actor } from '../auth/actor.js';
import { notFound } from '../errors/domain-error.js';
import type { TeamRef } from '../teams/team.js';
import { assertSameTeam, TeamsService } from '../teams/teams.service.js';
import type { NewWorkspace, Workspace, WorkspaceChanges, WorkspaceRef } from './workspace.js';
import { WorkspaceWritesRepository } from './workspace-writes.repository.js';
import { type WorkspaceRow, WorkspacesRepository } from './workspaces.repository.js';

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesRepository,
    private readonly writes: WorkspaceWritesRepository,
    private readonly teams: TeamsService,
  ) {}

  /**
   * Loads a workspace for an action: the only way to a workspace from outside.
   * @throws DomainError not_found, forbidden; bad_request where teamId and team_slug differ
   */
  async forAction(actor: Actor, ref: WorkspaceRef, action: WorkspaceAction): Promise<Workspace> {
    const found = await this.workspaces.find(ref, actor.id);
    if (!found) throw notFound('team');
    enforceTeam('team.read', found.teamRole);
    assertSameTeam(ref.team, found.teamId);
    if (!found.workspace || !found.facts) throw notFound('workspace');
    enforce(action, found.facts, 'workspace');
    return toWorkspace(found.workspace, found.facts);
  }

  /** The workspaces that the caller can see, oldest first. @throws DomainError as forAction() */
  async list(actor: Actor, team: TeamRef): Promise<Workspace[]> {
    const found = await this.workspaces.list(team, actor.id);
    if (!found?.[0]) throw notFound('team');
    enforceTeam('workspace.list', found[0].teamRole);
    assertSameTeam(team, found[0].teamId);
    return found.flatMap(({ workspace, facts }) =>
      workspace && facts && decide('workspace.read', facts) === 'allow'
        ? [toWorkspace(workspace, facts)]
        : [],
    );
  }

  /** @throws DomainError forbidden: role, or plan limit; not_found: team */
  async create(actor: Actor, ref: TeamRef, given: NewWorkspace): Promise<Workspace> {
    const team = await this.teams.forAction(actor, ref, 'workspace.create');
    const row = await this.writes.create(team.id, actor.id, given);
    return toWorkspace(row, { ...factsOf(row), teamRole: team.role, workspaceRole: 'editor' });
  }

  /** @throws DomainError forbidden, not_found; conflict: slug taken */
  async update(actor: Actor, ref: WorkspaceRef, changes: WorkspaceChanges): Promise<Workspace> {
    const workspace = await this.forAction(actor, ref, 'workspace.update');
    if (Object.values(changes).every((value) => value === undefined)) return workspace;
    const row = await this.writes.update(workspace, actor.id, changes);
    // A change of the settings may change what the caller has: read it again.
    return this.forAction(actor, { team: { id: row.team_id }, slug: row.slug }, 'workspace.read');
  }

  /** Deletes the workspace with all in it. @throws DomainError forbidden, not_found */
  async delete(actor: Actor, ref: WorkspaceRef): Promise<void> {
    await this.writes.delete(await this.forAction(actor, ref, 'workspace.delete'));
  }
}

const factsOf = (row: WorkspaceRow) => ({
  visibility: row.visibility,
  defaultAccess: row.default_access,
});

/** @param facts of a caller who may see the workspace */
export function toWorkspace(row: WorkspaceRow, facts: WorkspaceFacts): Workspace {
  return {
    id: row.id,
    teamId: row.team_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    defaultAccess: row.default_access,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    treeStamp: row.tree_stamp,
    access: standingOf(facts) === 'full' ? 'full' : 'read-only',
  };
}
