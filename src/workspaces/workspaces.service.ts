import { Injectable } from '@nestjs/common';
import { decide } from '../access/decide.js';
import { enforce, enforceTeam } from '../access/enforce.js';
import type { WorkspaceAction } from '../access/table.js';
import type { Actor } from '../auth/actor.js';
import { Database, type Transaction } from '../database/database.js';
import { notFound } from '../errors/domain-error.js';
import { withIdempotencyKey } from '../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../idempotency/idempotent-write.js';
import { takeMembershipLock } from '../teams/membership-lock.repository.js';
import { limitReached, type TeamRef } from '../teams/team.js';
import { TeamUsageRepository } from '../teams/team-usage.repository.js';
import { assertSameTeam, TeamsService } from '../teams/teams.service.js';
import { WorkspaceMembersRepository } from './members/workspace-members.repository.js';
import { slugsFor } from './slug.js';
import {
  accessIn,
  asSeenIn,
  type FoundWorkspace,
  type ListedWorkspace,
  type NewWorkspace,
  type Workspace,
  type WorkspaceChanges,
  type WorkspaceKey,
  type WorkspaceRef,
} from './workspace.js';
import { lockWorkspace } from './workspace-lock.repository.js';
import { WorkspaceReadsRepository } from './workspace-reads.repository.js';
import { WorkspacesRepository } from './workspaces.repository.js';

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly database: Database,
    private readonly reads: WorkspaceReadsRepository,
    private readonly workspaces: WorkspacesRepository,
    private readonly members: WorkspaceMembersRepository,
    private readonly teams: TeamsService,
    private readonly usage: TeamUsageRepository,
  ) {}

  /**
   * Loads a workspace for an action: the only way to a workspace from outside.
   * @throws DomainError not_found, forbidden; bad_request where teamId and team_slug differ
   */
  async forAction(actor: Actor, ref: WorkspaceRef, action: WorkspaceAction): Promise<Workspace> {
    const found = await this.reads.find(ref, actor.id);
    if (!found) throw notFound('team');
    enforceTeam('team.read', found.teamRole);
    assertSameTeam(ref.team, found.teamId);
    return asSeenIn(authorized(found.workspaces[0], action));
  }

  /**
   * Takes the membership lock of the team and loads the workspace for an action as it is then:
   * what was read before the lock may have changed since.
   * @throws DomainError not_found, forbidden
   */
  async lockForAction(
    tx: Transaction,
    actor: Actor,
    workspace: WorkspaceKey,
    action: WorkspaceAction,
  ): Promise<FoundWorkspace> {
    await takeMembershipLock(tx, workspace.teamId);
    return authorized(await this.workspaces.find(tx, workspace, actor.id), action);
  }

  /** The workspaces that the caller can see, oldest first. @throws DomainError as forAction() */
  async list(actor: Actor, team: TeamRef): Promise<ListedWorkspace[]> {
    const found = await this.reads.list(team, actor.id);
    if (!found) throw notFound('team');
    enforceTeam('workspace.list', found.teamRole);
    assertSameTeam(team, found.teamId);
    return found.workspaces
      .filter((workspace) => decide('workspace.read', workspace) === 'allow')
      .map((workspace) => ({ json: workspace.json, access: accessIn(workspace) }));
  }

  /**
   * Makes a workspace whose first editor is the caller.
   * @throws DomainError forbidden: role, or plan limit; not_found: team
   */
  async create(
    actor: Actor,
    ref: TeamRef,
    given: NewWorkspace,
    write: IdempotentWrite<Workspace> | null,
  ): Promise<Workspace> {
    const { id } = await this.teams.forAction(actor, ref, 'team.read');
    const work = withIdempotencyKey(write, { teamId: id }, async (tx) => {
      const team = await this.teams.lockForAction(tx, actor, id, 'workspace.create');
      const slug = await this.freeSlug(tx, id, given.name);
      const record = await this.workspaces.create(tx, team, { ...given, slug });
      const editor = { workspaceId: record.id, userId: actor.id, role: 'editor' as const };
      await this.members.setRoles(tx, id, [editor]);
      if (!(await this.usage.grow(tx, team, 'workspaces'))) throw limitReached(team, 'workspaces');
      const { visibility, defaultAccess } = record;
      const context = {
        teamRole: team.role,
        workspaceRole: 'editor' as const,
        visibility,
        defaultAccess,
      };
      return asSeenIn({ record, context });
    });
    return this.database.transaction(work, { callerId: actor.id, teamId: id });
  }

  /**
   * Changes what `changes` names. Whoever makes a workspace private becomes an editor of it.
   * @throws DomainError forbidden, not_found; conflict: slug taken
   */
  async update(actor: Actor, ref: WorkspaceRef, changes: WorkspaceChanges): Promise<Workspace> {
    const workspace = await this.forAction(actor, ref, 'workspace.update');
    const by = { callerId: actor.id, teamId: workspace.teamId };
    return this.database.transaction(async (tx) => {
      const found = await this.lockForAction(tx, actor, workspace, 'workspace.update');
      if (Object.values(changes).every((value) => value === undefined)) return asSeenIn(found);
      if (changes.visibility === 'private') {
        const editor = { workspaceId: workspace.id, userId: actor.id, role: 'editor' as const };
        await this.members.setRoles(tx, workspace.teamId, [editor]);
      }
      await this.workspaces.update(tx, found.record, changes);
      // The change of a setting may change what the caller can do: ask for it anew.
      return asSeenIn(
        authorized(await this.workspaces.find(tx, workspace, actor.id), 'workspace.read'),
      );
    }, by);
  }

  /** Deletes the workspace with all in it. @throws DomainError forbidden, not_found */
  async delete(actor: Actor, ref: WorkspaceRef): Promise<void> {
    const workspace = await this.forAction(actor, ref, 'workspace.delete');
    const by = { callerId: actor.id, teamId: workspace.teamId };
    await this.database.transaction(async (tx) => {
      await this.lockForAction(tx, actor, workspace, 'workspace.delete');
      await lockWorkspace(tx, workspace);
      const items = await this.workspaces.countItems(tx, workspace);
      await this.workspaces.delete(tx, workspace);
      await this.usage.shrink(tx, workspace.teamId, { ...items, workspaces: 1 });
    }, by);
  }

  /** Behind the membership lock nobody else takes the slug. */
  private async freeSlug(tx: Transaction, teamId: string, name: string): Promise<string> {
    for (;;) {
      const { wanted, fallback } = slugsFor(name);
      for (const slug of [wanted, fallback]) {
        if (!(await this.workspaces.hasSlug(tx, teamId, slug))) return slug;
      }
    }
  }
}

/** @throws DomainError not_found, forbidden */
function authorized(
  found: FoundWorkspace | null | undefined,
  action: WorkspaceAction,
): FoundWorkspace {
  if (!found) throw notFound('workspace');
  enforce(action, found.context, 'workspace');
  return found;
}
