import { Injectable } from '@nestjs/common';
import { enforceGivingUpRole } from '../../access/decide.js';
import type { WorkspaceRole } from '../../access/roles.js';
import { type NewEntry, onUser, record } from '../../audit/audit-entries.repository.js';
import type { Actor } from '../../auth/actor.js';
import { isSameEmail, serviceAddress } from '../../auth/email.js';
import { Database, type Transaction } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import type { Listed, PageRequest } from '../../http/pagination.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import {
  findMembersByEmail,
  type TeamMemberWithEmail,
} from '../../teams/members/team-members.repository.js';
import { lastEditor, unclearEmails } from '../errors.js';
import type { FoundWorkspace, WorkspaceRef } from '../workspace.js';
import { WorkspacesService } from '../workspaces.service.js';
import {
  hasEditor,
  membersOf,
  type NewWorkspaceMember,
  type RoleInWorkspace,
  removeFromWorkspace,
  roleInWorkspace,
  rolesByEmail,
  setWorkspaceRoles,
  WORKSPACE_MEMBERS,
  type WorkspaceMember,
  type WorkspaceMemberRow,
} from './workspace-members.repository.js';

/** Who has a role of their own in a workspace. */
@Injectable()
export class WorkspaceMembersService {
  constructor(
    private readonly database: Database,
    private readonly workspaces: WorkspacesService,
  ) {}

  /** The longest-standing first. @throws DomainError not_found, forbidden */
  list(actor: Actor, ref: WorkspaceRef, page: PageRequest): Promise<Listed<WorkspaceMember>> {
    return this.workspaces.listForAction(
      actor,
      ref,
      'workspace.listMembers',
      WORKSPACE_MEMBERS,
      page,
      ({ userId, at, name, email, image, role }: WorkspaceMemberRow) =>
        userId === null ? null : { id: userId, at, name, email, image, role },
    );
  }

  /**
   * Gives roles to team members, to all or to none; those who have one get the new one.
   * @param people no email twice, letter case aside
   * @returns everyone who has a role afterwards
   * @throws DomainError not_found, forbidden; unprocessable_entity: an email is not that of exactly
   *   one team member; conflict: it would take the last editor of a private workspace
   */
  async add(
    actor: Actor,
    ref: WorkspaceRef,
    people: NewWorkspaceMember[],
    write: IdempotentWrite<WorkspaceMember[]> | null,
  ): Promise<WorkspaceMember[]> {
    const { id, teamId } = await this.workspaces.forAction(actor, ref, 'workspace.read');
    const work = withIdempotencyKey(write, { teamId, workspaceId: id }, async (tx) => {
      const workspace = { id, teamId };
      const emails = people.map(({ email }) => email);
      const [found, members, before] = await Promise.all([
        this.workspaces.lockForAction(tx, actor, workspace, 'workspace.manageMembers'),
        findMembersByEmail(tx, teamId, emails),
        rolesByEmail(tx, workspace, emails),
      ]);
      const roles = identify(members, people);
      setWorkspaceRoles(tx, workspace, roles);
      record(tx, teamId, actor, ...roles.flatMap((role) => roleEntries(id, role, before)));
      const [all] = await Promise.all([
        membersOf(tx, workspace),
        this.assertKeepsEditor(tx, found),
      ]);
      return all;
    });
    return this.database.transaction(work, { callerId: actor.id, teamId });
  }

  /** @throws DomainError not_found: workspace or member; forbidden; conflict: the last editor */
  async changeRole(
    actor: Actor,
    ref: WorkspaceRef,
    userId: string,
    role: WorkspaceRole,
  ): Promise<void> {
    const workspace = await this.workspaces.forAction(actor, ref, 'workspace.manageMembers');
    const by = { callerId: actor.id, teamId: workspace.teamId };
    await this.database.transaction(async (tx) => {
      const [found, before] = await Promise.all([
        this.workspaces.lockForAction(tx, actor, workspace, 'workspace.manageMembers'),
        roleInWorkspace(tx, workspace, userId),
      ]);
      if (before === null) throw notFound('member');
      setWorkspaceRoles(tx, workspace, [{ userId, role }]);
      const entries = roleEntries(workspace.id, { userId, role }, [{ userId, role: before }]);
      record(tx, workspace.teamId, actor, ...entries);
      await this.assertKeepsEditor(tx, found);
    }, by);
  }

  /**
   * Everyone may give up their own role, unless they could do more without it: that requires somebody
   * who manages the workspace.
   * @throws DomainError as changeRole()
   */
  async remove(actor: Actor, ref: WorkspaceRef, userId: string): Promise<void> {
    const action = userId === actor.id ? 'workspace.leave' : 'workspace.manageMembers';
    const workspace = await this.workspaces.forAction(actor, ref, action);
    const by = { callerId: actor.id, teamId: workspace.teamId };
    await this.database.transaction(async (tx) => {
      const [found, before] = await Promise.all([
        this.workspaces.lockForAction(tx, actor, workspace, action),
        roleInWorkspace(tx, workspace, userId),
      ]);
      if (before === null) throw notFound('member');
      if (userId === actor.id) enforceGivingUpRole(found);
      removeFromWorkspace(tx, workspace, userId);
      record(tx, workspace.teamId, actor, {
        action: 'workspace_member.removed',
        ...onUser(userId, workspace.id),
        details: { role: before },
      });
      await this.assertKeepsEditor(tx, found);
    }, by);
  }

  /** To be called after the change. @throws DomainError conflict: it took the last editor */
  private async assertKeepsEditor(tx: Transaction, workspace: FoundWorkspace): Promise<void> {
    if (workspace.visibility === 'public' || (await hasEditor(tx, workspace))) return;
    throw lastEditor();
  }
}

/** What the audit log says of a role that somebody is given in a workspace; nothing if they have it. */
function roleEntries(
  workspaceId: string,
  { userId, role }: RoleInWorkspace,
  before: RoleInWorkspace[],
): NewEntry[] {
  const about = onUser(userId, workspaceId);
  const former = before.find((known) => known.userId === userId)?.role;
  if (former === role) return [];
  if (former === undefined) {
    return [{ action: 'workspace_member.added', ...about, details: { role } }];
  }
  const details = { from: former, to: role };
  return [{ action: 'workspace_member.role_changed', ...about, details }];
}

/**
 * True where the email is the member's: a token that says `email_verified: false` only claims it,
 * and a service has the address that was made for it.
 */
const ownsEmail = ({ id, email, emailVerified }: TeamMemberWithEmail): boolean =>
  emailVerified || email === serviceAddress(id);

/**
 * The users with these emails. An email that a token only claims is nobody's.
 * @throws DomainError unprocessable_entity naming the emails of nobody, or of several
 */
function identify(members: TeamMemberWithEmail[], people: NewWorkspaceMember[]): RoleInWorkspace[] {
  const owners = members.filter(ownsEmail);
  const unclear: string[] = [];
  const roles = people.flatMap(({ email, role }) => {
    const [member, ...others] = owners.filter((owner) => isSameEmail(owner.email, email));
    if (member && others.length === 0) return [{ userId: member.id, role }];
    unclear.push(email);
    return [];
  });
  if (unclear.length > 0) throw unclearEmails(unclear);
  return roles;
}
