const LOCK = {
    name: 'workspaces.lock',
    text: 'SELECT 1 FROM workspaces WHERE team_id = $1 AND id = $2 FOR UPDATE',
};
/**
 * Waits for the workspace's row and holds it until the transaction ends: no content is written
 * meanwhile. Take the membership lock of the team before it. It leaves with the next query.
 */
export const lockWorkspace = (tx, { id, teamId }) => tx.write(LOCK, [teamId, id]);
//# sourceMappingURL=workspace-lock.repository.js.map