import { forbidden, type Missing, notFound } from '../errors/domain-error.js';
import {
  type AccessContext,
  canManage,
  type Decision,
  decide,
  decideTeam,
  mayGiveUpRole,
} from './decide.js';
import type { TeamRole } from './roles.js';
import { TEAM_ACTIONS, type TeamAction, WORKSPACE_ACTIONS, type WorkspaceAction } from './table.js';

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
 * Throws unless the caller may perform the workspace action: 403 or 404, as decide() says.
 * @param what names the thing in "… not found": the same text as for one that does not exist
 * @throws DomainError forbidden, not_found
 */
export function enforce(action: WorkspaceAction, context: AccessContext, what: Missing): void {
  const decision: Decision = decide(action, context);
  if (decision === 'allow') return;
  if (decision === 'hidden') throw notFound(what);
  if (context.teamRole === null) throw forbidden(NOT_MEMBER);
  throw forbidden(
    WORKSPACE_ACTIONS[action] === 'manage'
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
