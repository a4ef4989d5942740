import type { TeamRole } from '../../access/roles.js';

/** Where an invite stands; an expired one is pending past `expiresAt`. */
export type InviteState = 'pending' | 'accepted' | 'declined' | 'revoked';

/** An invite of one email address to a team. */
export interface Invite {
  id: string;
  teamId: string;
  /** As the sender wrote it; compared without regard to letter case. */
  email: string;
  role: TeamRole;
  state: InviteState;
  expiresAt: Date;
  createdAt: Date;
}

export interface NewInvite {
  email: string;
  role: TeamRole;
}
