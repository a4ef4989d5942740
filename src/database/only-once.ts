import { DomainError } from '../errors/domain-error.js';
import type { Prisma } from '../generated/prisma/client.js';
import { AlreadyDone, type KeyScope, type Once, type RequestKey } from '../idempotency/once.js';
import { timedOut } from './database-errors.js';

type Work<T> = (tx: Prisma.TransactionClient) => Promise<T>;

/**
 * Makes a transaction of Prisma's one that happens once: its first statement takes the key, so that
 * a twin waits for it to commit; its last one keeps the answer. A rollback frees the key.
 * @throws AlreadyDone: a twin has committed
 */
export function onlyOnce<T>(once: Once<T>, work: Work<T>): Work<T> {
  return async (tx) => {
    await takeKey(tx, once);
    const answer = await work(tx);
    const { userId, key } = once;
    await tx.$executeRaw`
      UPDATE idempotency_keys SET answer = ${once.present(answer)}
      WHERE user_id = ${userId}::uuid AND key = ${key}`;
    return answer;
  };
}

/** Waits five seconds at most. A key of more than 24 hours ago is replaced. */
async function takeKey(
  tx: Prisma.TransactionClient,
  { userId, key, operation, fingerprint, teamId, workspaceId }: RequestKey & KeyScope,
): Promise<void> {
  const taken = tx.$queryRaw<unknown[]>`
    WITH patience AS MATERIALIZED (
      SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', '5s', true)
    )
    INSERT INTO idempotency_keys AS k
      (user_id, key, operation, fingerprint, answer, team_id, workspace_id)
    SELECT ${userId}::uuid, ${key}, ${operation}, ${fingerprint}, '',
      ${teamId}::uuid, ${workspaceId}::uuid FROM patience
    ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
      fingerprint = excluded.fingerprint, created_at = excluded.created_at,
      team_id = excluded.team_id, workspace_id = excluded.workspace_id
    WHERE k.created_at <= clock_timestamp() - interval '24 hours'
    RETURNING set_config('lock_timeout', (SELECT usual FROM patience), true)`;
  const rows = await taken.catch((error: unknown) => {
    throw timedOut(error) ? keyBusy(error) : error;
  });
  if (rows.length === 0) throw new AlreadyDone();
}

/** A request with the same key is under way and takes too long to be waited for. */
export const keyBusy = (cause: unknown): Error =>
  new DomainError('conflict', 'a request with this Idempotency-Key is under way: try again', {
    cause,
    retryAfterSeconds: 1,
  });
