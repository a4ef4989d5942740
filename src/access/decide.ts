import {
  type AccessLevel,
  isAtLeast,
  type TeamRole,
  type Visibility,
  type WorkspaceRole,
} from './roles.js';
import {
  STANDINGS,
  type Standing,
  TEAM_ACTIONS,
  type TeamAction,
  WORKSPACE_ACTIONS,
  type WorkspaceAction,
} from './table.js';

/** What the answer may be: do it, 403, or 404. */
export type Decision = 'allow' | 'forbidden' | 'hidden';

/** What is known of the caller and a workspace; `null` roles are roles not held. */
export interface WorkspaceFacts {
  teamRole: TeamRole | null;
  workspaceRole: WorkspaceRole | null;
  visibility: Visibility;
  defaultAccess: AccessLevel;
}

/**
 * Decides a team action. A team's existence is no secret, so the answer is never `hidden`.
 */
export function decideTeam(action: TeamAction, role: TeamRole | null): Decision {
  return role !== null && isAtLeast(role, TEAM_ACTIONS[action]) ? 'allow' : 'forbidden';
}

/**
 * Decides a workspace action. A private workspace is hidden from all who are not its members, the
 * team's owner included; a public one from guests without a role in it.
 */
export function decide(action: WorkspaceAction, facts: WorkspaceFacts): Decision {
  if (facts.teamRole === null) return facts.visibility === 'private' ? 'hidden' : 'forbidden';
  const standing = standingOf(facts);
  if (standing === 'none') return 'hidden';
  const needed = WORKSPACE_ACTIONS[action];
  const allowed =
    needed === 'manage'
      ? managesWorkspace(facts)
      : STANDINGS.indexOf(standing) >= STANDINGS.indexOf(needed);
  return allowed ? 'allow' : 'forbidden';
}

/** The caller's standing to the content: a role of one's own wins over all else, both ways. */
export function standingOf(facts: WorkspaceFacts): Standing {
  if (facts.teamRole === null) return 'none';
  if (facts.workspaceRole !== null) return facts.workspaceRole === 'editor' ? 'full' : 'read-only';
  if (facts.visibility === 'private' || facts.teamRole === 'guest') return 'none';
  return isAtLeast(facts.teamRole, 'moderator') ? 'full' : facts.defaultAccess;
}

function managesWorkspace(facts: WorkspaceFacts): boolean {
  if (facts.workspaceRole === 'editor') return true;
  return (
    facts.visibility === 'public' &&
    facts.teamRole !== null &&
    isAtLeast(facts.teamRole, 'moderator')
  );
}

/**
 * The ladder: owners act on anyone and grant any role; moderators act only on people below
 * moderator, and grant only roles below moderator.
 */
export function mayManagePerson(actor: TeamRole, roles: readonly TeamRole[]): boolean {
  if (actor === 'owner') return true;
  return actor === 'moderator' && roles.every((role) => !isAtLeast(role, 'moderator'));
}
