import { serviceAddress } from '../../auth/email.js';
import { conflict } from '../../errors/domain-error.js';
/**
 * True where the email is the member's: a token that says `email_verified: false` only claims it,
 * and a service has the address that was made for it.
 */
export const ownsEmail = ({ id, email, emailVerified }) => emailVerified || email === serviceAddress(id);
export const memberAlready = () => conflict('you are already a member of this team: there is no need to join');
export const lastOwner = () => conflict('a team needs an owner: make someone else one first');
//# sourceMappingURL=team-member.js.map