import { forbidden, notFound } from '../errors/domain-error.js';
import {
  type Decision,
  decide,
  decideTeam,
  mayManagePerson,
  type WorkspaceFacts,
} from './decide.js';
import type { TeamRole } from './roles.js';
import { TEAM_ACTIONS, type TeamAction, WORKSPACE_ACTIONS, type WorkspaceAction } from './table.js';

/**
 * Lets a team action pass, or throws.
 * @throws DomainError forbidden
 */
export function enforceTeam(
  action: TeamAction,
  role: TeamRole | null,
): asserts role is NonNullable<TeamRole> {
  if (role === null) throw forbidden('you are not a member of this team');
  if (decideTeam(action, role) === 'allow') return;
  throw forbidden(`this takes the team role ${TEAM_ACTIONS[action]} or above`);
}

/**
 * Lets a workspace action pass, or throws: here, and nowhere else, a 403 parts from a 404.
 * @param what how the thing is called in «… not found»: the same for an absent one
 * @throws DomainError forbidden, not_found
 */
export function enforce(action: WorkspaceAction, facts: WorkspaceFacts, what: string): void {
  const decision: Decision = decide(action, facts);
  if (decision === 'allow') return;
  if (decision === 'hidden') throw notFound(what);
  if (facts.teamRole === null) throw forbidden('you are not a member of this team');
  throw forbidden(
    WORKSPACE_ACTIONS[action] === 'manage'
      ? 'this takes the workspace role editor'
      : 'you have read-only access to this workspace',
  );
}

/**
 * Lets someone act on people who have, or are to get, these roles, or throws.
 * @throws DomainError forbidden
 */
export function enforceLadder(actor: TeamRole, roles: readonly TeamRole[]): void {
  if (mayManagePerson(actor, roles)) return;
  throw forbidden('this takes the team role owner: others manage only people below moderator');
}
