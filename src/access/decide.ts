import { archived, forbidden, type Missing, notFound } from '../errors/domain-error.js';
import {
  type AccessLevel,
  EFFECTIVE_ACCESS,
  type EffectiveAccess,
  TEAM_ACTIONS,
  TEAM_ROLES,
  type TeamAction,
  type TeamRole,
  type Visibility,
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
  type WorkspaceRole,
  type WorkspaceState,
} from './roles.js';

/** `allow`, 403, 404, or 409: the workspace is archived. */
export type Decision = 'allow' | 'forbidden' | 'hidden' | 'archived';

/** Everything that decides on the caller's access to a workspace; `null` is a role not held. */
export interface AccessContext {
  teamRole: TeamRole | null;
  workspaceRole: WorkspaceRole | null;
  visibility: Visibility;
  defaultAccess: AccessLevel;
  archivedAt: Date | null;
  deletedAt: Date | null;
  /** For the refusal that names it. */
  workspaceName: string;
}

const NOT_MEMBER = 'you are not a member of this team: ask for an invite';

/**
 * Throws unless the caller may perform the team action.
 * @throws DomainError forbidden
 */
export function enforceTeam(
  action: TeamAction,
  role: TeamRole | null,
): asserts role is NonNullable<TeamRole> {
  if (role === null) throw forbidden(NOT_MEMBER);
  if (decideTeam(action, role) === 'allow') return;
  const needed = TEAM_ACTIONS[action];
  const roles = needed === 'owner' ? needed : `${needed} or above`;
  throw forbidden(`this requires the team role ${roles}: ask an owner of the team for it`);
}

/**
 * Throws unless the caller may perform the workspace action: 403, 404 or 409, as decide() says.
 * @param what names the thing in "… not found": the same text as for one that does not exist
 * @throws DomainError forbidden, not_found; conflict: the workspace is archived
 */
export function enforce(action: WorkspaceAction, context: AccessContext, what: Missing): void {
  const decision: Decision = decide(action, context);
  if (decision === 'allow') return;
  if (decision === 'hidden') throw notFound(what);
  if (decision === 'archived') throw archived(context.workspaceName);
  if (context.teamRole === null) throw forbidden(NOT_MEMBER);
  throw forbidden(
    WORKSPACE_ACTIONS[action].requires === 'manage'
      ? 'this requires the workspace role editor: ask one of its editors for it'
      : 'you have read-only access to this workspace: ask one of its editors for the role editor',
  );
}

/**
 * Throws unless somebody may give up their own workspace role.
 * @throws DomainError forbidden
 */
export function enforceGivingUpRole(context: AccessContext): void {
  if (mayGiveUpRole(context)) return;
  throw forbidden(
    'without the role reader you could do more in this workspace: ask one of its editors to remove it',
  );
}

/**
 * Throws unless someone may manage people who have, or are to get, these roles.
 * @throws DomainError forbidden
 */
export function enforceCanManage(actor: TeamRole, roles: readonly TeamRole[]): void {
  if (canManage(actor, roles)) return;
  throw forbidden('this requires the team role owner: others manage only people below moderator');
}

/**
 * Decides a team action. A team's existence is not a secret, so the decision is never `hidden`.
 */
export function decideTeam(action: TeamAction, role: TeamRole | null): Decision {
  return role !== null && isAtLeast(role, TEAM_ACTIONS[action]) ? 'allow' : 'forbidden';
}

/**
 * Decides a workspace action. A private workspace is hidden from everyone without a role in it,
 * the team's owner included; a public one from guests without a role in it; and one in the trash from everything
 * but its restoration. That a workspace is archived is told only to those who could do it otherwise.
 */
export function decide(action: WorkspaceAction, context: AccessContext): Decision {
  const { requires, while: states } = WORKSPACE_ACTIONS[action];
  const state = stateOf(context);
  const isPossibleWhile = (one: WorkspaceState) => states.some((other) => other === one);
  const isArchived = state === 'archived' && !isPossibleWhile(state);
  if (!isPossibleWhile(isArchived ? 'active' : state)) return 'hidden';
  if (context.teamRole === null) return context.visibility === 'private' ? 'hidden' : 'forbidden';
  const access = effectiveAccess(context);
  if (access === 'none') return 'hidden';
  const allowed =
    requires === 'manage'
      ? managesWorkspace(context)
      : EFFECTIVE_ACCESS.indexOf(access) >= EFFECTIVE_ACCESS.indexOf(requires);
  if (!allowed) return 'forbidden';
  return isArchived ? 'archived' : 'allow';
}

const stateOf = ({ archivedAt, deletedAt }: AccessContext): WorkspaceState => {
  if (deletedAt !== null) return 'deleted';
  return archivedAt === null ? 'active' : 'archived';
};

/**
 * The caller's effective access to the content: a workspace role overrides everything else, both
 * ways.
 */
export function effectiveAccess(context: AccessContext): EffectiveAccess {
  const { teamRole, workspaceRole, visibility, defaultAccess } = context;
  if (teamRole === null) return 'none';
  if (workspaceRole !== null) return workspaceRole === 'editor' ? 'full' : 'read-only';
  if (visibility === 'private' || teamRole === 'guest') return 'none';
  return isAtLeast(teamRole, 'moderator') ? 'full' : defaultAccess;
}

/**
 * Decides whether somebody may give up their own workspace role: if that would widen their access,
 * it requires managing the workspace.
 */
export const mayGiveUpRole = (context: AccessContext): boolean =>
  !isNarrowedByRole(context) || managesWorkspace(context);

/** Whether somebody could do more with the content if they had no workspace role. */
function isNarrowedByRole(context: AccessContext): boolean {
  const without = effectiveAccess({ ...context, workspaceRole: null });
  return EFFECTIVE_ACCESS.indexOf(without) > EFFECTIVE_ACCESS.indexOf(effectiveAccess(context));
}

function managesWorkspace({ teamRole, workspaceRole, visibility }: AccessContext): boolean {
  if (workspaceRole === 'editor') return true;
  return visibility === 'public' && teamRole !== null && isAtLeast(teamRole, 'moderator');
}

/**
 * The role hierarchy: owners manage anyone and grant any role; moderators manage only people below
 * moderator, and grant only roles below moderator.
 * @param roles the roles that the people have, or are to get
 */
export function canManage(actor: TeamRole, roles: readonly TeamRole[]): boolean {
  if (actor === 'owner') return true;
  return actor === 'moderator' && roles.every((role) => !isAtLeast(role, 'moderator'));
}

/** True if `role` is `least` or higher. */
export function isAtLeast(role: TeamRole, least: TeamRole): boolean {
  return TEAM_ROLES.indexOf(role) >= TEAM_ROLES.indexOf(least);
}
