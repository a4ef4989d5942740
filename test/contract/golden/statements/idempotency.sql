-- idempotency.find
SELECT operation, fingerprint,
  CASE WHEN octet_length(answer) <= 65536 THEN answer END AS response,
  team_id AS "teamId", workspace_id AS "workspaceId",
  target_workspace_id AS "targetWorkspaceId"
FROM idempotency_keys
WHERE user_id = $1 AND key = $2 AND created_at > clock_timestamp() - interval '24 hours';

-- idempotency.findLong
SELECT answer AS response FROM idempotency_keys
WHERE user_id = $1 AND key = $2 AND created_at > clock_timestamp() - interval '24 hours';

-- idempotency.forgetContent
UPDATE idempotency_keys SET answer = left(answer, strpos(answer, ',"content":') - 1) || '}'
WHERE left(answer, 7) = '{"id":"' AND left(answer, 43) = '{"id":"' || $1::text
  AND strpos(answer, ',"content":') > 0 AND created_at > clock_timestamp() - interval '24 hours'
RETURNING user_id;

-- idempotency.known
SELECT k.user_id, k.key FROM unnest($1::uuid[], $2::text[]) AS asked (user_id, key)
JOIN idempotency_keys k USING (user_id, key)
WHERE k.created_at > clock_timestamp() - interval '24 hours';

-- idempotency.store
WITH timeout AS MATERIALIZED (
  SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', '5s', true)
)
INSERT INTO idempotency_keys AS k
  (user_id, key, operation, fingerprint, answer, team_id, workspace_id, target_workspace_id)
SELECT n.* FROM timeout,
  unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[],
    $8::uuid[])
    AS n (user_id, key, operation, fingerprint, answer, team_id, workspace_id,
      target_workspace_id)
ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
  fingerprint = excluded.fingerprint, created_at = excluded.created_at,
  team_id = excluded.team_id, workspace_id = excluded.workspace_id,
  target_workspace_id = excluded.target_workspace_id,
  answer = CASE WHEN k.created_at <= clock_timestamp() - interval '24 hours' THEN excluded.answer END
RETURNING set_config('lock_timeout', (SELECT usual FROM timeout), true);

-- idempotency.storeResponse
UPDATE idempotency_keys SET answer = $3 WHERE user_id = $1 AND key = $2;

-- keysPurge.remove
WITH removed AS (
  DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM idempotency_keys
    WHERE created_at <= now() - $1::int * interval '1 second'
    ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT count(*) AS rows FROM removed;

-- keysPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263517) AS taken;
