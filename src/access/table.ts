import type { TeamRole } from './roles.js';

/** Team actions, and the lowest team role that may do each. */
export const TEAM_ACTIONS = {
  'team.read': 'guest',
  'team.leave': 'guest',
  'team.listMembers': 'member',
  'workspace.list': 'guest',
  'workspace.create': 'member',
  'team.readInviteCode': 'moderator',
  'team.renewInviteCode': 'moderator',
  'team.update': 'moderator',
  /** canManage() then decides whom, and which roles. */
  'team.managePeople': 'moderator',
  'team.changeSlug': 'owner',
  'team.readAuditLog': 'owner',
  'team.manageWebhooks': 'owner',
} as const satisfies Record<string, TeamRole>;
export type TeamAction = keyof typeof TEAM_ACTIONS;

/** What someone may effectively do with a workspace's content, least to most. */
export const EFFECTIVE_ACCESS = ['none', 'read-only', 'full'] as const;
export type EffectiveAccess = (typeof EFFECTIVE_ACCESS)[number];

/**
 * Workspace actions: the effective access that each requires, or `manage` for the workspace's own
 * settings and members. `manage` requires an editor of the workspace, or a moderator or owner of
 * the team if the workspace is public.
 */
export const WORKSPACE_ACTIONS = {
  'workspace.read': 'read-only',
  'workspace.listMembers': 'read-only',
  'workspace.leave': 'read-only',
  'content.read': 'read-only',
  'content.write': 'full',
  /** Deletes for good: what is in the trash, or without it. */
  'content.purge': 'manage',
  'workspace.update': 'manage',
  'workspace.delete': 'manage',
  'workspace.manageMembers': 'manage',
} as const satisfies Record<string, EffectiveAccess | 'manage'>;
export type WorkspaceAction = keyof typeof WORKSPACE_ACTIONS;
