import { concerns, isTransient, timedOut, wasRefused } from '@teamspaces/pg-lanes/driver-errors';
import { type Statement, toArrays } from '@teamspaces/pg-lanes/pipelined-transaction';
import { type PreparedCall, point, scan } from '@teamspaces/pg-lanes/statements';
import type { Database, Transaction } from '../database/database.js';
import { DomainError } from '../errors/domain-error.js';
import {
  AlreadySucceeded,
  type IdempotentWrite,
  KEPT_HOURS,
  type KeyId,
  type KeyScope,
} from './idempotent-write.js';

// The SQL of idempotency keys, but for that of their purge (jobs/retention.ts). A key is a row of the
// write's own transaction: writes about people and settings take it first and store the response last
// (withIdempotencyKey); those of the tree do both in one statement, while holding the lock of their
// workspace (knownKeys, storeResponses).

/** What is stored under a key. */
export interface StoredResponse extends KeyScope {
  operation: string;
  fingerprint: string;
  /** The body, as it was sent; null: it is long, and read by findLongResponse(). */
  response: string | null;
}

/** SQL: for how long a key counts. */
const KEPT = `interval '${KEPT_HOURS} hours'`;

/** What has succeeded under the caller's key; null: nothing, or too long ago. */
export async function findResponse(
  database: Database,
  { userId, key }: KeyId,
): Promise<StoredResponse | null> {
  const [found] = await database.query<StoredResponse>(FIND, [userId, key]);
  return found ?? null;
}

/** The body of a long response, as it was sent, or without its content; null: it is kept no longer. */
export async function findLongResponse(
  database: Database,
  { userId, key }: KeyId,
): Promise<string | null> {
  const by = { callerId: userId };
  const [found] = await database.query<{ response: string }>(FIND_LONG, [userId, key], by);
  return found?.response ?? null;
}

type Work<T> = (tx: Transaction) => Promise<T>;

/**
 * Makes the work of a transaction idempotent: its first statement takes the key, so that a concurrent
 * duplicate waits for it to commit; its last one stores the response. Both leave with statements of
 * the work. A rollback frees the key.
 * @param write null: the request has no key
 * @throws AlreadySucceeded: the duplicate has committed; DomainError conflict: it takes too long
 */
export function withIdempotencyKey<Result>(
  write: IdempotentWrite<Result> | null,
  { teamId = null, workspaceId = null }: Partial<KeyScope>,
  work: Work<Result>,
): Work<Result> {
  if (write === null) return work;
  const taken = storeResponses([{ ...write, teamId, workspaceId, response: '' }]);
  return async (tx) => {
    await write.lookedUp;
    tx.write(...taken, (error) => {
      if (timedOut(error)) return keyBusy(error);
      return wasRefused(error) && !isTransient(error) ? new AlreadySucceeded() : error;
    });
    const result = await work(tx);
    tx.write(STORE_RESPONSE, [write.userId, write.key, write.serialize(result)]);
    return result;
  };
}

/** Returns the user_id and key of those that are in use. */
export const knownKeys = (keys: readonly KeyId[]): PreparedCall => [
  KNOWN,
  toArrays(keys, ['userId', 'key']),
];

/** Stores responses, in the order of their keys, so that two transactions do not deadlock. */
export function storeResponses(
  responses: readonly (KeyId & KeyScope & { response: string })[],
): Statement {
  const inOrder = [...responses].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const names = ['userId', 'key', 'operation', 'fingerprint', 'response'] as const;
  return [STORE, toArrays(inOrder, [...names, 'teamId', 'workspaceId', 'targetWorkspaceId'])];
}

/**
 * Takes the content of an item out of all responses that are stored of it: a replay reads it as it is then. Returns a
 * row for each.
 */
export const forgetContent = (itemId: string): Statement => [FORGET_CONTENT, [itemId]];

/** True if a transaction failed because another one takes, or has taken, one of its keys. */
export const isAboutKeys = (error: unknown): boolean =>
  concerns(error, 'idempotency_keys') || isKeyBusy(error);

/** True if a transaction failed because another one has taken one of its keys for too long. */
export const isKeyBusy = (error: unknown): error is DomainError =>
  error instanceof DomainError &&
  error.code === 'conflict' &&
  concerns(error.cause, 'idempotency_keys');

/** A request with the same key is in progress and takes too long to be waited for. */
export const keyBusy = (cause?: unknown): DomainError =>
  new DomainError('conflict', 'a request with this Idempotency-Key is in progress: try again', {
    cause,
    retryAfterSeconds: 1,
  });

/** A key with its owner, as one text. */
export const idOf = ({ userId, key }: Pick<KeyId, 'userId' | 'key'>): string => `${userId} ${key}`;

/** Bytes of a response that is read together with the reads of others. A list of ids may have ten times as many. */
const SHORT = 64 * 1024;

/** Of a long response, `response` is null. */
const FIND = point(1, {
  name: 'idempotency.find',
  text: `
    SELECT operation, fingerprint,
      CASE WHEN octet_length(answer) <= ${SHORT} THEN answer END AS response,
      team_id AS "teamId", workspace_id AS "workspaceId",
      target_workspace_id AS "targetWorkspaceId"
    FROM idempotency_keys
    WHERE user_id = $1 AND key = $2 AND created_at > clock_timestamp() - ${KEPT}`,
});

const FIND_LONG = scan({
  name: 'idempotency.findLong',
  text: `
    SELECT answer AS response FROM idempotency_keys
    WHERE user_id = $1 AND key = $2 AND created_at > clock_timestamp() - ${KEPT}`,
});

const STORE_RESPONSE = {
  name: 'idempotency.storeResponse',
  text: 'UPDATE idempotency_keys SET answer = $3 WHERE user_id = $1 AND key = $2',
};

/** As withoutContent() writes it. The index idempotency_keys_item_idx finds them. */
const FORGET_CONTENT = {
  name: 'idempotency.forgetContent',
  text: `
    UPDATE idempotency_keys SET answer = left(answer, strpos(answer, ',"content":') - 1) || '}'
    WHERE left(answer, 7) = '{"id":"' AND left(answer, 43) = '{"id":"' || $1::text
      AND strpos(answer, ',"content":') > 0 AND created_at > clock_timestamp() - ${KEPT}
    RETURNING user_id`,
};

const KNOWN = point(100, {
  name: 'idempotency.known',
  text: `
    SELECT k.user_id, k.key FROM unnest($1::uuid[], $2::text[]) AS asked (user_id, key)
    JOIN idempotency_keys k USING (user_id, key)
    WHERE k.created_at > clock_timestamp() - ${KEPT}`,
});

/** Waits up to five seconds for a transaction that has taken a key. A key that is over is replaced. */
const insert = (rows: string, ifTaken: string): string => `
    WITH timeout AS MATERIALIZED (
      SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', '5s', true)
    )
    INSERT INTO idempotency_keys AS k
      (user_id, key, operation, fingerprint, answer, team_id, workspace_id, target_workspace_id)
    ${rows}
    ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
      fingerprint = excluded.fingerprint, created_at = excluded.created_at,
      team_id = excluded.team_id, workspace_id = excluded.workspace_id,
      target_workspace_id = excluded.target_workspace_id${ifTaken}
    RETURNING set_config('lock_timeout', (SELECT usual FROM timeout), true)`;

/** Violates NOT NULL if another transaction has taken a key meanwhile. */
const STORE = {
  name: 'idempotency.store',
  text: insert(
    `SELECT n.* FROM timeout,
      unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[],
        $8::uuid[])
        AS n (user_id, key, operation, fingerprint, answer, team_id, workspace_id,
          target_workspace_id)`,
    `,
      answer = CASE WHEN k.created_at <= clock_timestamp() - ${KEPT} THEN excluded.answer END`,
  ),
};
