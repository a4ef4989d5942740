import type { TeamRole } from '../../access/roles.js';
import { conflict, notFound } from '../../errors/domain-error.js';

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

/** @throws DomainError conflict: accepted already; not_found: no such invite is pending */
export function assertPending(invite: Invite | null): asserts invite is Invite {
  if (invite?.state === 'accepted')
    throw conflict(
      'the invite was accepted already: to undo that, remove the member from the team',
    );
  if (invite?.state !== 'pending') throw notFound('invite');
}
