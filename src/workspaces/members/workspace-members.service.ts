import { Injectable } from '@nestjs/common';
import type { WorkspaceRole } from '../../access/roles.js';
import type { WorkspaceAction } from '../../access/table.js';
import type { Actor } from '../../auth/actor.js';
import type { WorkspaceRef } from '../workspace.js';
import { WorkspacesService } from '../workspaces.service.js';
import type { NewWorkspaceMember, WorkspaceMember } from './workspace-member.js';
import { type RoleChange, WorkspaceMembersRepository } from './workspace-members.repository.js';

/** Who has a role of their own in a workspace. */
@Injectable()
export class WorkspaceMembersService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly members: WorkspaceMembersRepository,
  ) {}

  /** The longest-standing first. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: WorkspaceRef): Promise<WorkspaceMember[]> {
    const workspace = await this.workspaces.forAction(actor, ref, 'workspace.listMembers');
    return this.members.list(workspace.id);
  }

  /**
   * Gives roles to team members, to all or to none.
   * @returns everyone who has a role afterwards
   * @throws DomainError not_found, forbidden; unprocessable_entity: someone is not in the team;
   *   conflict: it would take the last editor of a private workspace
   */
  async add(
    actor: Actor,
    ref: WorkspaceRef,
    people: NewWorkspaceMember[],
  ): Promise<WorkspaceMember[]> {
    const change = await this.mayChange(actor, ref, 'workspace.manageMembers');
    await this.members.add(change, people);
    return this.members.list(change.workspace.id);
  }

  /** @throws DomainError not_found: workspace or member; forbidden; conflict: the last editor */
  async changeRole(
    actor: Actor,
    ref: WorkspaceRef,
    userId: string,
    role: WorkspaceRole,
  ): Promise<void> {
    const change = await this.mayChange(actor, ref, 'workspace.manageMembers');
    await this.members.changeRole(change, userId, role);
  }

  /** Everyone may give up their own role. @throws DomainError as changeRole() */
  async remove(actor: Actor, ref: WorkspaceRef, userId: string): Promise<void> {
    const action = userId === actor.id ? 'workspace.leave' : 'workspace.manageMembers';
    const change = await this.mayChange(actor, ref, action);
    await this.members.remove(change, userId);
  }

  private async mayChange(
    actor: Actor,
    ref: WorkspaceRef,
    action: WorkspaceAction,
  ): Promise<RoleChange> {
    const workspace = await this.workspaces.forAction(actor, ref, action);
    return { workspace, actorId: actor.id, action };
  }
}
