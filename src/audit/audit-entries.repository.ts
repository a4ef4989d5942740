import type { Transaction } from '../database/database.js';
import { newId } from '../database/ids.js';
import { columns, type Statement } from '../database/pipelined-transaction.js';
import type { Author, NewEntry } from './audit-entry.js';

/**
 * Records what a use case does, in its transaction: what is rolled back was never recorded. The entries
 * are one statement, which leaves with the next message; their order is that of the list.
 */
export function record(
  tx: Transaction,
  teamId: string,
  author: Author,
  ...entries: NewEntry[]
): void {
  if (entries.length > 0) tx.write(...recordStatement(teamId, author, entries));
}

/** The same as a statement, for transactions that are lists of statements. */
export function recordStatement(
  teamId: string,
  { id, requestId, via }: Author,
  entries: readonly NewEntry[],
): Statement {
  const rows = entries.map(({ action, target, workspaceId = null, details }) => ({
    id: newId(),
    action,
    targetType: target.type,
    targetId: target.id,
    targetName: target.name,
    workspaceId,
    details: JSON.stringify({ ...details, ...(via && { via }) }),
  }));
  const names = ['id', 'action', 'targetType', 'targetId', 'targetName', 'workspaceId', 'details'];
  return [
    RECORD,
    [teamId, id, requestId, ...columns(rows, names as (keyof (typeof rows)[number])[])],
  ];
}

/** Joined with the counters of the team so that a distributed database runs it on the team's own node. */
const RECORD = {
  name: 'audit.record',
  text: `
    INSERT INTO audit_entries (team_id, id, actor_id, request_id, action, target_type, target_id,
      target_name, workspace_id, details)
    SELECT u.team_id, n.id, $2::uuid, $3::text, n.action, n.target_type, n.target_id, n.target_name,
      n.workspace_id, n.details::json
    FROM team_usage u,
      unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::uuid[], $10::text[])
        AS n (id, action, target_type, target_id, target_name, workspace_id, details)
    WHERE u.team_id = $1`,
};
