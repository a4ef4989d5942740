import { conflict, forbidden, inviteExpired, notFound } from '../../errors/domain-error.js';
/** @throws DomainError conflict: accepted already; not_found: no such invite is pending */
export function assertPending(invite) {
    if (invite?.state === 'accepted')
        throw acceptedAlready();
    if (invite?.state !== 'pending')
        throw notFound('invite');
}
/**
 * Lets the invited person accept or decline an invite.
 * @throws DomainError as assertPending(); invite_expired
 */
export function assertOpen(invite) {
    assertPending(invite);
    if (invite.isExpired)
        throw inviteExpired();
}
export const emailNotVerified = () => forbidden('your email is not verified by the identity provider: verify it there and get a new token');
/** @param emails those that are members' */
export const inTeamAlready = (emails) => conflict(`invites must leave out who is already in the team: ${emails.join(', ')}`);
export const tooManyPending = (plan, most) => forbidden(`a team on the ${plan} plan can have at most ${most} pending invites: revoke some, or wait until they are answered`);
export const acceptedAlready = () => conflict('the invite was already accepted: to undo that, remove the member from the team');
//# sourceMappingURL=invite.js.map