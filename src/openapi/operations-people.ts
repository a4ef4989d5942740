import {
  BAD_ROLE,
  BAD_WORKSPACE_ROLE,
  EDITOR,
  INVITE_ANSWERED,
  LAST_EDITOR,
  LAST_OWNER,
  LIMIT_OF_INVITES,
  LIMIT_OF_OWNED_TEAMS,
  LIMIT_OF_USERS,
  MEMBER,
  MEMBER_ALREADY,
  MODERATOR,
  NARROWED,
  NO_INVITE,
  NO_MEMBER,
  NO_TEAM,
  NO_USER_ID,
  NO_WORKSPACE,
  NOT_EDITOR,
  NOT_MEMBER,
  NOT_VERIFIED,
  ONLY_OWNERS,
} from './messages.js';
import type { OperationNotes } from './operation-notes.js';

const MANAGING = [NOT_MEMBER, MODERATOR, ONLY_OWNERS];
const WORKSPACE = { forbidden: [NOT_MEMBER, NOT_EDITOR], not_found: [NO_TEAM, NO_WORKSPACE] };

/** The operations on members, invites and the caller, by id. */
export const PEOPLE_OPERATIONS: Record<string, OperationNotes> = {
  getMe: { takes: 'a token', answer: 'The caller, as the token names them.' },
  getTeamMembers: {
    takes: '`member` of the team',
    answer: 'The members, the longest-standing first.',
    headers: ['Link'],
    errors: { forbidden: [NOT_MEMBER, MEMBER], not_found: [NO_TEAM] },
  },
  updateTeamMember: {
    takes: '`owner` of the team; a `moderator` for people and roles below moderator',
    answer: 'A message.',
    errors: {
      bad_request: [BAD_ROLE, NO_USER_ID],
      forbidden: [...MANAGING, LIMIT_OF_OWNED_TEAMS],
      not_found: [NO_TEAM, NO_MEMBER],
      conflict: [LAST_OWNER],
    },
  },
  removeTeamMember: {
    takes: '`owner` of the team; a `moderator` for people below moderator; everyone for themselves',
    answer: 'A message.',
    errors: {
      bad_request: [NO_USER_ID],
      forbidden: MANAGING,
      not_found: [NO_TEAM, NO_MEMBER],
      conflict: [LAST_OWNER],
    },
  },
  getTeamInvites: {
    takes: '`moderator` of the team',
    answer: 'The invites that wait for an answer.',
    headers: ['Link'],
    errors: { forbidden: [NOT_MEMBER, MODERATOR], not_found: [NO_TEAM] },
  },
  sendTeamInvites: {
    takes: '`owner` of the team; a `moderator` for roles below moderator',
    answer: 'The invites that were sent.',
    errors: {
      bad_request: [
        'invites[0].email must be an email address',
        'invites[1].email is in the list already: name each once',
      ],
      forbidden: [...MANAGING, LIMIT_OF_USERS, LIMIT_OF_INVITES],
      not_found: [NO_TEAM],
      conflict: ['invites must leave out who is in the team already: bob@example.com'],
    },
  },
  revokeTeamInvite: {
    takes: '`owner` of the team; a `moderator` for invites to roles below moderator',
    answer: 'A message.',
    bare: true,
    errors: {
      forbidden: MANAGING,
      not_found: [NO_TEAM, NO_INVITE],
      conflict: [INVITE_ANSWERED],
    },
  },
  renewInviteCode: {
    takes: '`moderator` of the team',
    answer: 'The team with its new code; the old one opens nothing any more.',
    bare: true,
    errors: { forbidden: [NOT_MEMBER, MODERATOR], not_found: [NO_TEAM] },
  },
  joinTeam: {
    takes: 'the invite code',
    answer: 'The team; the caller is a member.',
    errors: {
      bad_request: ['inviteCode is required'],
      forbidden: [LIMIT_OF_USERS],
      not_found: ['team with this invite code not found: ask for the present code'],
      conflict: [MEMBER_ALREADY],
    },
  },
  getMyInvites: {
    takes: 'a token; without a verified email the list is empty',
    answer: 'The invites to the email of the caller.',
    headers: ['Link'],
  },
  acceptInvite: {
    takes: 'the email that the invite is for, verified',
    answer: 'The team; the caller has the role of the invite.',
    errors: {
      forbidden: [NOT_VERIFIED, LIMIT_OF_USERS, LIMIT_OF_OWNED_TEAMS],
      not_found: [NO_INVITE],
      conflict: [INVITE_ANSWERED, MEMBER_ALREADY],
      invite_expired: ['the invite has expired: ask for a new one'],
    },
  },
  declineInvite: {
    takes: 'the email that the invite is for, verified',
    answer: 'A message.',
    errors: {
      forbidden: [NOT_VERIFIED],
      not_found: [NO_INVITE],
      conflict: [INVITE_ANSWERED],
      invite_expired: ['the invite has expired: ask for a new one'],
    },
  },
  getWorkspaceMembers: {
    takes: 'access to the workspace',
    answer: 'Those who have a role of their own, the longest-standing first.',
    headers: ['Link'],
    errors: { forbidden: [NOT_MEMBER], not_found: [NO_TEAM, NO_WORKSPACE] },
  },
  addWorkspaceMembers: {
    takes: EDITOR,
    answer: 'All who have a role of their own now.',
    errors: {
      ...WORKSPACE,
      bad_request: [BAD_WORKSPACE_ROLE.replace('role', 'body[0].role')],
      conflict: [LAST_EDITOR],
      unprocessable_entity: [
        'each email must be the verified one of exactly one team member: carol@example.com',
      ],
    },
  },
  updateWorkspaceMember: {
    takes: EDITOR,
    answer: 'A message.',
    errors: {
      forbidden: WORKSPACE.forbidden,
      bad_request: [BAD_WORKSPACE_ROLE, NO_USER_ID],
      not_found: [...WORKSPACE.not_found, NO_MEMBER],
      conflict: [LAST_EDITOR],
    },
  },
  removeWorkspaceMember: {
    takes: `${EDITOR}; everyone for themselves, unless it would widen their access`,
    answer: 'A message.',
    errors: {
      forbidden: [...WORKSPACE.forbidden, NARROWED],
      bad_request: [NO_USER_ID],
      not_found: [...WORKSPACE.not_found, NO_MEMBER],
      conflict: [LAST_EDITOR],
    },
  },
};
