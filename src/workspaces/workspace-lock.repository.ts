import type { Transaction } from '../database/database.js';
import type { WorkspaceKey } from './workspace.js';

/**
 * Waits for the workspace's row and holds it until the transaction ends: no content is written
 * meanwhile. Take the membership lock of the team before it.
 */
export async function lockWorkspace(tx: Transaction, { id, teamId }: WorkspaceKey): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM workspaces WHERE team_id = ${teamId}::uuid AND id = ${id}::uuid FOR UPDATE`;
}
