import {
  EDITOR,
  LIMIT_OF_OWNED_TEAMS,
  MEMBER,
  MODERATOR,
  NO_TEAM,
  NO_WORKSPACE,
  NOT_EDITOR,
  NOT_MEMBER,
  OTHER_TEAM,
  OWNER,
} from './messages.js';
import type { OperationNotes } from './operation-notes.js';

const TEAM_NAME = [
  'name must be 1 to 32 characters',
  'slug must be lower-case letters and digits, with single hyphens between them',
  'Slug is not a known property, did you mean slug?',
];
const WORKSPACE = { forbidden: [NOT_MEMBER, NOT_EDITOR], not_found: [NO_TEAM, NO_WORKSPACE] };

/** The operations on teams and workspaces, by id. */
export const TEAM_OPERATIONS: Record<string, OperationNotes> = {
  getTeams: { takes: 'a token', answer: 'The teams, oldest first.', headers: ['Link'] },
  createTeam: {
    takes: 'a token',
    answer: 'The new team; the caller is its owner.',
    errors: {
      bad_request: TEAM_NAME,
      forbidden: [LIMIT_OF_OWNED_TEAMS],
      conflict: ['slug acme is already taken: choose another one'],
    },
  },
  getTeamInfo: {
    takes: '`guest` of the team',
    answer: 'The team; `inviteCode` is `""` below moderator.',
    errors: { bad_request: [OTHER_TEAM], forbidden: [NOT_MEMBER], not_found: [NO_TEAM] },
  },
  updateTeam: {
    takes: '`moderator` of the team; for `slug` an `owner`',
    answer: 'The team as it is now.',
    errors: {
      bad_request: TEAM_NAME,
      forbidden: [NOT_MEMBER, MODERATOR, OWNER],
      not_found: [NO_TEAM],
      conflict: ['slug acme is already taken: choose another one'],
    },
  },
  createWorkspace: {
    takes: '`member` of the team',
    answer: 'The new workspace; the caller is its first editor.',
    errors: {
      bad_request: [
        'name must be 1 to 32 characters',
        'Visibility is not a known property, did you mean visibility?',
      ],
      forbidden: [
        NOT_MEMBER,
        MEMBER,
        "the free plan's limit of 10 workspaces (limit.workspaces) is reached: remove some workspaces or change the plan",
      ],
      not_found: [NO_TEAM],
    },
  },
  getWorkspaces: {
    takes: '`guest` of the team',
    answer: 'The workspaces that the caller can see, oldest first.',
    errors: { forbidden: [NOT_MEMBER], not_found: [NO_TEAM] },
  },
  getWorkspaceInfo: {
    takes: 'access to the workspace',
    answer: 'The workspace, with the access of the caller.',
    errors: { forbidden: [NOT_MEMBER], not_found: [NO_TEAM, NO_WORKSPACE] },
  },
  updateWorkspace: {
    takes: EDITOR,
    answer: 'The workspace as it is now.',
    errors: {
      ...WORKSPACE,
      bad_request: [
        'defaultAccess must be one of full, read-only',
        'Visibility is not a known property, did you mean visibility?',
      ],
      conflict: ['slug handbook is already taken in this team: choose another one'],
    },
  },
  deleteWorkspace: { takes: EDITOR, answer: 'A message.', bare: true, errors: WORKSPACE },
};
