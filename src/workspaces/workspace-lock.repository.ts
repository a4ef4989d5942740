import type { Transaction } from '../database/database.js';
import type { WorkspaceKey } from './workspace.js';

const LOCK = {
  name: 'workspaces.lock',
  text: 'SELECT 1 FROM workspaces WHERE team_id = $1 AND id = $2 FOR UPDATE',
};

/**
 * Waits for the workspace's row and holds it until the transaction ends: no content is written
 * meanwhile. Take the membership lock of the team before it. It leaves with the next query.
 */
export const lockWorkspace = (tx: Transaction, { id, teamId }: WorkspaceKey): void =>
  tx.write(LOCK, [teamId, id]);
