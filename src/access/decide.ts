import {
  type AccessLevel,
  TEAM_ROLES,
  type TeamRole,
  type Visibility,
  type WorkspaceRole,
} from './roles.js';
import {
  EFFECTIVE_ACCESS,
  type EffectiveAccess,
  TEAM_ACTIONS,
  type TeamAction,
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
} from './table.js';

/** `allow`, 403, or 404. */
export type Decision = 'allow' | 'forbidden' | 'hidden';

/** Everything that decides on the caller's access to a workspace; `null` is a role not held. */
export interface AccessContext {
  teamRole: TeamRole | null;
  workspaceRole: WorkspaceRole | null;
  visibility: Visibility;
  defaultAccess: AccessLevel;
}

/**
 * Decides a team action. A team's existence is not a secret, so the decision is never `hidden`.
 */
export function decideTeam(action: TeamAction, role: TeamRole | null): Decision {
  return role !== null && isAtLeast(role, TEAM_ACTIONS[action]) ? 'allow' : 'forbidden';
}

/**
 * Decides a workspace action. A private workspace is hidden from everyone without a role in it,
 * the team's owner included; a public one from guests without a role in it.
 */
export function decide(action: WorkspaceAction, context: AccessContext): Decision {
  if (context.teamRole === null) return context.visibility === 'private' ? 'hidden' : 'forbidden';
  const access = effectiveAccess(context);
  if (access === 'none') return 'hidden';
  const needed = WORKSPACE_ACTIONS[action];
  const allowed =
    needed === 'manage'
      ? managesWorkspace(context)
      : EFFECTIVE_ACCESS.indexOf(access) >= EFFECTIVE_ACCESS.indexOf(needed);
  return allowed ? 'allow' : 'forbidden';
}

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
