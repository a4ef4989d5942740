import { acceptInvite, guestLeaves, inviteGuest } from './invites.js';
import { calls, counted, cycle, guest, owner, serviceRow, teamPath, uncounted, workspacePath, workspacesPath, } from './operation.js';
const teamMembers = (space) => `${teamPath(space)}/members`;
const invites = (space) => `${teamPath(space)}/invites`;
const members = (space) => `${workspacePath(space)}/members`;
const setTeamRole = (role) => owner('PUT', teamMembers, ({ mate }) => ({ userId: mate.id, role }));
const setRole = (role) => owner('PUT', members, ({ mate }) => ({ userId: mate.id, role }));
const addMate = owner('POST', members, ({ mate }) => [{ email: mate.email, role: 'reader' }]);
const removeMate = owner('DELETE', members, ({ mate }) => ({ userId: mate.id }));
const createSpace = uncounted(owner('POST', workspacesPath, () => ({ name: 'Space {n}' })), 'meta.slug');
const deleteSpace = owner('DELETE', (space) => `${workspacesPath(space)}/{kept}`);
const trash = (space) => `${teamPath(space)}/trash`;
const listTrash = owner('GET', (space) => `${trash(space)}?limit=1`);
const purgeSpace = owner('DELETE', (space) => `${trash(space)}/{kept}`);
const restoreSpace = owner('POST', (space) => `${trash(space)}/{kept}/restore`);
/** A workspace in the trash. */
const spaceInTrash = [createSpace, uncounted(deleteSpace)];
/** Its id for the steps behind it. */
const newestInTrash = uncounted(listTrash, '0._id');
/** Teams, workspaces and people: operations that no baseline has. */
export const SERVICE_PEOPLE = [
    serviceRow('getMe', calls(owner('GET', () => '/me'))),
    serviceRow('getTeams', calls(owner('GET', () => '/teams')), { name: 'getTeamsMany' }),
    serviceRow('createTeam', calls(owner('POST', () => '/teams', () => ({ name: 'Team {n}', slug: 'team-{n}' })))),
    serviceRow('getAuditLog', calls(owner('GET', (space) => `${teamPath(space)}/audit-log`)), {
        details: ' of 100 entries at most',
    }),
    serviceRow('renewInviteCode', calls(owner('POST', (space) => `${teamPath(space)}/invite-code`))),
    serviceRow('joinTeam', cycle(uncounted(owner('GET', teamPath), 'inviteCode'), counted(guest('POST', () => '/teams/join', () => ({ inviteCode: '{kept}' }))), guestLeaves)),
    serviceRow('updateTeamMember', cycle(counted(setTeamRole('moderator')), uncounted(setTeamRole('member')))),
    serviceRow('removeTeamMember', cycle(inviteGuest, uncounted(acceptInvite), counted(owner('DELETE', teamMembers, (space) => ({ userId: space.guest.id }))))),
    serviceRow('getTeamInvites', calls(owner('GET', invites)), { details: ' of 5' }),
    serviceRow('revokeTeamInvite', cycle(inviteGuest, counted(owner('DELETE', (space) => `${invites(space)}/{kept}`)))),
    serviceRow('declineInvite', cycle(inviteGuest, counted(guest('POST', () => '/invites/{kept}/decline')))),
    serviceRow('getWorkspaceInfo', calls(owner('GET', workspacePath))),
    serviceRow('updateWorkspace', calls(owner('PUT', workspacePath, () => ({ description: 'Described {n}' })))),
    serviceRow('deleteWorkspace', cycle(createSpace, counted(deleteSpace), newestInTrash, uncounted(purgeSpace))),
    serviceRow('getDeletedWorkspaces', cycle(...spaceInTrash, counted(listTrash, '0._id'), uncounted(purgeSpace)), { details: ' of one' }),
    serviceRow('restoreWorkspace', cycle(...spaceInTrash, newestInTrash, counted(restoreSpace, 'meta.slug'), uncounted(deleteSpace), newestInTrash, uncounted(purgeSpace))),
    serviceRow('purgeWorkspace', cycle(...spaceInTrash, newestInTrash, counted(purgeSpace))),
    serviceRow('getWorkspaceMembers', calls(owner('GET', members)), { details: ' of 2' }),
    serviceRow('addWorkspaceMembers', cycle(uncounted(removeMate), counted(addMate)), {
        details: ', one',
    }),
    serviceRow('updateWorkspaceMember', cycle(counted(setRole('editor')), uncounted(setRole('reader')))),
    serviceRow('removeWorkspaceMember', cycle(counted(removeMate), uncounted(addMate))),
];
