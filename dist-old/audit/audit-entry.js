/** The operator, at the command line. */
export const OPERATOR = { id: null, requestId: null, via: 'cli' };
/** The service by itself, as a consequence of what somebody does. */
export const byService = (author) => ({ ...author, id: null });
/** What kinds of things entries are about; `item` is a page. */
export const TARGET_TYPES = ['team', 'user', 'invite', 'workspace', 'collection', 'item'];
export const onTeam = ({ id, name }) => ({
    target: { type: 'team', id, name },
});
/** @param workspaceId where the person's role in a workspace is meant */
export const onUser = (id, workspaceId) => ({
    target: { type: 'user', id, name: null },
    ...(workspaceId !== undefined && { workspaceId }),
});
export const onInvite = (id) => ({ target: { type: 'invite', id, name: null } });
export const onWorkspace = ({ id, name }) => ({
    target: { type: 'workspace', id, name },
    workspaceId: id,
});
export const onItem = (workspaceId, { id, name, object }) => ({ target: { type: object, id, name }, workspaceId });
/** All actions; the record makes it complete. */
const ALL = {
    'team.created': true,
    'team.updated': true,
    'team.slug_changed': true,
    'team.plan_changed': true,
    'team.invite_code_renewed': true,
    'member.added': true,
    'member.joined': true,
    'member.left': true,
    'member.removed': true,
    'member.role_changed': true,
    'invite.sent': true,
    'invite.accepted': true,
    'invite.declined': true,
    'invite.revoked': true,
    'workspace.created': true,
    'workspace.updated': true,
    'workspace.made_private': true,
    'workspace.made_public': true,
    'workspace.deleted': true,
    'workspace.restored': true,
    'workspace.purged': true,
    'workspace_member.added': true,
    'workspace_member.role_changed': true,
    'workspace_member.removed': true,
    'workspace_member.promoted': true,
    'item.deleted': true,
    'item.restored': true,
    'item.transferred': true,
    'item.purged': true,
    'trash.emptied': true,
};
export const AUDIT_ACTIONS = Object.keys(ALL);
//# sourceMappingURL=audit-entry.js.map