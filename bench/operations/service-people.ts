import type { Space } from '../loader/job.js';
import { acceptInvite, guestLeaves, inviteGuest } from './invites.js';
import {
  calls,
  counted,
  cycle,
  guest,
  type Operation,
  owner,
  serviceRow,
  teamPath,
  uncounted,
  workspacePath,
  workspacesPath,
} from './operation.js';

const teamMembers = (space: Space): string => `${teamPath(space)}/members`;
const invites = (space: Space): string => `${teamPath(space)}/invites`;
const members = (space: Space): string => `${workspacePath(space)}/members`;

const setTeamRole = (role: string) =>
  owner('PUT', teamMembers, ({ mate }) => ({ userId: mate.id, role }));
const setRole = (role: string) => owner('PUT', members, ({ mate }) => ({ userId: mate.id, role }));
const addMate = owner('POST', members, ({ mate }) => [{ email: mate.email, role: 'reader' }]);
const removeMate = owner('DELETE', members, ({ mate }) => ({ userId: mate.id }));

const createSpace = uncounted(
  owner('POST', workspacesPath, () => ({ name: 'Space {n}' })),
  'meta.slug',
);
const deleteSpace = owner('DELETE', (space) => `${workspacesPath(space)}/{kept}`);
const archive = owner('POST', (space) => `${workspacePath(space)}/archive`);
const unarchive = owner('POST', (space) => `${workspacePath(space)}/unarchive`);
const trash = (space: Space): string => `${teamPath(space)}/trash`;
const listTrash = owner('GET', (space) => `${trash(space)}?limit=1`);
const purgeSpace = owner('DELETE', (space) => `${trash(space)}/{kept}`);
const restoreSpace = owner('POST', (space) => `${trash(space)}/{kept}/restore`);
/** A workspace in the trash. */
const spaceInTrash = [createSpace, uncounted(deleteSpace)] as const;
/** Its id for the steps behind it. */
const newestInTrash = uncounted(listTrash, '0._id');

const webhooks = (space: Space): string => `${teamPath(space)}/webhooks`;

/** Webhooks that are called by nobody: each is made and deleted by its cycle. */
function webhookRows(): Operation[] {
  const url = 'https://example.invalid/hooks';
  const kept =
    (end = '') =>
    (space: Space) =>
      `${webhooks(space)}/{kept}${end}`;
  const create = owner('POST', webhooks, () => ({ url }));
  const remove = owner('DELETE', kept());
  const around = (id: string, step: typeof create) =>
    serviceRow(id, cycle(uncounted(create, '_id'), counted(step), uncounted(remove)));
  return [
    serviceRow('getWebhooks', calls(owner('GET', webhooks))),
    serviceRow('createWebhook', cycle(counted(create, '_id'), uncounted(remove))),
    around('getWebhook', owner('GET', kept())),
    around(
      'updateWebhook',
      owner('PUT', kept(), () => ({ events: ['team.changed'] })),
    ),
    around('renewWebhookSecret', owner('POST', kept('/secret'))),
    around('testWebhook', owner('POST', kept('/test'))),
    around('getDeliveries', owner('GET', kept('/deliveries'))),
    serviceRow('deleteWebhook', cycle(uncounted(create, '_id'), counted(remove))),
  ];
}

/** Teams, workspaces and people: operations that no baseline has. */
export const SERVICE_PEOPLE: readonly Operation[] = [
  serviceRow('getMe', calls(owner('GET', () => '/me'))),
  serviceRow('getTeams', calls(owner('GET', () => '/teams')), { name: 'getTeamsMany' }),
  serviceRow(
    'createTeam',
    calls(
      owner(
        'POST',
        () => '/teams',
        () => ({ name: 'Team {n}', slug: 'team-{n}' }),
      ),
    ),
  ),
  serviceRow('getAuditLog', calls(owner('GET', (space) => `${teamPath(space)}/audit-log`)), {
    details: ' of 100 entries at most',
  }),
  ...webhookRows(),
  serviceRow('renewInviteCode', calls(owner('POST', (space) => `${teamPath(space)}/invite-code`))),
  serviceRow(
    'joinTeam',
    cycle(
      uncounted(owner('GET', teamPath), 'inviteCode'),
      counted(
        guest(
          'POST',
          () => '/teams/join',
          () => ({ inviteCode: '{kept}' }),
        ),
      ),
      guestLeaves,
    ),
  ),
  serviceRow(
    'updateTeamMember',
    cycle(counted(setTeamRole('moderator')), uncounted(setTeamRole('member'))),
  ),
  serviceRow(
    'removeTeamMember',
    cycle(
      inviteGuest,
      uncounted(acceptInvite),
      counted(owner('DELETE', teamMembers, (space) => ({ userId: space.guest.id }))),
    ),
  ),
  serviceRow('getTeamInvites', calls(owner('GET', invites)), { details: ' of 5' }),
  serviceRow(
    'revokeTeamInvite',
    cycle(inviteGuest, counted(owner('DELETE', (space) => `${invites(space)}/{kept}`))),
  ),
  serviceRow(
    'declineInvite',
    cycle(inviteGuest, counted(guest('POST', () => '/invites/{kept}/decline'))),
  ),
  serviceRow('getWorkspaceInfo', calls(owner('GET', workspacePath))),
  serviceRow(
    'updateWorkspace',
    calls(owner('PUT', workspacePath, () => ({ description: 'Described {n}' }))),
  ),
  serviceRow('archiveWorkspace', cycle(counted(archive), uncounted(unarchive))),
  serviceRow('unarchiveWorkspace', cycle(uncounted(archive), counted(unarchive))),
  serviceRow(
    'deleteWorkspace',
    cycle(createSpace, counted(deleteSpace), newestInTrash, uncounted(purgeSpace)),
  ),
  serviceRow(
    'getDeletedWorkspaces',
    cycle(...spaceInTrash, counted(listTrash, '0._id'), uncounted(purgeSpace)),
    { details: ' of one' },
  ),
  serviceRow(
    'restoreWorkspace',
    cycle(
      ...spaceInTrash,
      newestInTrash,
      counted(restoreSpace, 'meta.slug'),
      uncounted(deleteSpace),
      newestInTrash,
      uncounted(purgeSpace),
    ),
  ),
  serviceRow('purgeWorkspace', cycle(...spaceInTrash, newestInTrash, counted(purgeSpace))),
  serviceRow('getWorkspaceMembers', calls(owner('GET', members)), { details: ' of 2' }),
  serviceRow('addWorkspaceMembers', cycle(uncounted(removeMate), counted(addMate)), {
    details: ', one',
  }),
  serviceRow(
    'updateWorkspaceMember',
    cycle(counted(setRole('editor')), uncounted(setRole('reader'))),
  ),
  serviceRow('removeWorkspaceMember', cycle(counted(removeMate), uncounted(addMate))),
];
