import { canManage } from '../../access/decide.js';
import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import { type NewEntry, onInvite } from '../../audit/audit-entry.js';
import type { Transaction } from '../../database/database.js';
import { pendingInvitesOf, revokeInvites } from '../invites/invites.repository.js';
import { newInviteCode } from '../team.js';
import { setInviteCode } from '../teams.repository.js';

// What keeps people from coming back, or from regaining a role, after somebody else took it away.

/**
 * The pending invites that somebody sent and could not send with the role that is left, and those to
 * their own email. The transaction must hold the membership lock.
 * @param role what is left; null: they are not in the team any more
 * @returns their ids
 */
export function invitesToRevoke(
  tx: Transaction,
  teamId: string,
  userId: string,
  role: TeamRole | null,
): Promise<string[]> {
  const kept = TEAM_ROLES.filter((invited) => role !== null && canManage(role, [invited]));
  return pendingInvitesOf(tx, teamId, userId, kept);
}

/**
 * Renews the team's invite code, which the person may know, and revokes invites, in the transaction
 * that removes or demotes them.
 * @param inviteIds from invitesToRevoke()
 * @returns what is to be recorded about the invites
 */
export function preventReentry(
  tx: Transaction,
  teamId: string,
  inviteIds: string[],
  because: 'member.removed' | 'member.role_changed',
): NewEntry[] {
  setInviteCode(tx, teamId, newInviteCode());
  revokeInvites(tx, teamId, inviteIds);
  return inviteIds.map((id) => ({
    action: 'invite.revoked',
    ...onInvite(id),
    details: { because },
  }));
}
