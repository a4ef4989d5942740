import type { TeamRole } from '../../access/roles.js';
import type { Invite } from './invite.js';

/** An invite as the database has it; expired is pending past `expires_at`. */
export interface InviteRow {
  id: string;
  team_id: string;
  email: string;
  role: TeamRole;
  state: 'pending' | 'accepted' | 'declined' | 'revoked';
  expires_at: Date;
  created_at: Date;
}

export const toInvite = (row: InviteRow): Invite => ({
  id: row.id,
  teamId: row.team_id,
  email: row.email,
  role: row.role,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
});
