import { concerns } from '../database/database-errors.js';
import { columns, type Statement } from '../database/pipelined-transaction.js';
import type { KeyScope, RequestKey } from './once.js';

// The SQL of idempotency keys, for transactions in pipeline mode. Those of Prisma have theirs in
// database/only-once.ts.

/** How long a key is kept: an older one counts as absent. */
export const KEPT = `interval '24 hours'`;

const KNOWN = {
  name: 'idempotency.known',
  text: `
    SELECT k.user_id, k.key FROM unnest($1::uuid[], $2::text[]) AS asked (user_id, key)
    JOIN idempotency_keys k USING (user_id, key)
    WHERE k.created_at > clock_timestamp() - ${KEPT}`,
};

/**
 * Violates NOT NULL where another transaction has taken a key meanwhile. Waits for such a
 * transaction for five seconds.
 */
const KEEP = {
  name: 'idempotency.keep',
  text: `
    WITH patience AS MATERIALIZED (
      SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', '5s', true)
    )
    INSERT INTO idempotency_keys AS k
      (user_id, key, operation, fingerprint, answer, team_id, workspace_id)
    SELECT n.* FROM patience,
      unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[])
        AS n (user_id, key, operation, fingerprint, answer, team_id, workspace_id)
    ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
      fingerprint = excluded.fingerprint, created_at = excluded.created_at,
      team_id = excluded.team_id, workspace_id = excluded.workspace_id,
      answer = CASE WHEN k.created_at <= clock_timestamp() - ${KEPT} THEN excluded.answer END
    RETURNING set_config('lock_timeout', (SELECT usual FROM patience), true)`,
};

/** Answers the user_id and key of those that are in use. */
export const knownKeys = (keys: readonly RequestKey[]): Statement => [
  KNOWN,
  columns(keys, ['userId', 'key']),
];

/** Keeps answers; in the order of their keys, so that two transactions do not wait for each other. */
export function keepAnswers(
  answers: readonly (RequestKey & KeyScope & { answer: string })[],
): Statement {
  const inOrder = [...answers].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const names = ['userId', 'key', 'operation', 'fingerprint', 'answer'] as const;
  return [KEEP, columns(inOrder, [...names, 'teamId', 'workspaceId'])];
}

/** True where a transaction failed because another one takes, or has taken, one of its keys. */
export const isAboutKeys = (error: unknown): boolean => concerns(error, 'idempotency_keys');

/** A key with its owner, as one text. */
export const idOf = ({ userId, key }: Pick<RequestKey, 'userId' | 'key'>): string =>
  `${userId} ${key}`;
