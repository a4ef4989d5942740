import type { TeamRole } from '../../access/roles.js';

/** An invite of one email address to a team. */
export interface Invite {
  id: string;
  teamId: string;
  email: string;
  role: TeamRole;
  expiresAt: Date;
  createdAt: Date;
}

export interface NewInvite {
  email: string;
  role: TeamRole;
}
