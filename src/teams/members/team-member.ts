import type { TeamRole } from '../../access/roles.js';
import { serviceAddress } from '../../auth/email.js';
import { conflict, type DomainError } from '../../errors/domain-error.js';

/** Someone in a team. */
export interface TeamMember {
  id: string;
  name: string;
  email: string;
  /** Address of a picture. */
  image: string | null;
  role: TeamRole;
}

/** A team member, and whether the identity provider vouches for the email. */
export type TeamMemberWithEmail = TeamMember & { emailVerified: boolean };

/**
 * True where the email is the member's: a token that says `email_verified: false` only claims it,
 * and a service has the address that was made for it.
 */
export const ownsEmail = ({ id, email, emailVerified }: TeamMemberWithEmail): boolean =>
  emailVerified || email === serviceAddress(id);

export const memberAlready = (): DomainError =>
  conflict('you are already a member of this team: there is no need to join');

export const lastOwner = (): DomainError =>
  conflict('a team needs an owner: make someone else one first');
