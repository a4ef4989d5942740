import type { TeamRole } from '../../access/roles.js';
import type { Plan } from '../../config/plan-limits.js';
import { conflict, forbidden, inviteExpired, notFound } from '../../errors/domain-error.js';

/** Where an invite stands; an expired one is still pending. */
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

/** An invite in a list. */
export type ListedInvite = Omit<Invite, 'teamId' | 'state'>;

/** An invite as it was read: `isExpired` as the database judged it: see invites.repository. */
export interface FoundInvite extends Invite {
  isExpired: boolean;
}

export interface NewInvite {
  email: string;
  role: TeamRole;
}

/** @throws DomainError conflict: accepted already; not_found: no such invite is pending */
export function assertPending(invite: Invite | null): asserts invite is Invite {
  if (invite?.state === 'accepted') throw acceptedAlready();
  if (invite?.state !== 'pending') throw notFound('invite');
}

/**
 * Lets the invited person accept or decline an invite.
 * @throws DomainError as assertPending(); invite_expired
 */
export function assertOpen(invite: FoundInvite | null): asserts invite is FoundInvite {
  assertPending(invite);
  if (invite.isExpired) throw inviteExpired();
}

export const emailNotVerified = () =>
  forbidden(
    'your email is not verified by the identity provider: verify it there and get a new token',
  );

/** @param emails those that are members' */
export const inTeamAlready = (emails: string[]) =>
  conflict(`invites must leave out who is already in the team: ${emails.join(', ')}`);

export const tooManyPending = (plan: Plan, most: number) =>
  forbidden(
    `a team on the ${plan} plan can have at most ${most} pending invites: revoke some, or wait until they are answered`,
  );

export const acceptedAlready = () =>
  conflict('the invite was already accepted: to undo that, remove the member from the team');
