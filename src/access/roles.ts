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
