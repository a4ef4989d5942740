/** Team roles, lowest to highest. */
export const TEAM_ROLES = ['guest', 'member', 'moderator', 'owner'];
/** `editor` acts as `full`, `reader` as `read-only`. */
export const WORKSPACE_ROLES = ['editor', 'reader'];
export const VISIBILITIES = ['public', 'private'];
/** Access to a workspace's content: read and write, or read only. */
export const ACCESS_LEVELS = ['full', 'read-only'];
/** True if `role` is `least` or higher. */
export function isAtLeast(role, least) {
    return TEAM_ROLES.indexOf(role) >= TEAM_ROLES.indexOf(least);
}
//# sourceMappingURL=roles.js.map