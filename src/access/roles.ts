/** Team roles, lowest to highest. */
export const TEAM_ROLES = ['guest', 'member', 'moderator', 'owner'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/** `editor` acts as `full`, `reader` as `read-only`. */
export const WORKSPACE_ROLES = ['editor', 'reader'] as const;
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number];

export const VISIBILITIES = ['public', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Access to a workspace's content: read and write, or read only. */
export const ACCESS_LEVELS = ['full', 'read-only'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

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
 * Workspace actions. `requires`: the effective access, or `manage` for the workspace's own settings and members.
 * `manage` requires an editor of the workspace, or a moderator or owner of the team if the workspace is public.
 * `while`: the states of the workspace in which it is possible; see decide().
 */
export const WORKSPACE_ACTIONS = {
  'workspace.read': { requires: 'read-only', while: ['active', 'archived'] },
  'workspace.listMembers': { requires: 'read-only', while: ['active', 'archived'] },
  'workspace.leave': { requires: 'read-only', while: ['active', 'archived'] },
  'content.read': { requires: 'read-only', while: ['active', 'archived'] },
  /** What was there: the trash, and the versions of pages. */
  'content.readHistory': { requires: 'full', while: ['active', 'archived'] },
  'content.write': { requires: 'full', while: ['active'] },
  /** Deletes for good: what is in the trash, or without it. */
  'content.purge': { requires: 'manage', while: ['active'] },
  'workspace.update': { requires: 'manage', while: ['active', 'archived'] },
  'workspace.delete': { requires: 'manage', while: ['active', 'archived'] },
  'workspace.manageMembers': { requires: 'manage', while: ['active', 'archived'] },
  /** Restores it from the trash of its team, or purges it there. */
  'workspace.restore': { requires: 'manage', while: ['deleted'] },
} as const satisfies Record<
  string,
  { requires: EffectiveAccess | 'manage'; while: readonly WorkspaceState[] }
>;
export type WorkspaceAction = keyof typeof WORKSPACE_ACTIONS;

/** `archived`: its content is read only. `deleted`: in the trash of its team, or purged. */
export type WorkspaceState = 'active' | 'archived' | 'deleted';
