import { guest, owner, teamPath, uncounted } from './operation.js';
/** Sends an invite to the guest; its id is kept. */
export const inviteGuest = uncounted(owner('POST', (space) => `${teamPath(space)}/invites`, (space) => ({ invites: [{ email: space.guest.email, role: 'member' }] })), 'users.0._id');
/** The guest, who is a member by now, leaves the team. */
export const guestLeaves = uncounted(guest('DELETE', (space) => `${teamPath(space)}/members`, (space) => ({ userId: space.guest.id })));
export const acceptInvite = guest('POST', () => '/invites/{kept}/accept');
