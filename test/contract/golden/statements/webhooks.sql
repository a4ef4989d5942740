-- webhookDeliveries.endLease
UPDATE webhook_senders SET holder = NULL, leased_until = NULL,
  failing_since = CASE WHEN NOT $4::boolean THEN coalesce(CASE WHEN EXISTS (
    SELECT FROM webhook_states
    WHERE team_id = $1 AND webhook_id = $2 AND attempts > 0
  ) THEN failing_since END, now()) END
WHERE team_id = $1 AND webhook_id = $2 AND holder = $3
RETURNING coalesce(extract(epoch FROM now() - failing_since) * 1000, 0)::float8 AS "failingFor";

-- webhookDeliveries.findDue
SELECT s.team_id AS "teamId", s.webhook_id AS "webhookId" FROM webhook_states s
LEFT JOIN webhook_senders l ON l.team_id = s.team_id AND l.webhook_id = s.webhook_id
WHERE s.due_at <= now() AND (l.leased_until IS NULL OR l.leased_until <= clock_timestamp())
ORDER BY s.due_at LIMIT 1000;

-- webhookDeliveries.findDueAfter
WITH RECURSIVE steps AS (
  (
  SELECT s.team_id, s.webhook_id, s.due_at FROM webhook_states s
  WHERE (s.team_id, s.webhook_id) > ($1::uuid, $2::uuid) AND s.due_at IS NOT NULL
  ORDER BY s.team_id, s.webhook_id, s.due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM steps CROSS JOIN LATERAL (
  SELECT s.team_id, s.webhook_id, s.due_at FROM webhook_states s
  WHERE (s.team_id, s.webhook_id) > (steps.team_id, steps.webhook_id) AND s.due_at IS NOT NULL
  ORDER BY s.team_id, s.webhook_id, s.due_at LIMIT 1
  ) AS next
), seen AS MATERIALIZED (SELECT * FROM steps LIMIT 1000)
SELECT n.team_id AS "teamId", n.webhook_id AS "webhookId", n.due_at <= now() AND NOT EXISTS (
  SELECT FROM webhook_senders l
  WHERE l.team_id = n.team_id AND l.webhook_id = n.webhook_id AND l.leased_until > clock_timestamp()
) AS "isDue"
FROM seen n;

-- webhookDeliveries.findEnabled
SELECT h.url, m.role AS "makerRole" FROM webhooks h
LEFT JOIN team_members m ON m.team_id = h.team_id AND m.user_id = h.maker_id
WHERE h.team_id = $1 AND h.id = $2 AND h.enabled;

-- webhookDeliveries.findTeam
SELECT t.slug, m.role FROM teams t
LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = $2
WHERE t.id = $1;

-- webhookDeliveries.findTree
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", w.slug, t.slug AS "teamSlug", w.tree_version::float8 AS version, w.tree_stamp AS stamp
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.id = $4 AND num_nulls(w.deleted_at) = 1
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- webhookDeliveries.forget
DELETE FROM webhook_states WHERE team_id = $1 AND webhook_id = $2 AND scope_id = $3;

-- webhookDeliveries.keep
UPDATE webhook_states
SET version = coalesce($4, version), stamp = coalesce($5, stamp),
  entry_id = coalesce($6, entry_id), seen_at = coalesce($7, seen_at),
  seen_total = coalesce($8, seen_total), seen_visible = coalesce($9, seen_visible),
  message_id = $10, body = $11, attempts = 0,
  due_at = CASE WHEN $10::text IS NOT NULL THEN due_at END
WHERE team_id = $1 AND webhook_id = $2 AND scope_id = $3;

-- webhookDeliveries.lease
INSERT INTO webhook_senders AS l (team_id, webhook_id, holder, leased_until)
VALUES ($1, $2, $3, clock_timestamp() + interval '30 seconds')
ON CONFLICT (team_id, webhook_id) DO UPDATE
SET holder = excluded.holder, leased_until = excluded.leased_until
WHERE l.leased_until IS NULL OR l.leased_until <= clock_timestamp()
RETURNING clock_timestamp() AS now;

-- webhookDeliveries.log
INSERT INTO webhook_deliveries
  (team_id, webhook_id, id, at, message_id, event, workspace_id, status)
VALUES ($1, $2, $3, now(), $4, $5, $6, $7);

-- webhookDeliveries.makers
SELECT h.id, h.maker_id AS "makerId"
FROM unnest($1::uuid[], $2::uuid[]) AS n (team_id, id)
JOIN webhooks h ON h.team_id = n.team_id AND h.id = n.id;

-- webhookDeliveries.next
SELECT h.team_id AS "teamId", h.id AS "webhookId", s.scope_id AS "scopeId", h.url,
  h.maker_id AS "makerId", h.events, h.generation, h.renewed_at AS "renewedAt",
  s.version::float8 AS version, s.stamp, s.entry_id AS "entryId", s.seen_at AS "seenAt",
  s.seen_visible AS "seenVisible", s.message_id AS "messageId", s.body, s.attempts
FROM webhooks h
JOIN webhook_states s ON s.team_id = h.team_id AND s.webhook_id = h.id
WHERE h.team_id = $1 AND h.id = $2 AND h.enabled AND s.due_at <= now()
ORDER BY s.due_at LIMIT 1;

-- webhookDeliveries.release
UPDATE webhook_senders SET holder = NULL, leased_until = NULL
WHERE team_id = $1 AND webhook_id = $2 AND holder = $3;

-- webhookDeliveries.settle
UPDATE webhook_states
SET message_id = CASE WHEN NOT $5::boolean THEN message_id END,
  body = CASE WHEN NOT $5::boolean THEN body END,
  attempts = CASE WHEN $5::boolean THEN 0 ELSE attempts + 1 END, sent_at = now(),
  due_at = now() + $6 * interval '1 millisecond'
WHERE team_id = $1 AND webhook_id = $2 AND scope_id = $3 AND message_id = $4;

-- webhookDeliveries.trim
DELETE FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2 AND id <= (
  SELECT id FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2
  ORDER BY id DESC OFFSET 100 LIMIT 1
);

-- webhookRounds.auditLooks
SELECT s.team_id AS "teamId", s.webhook_id AS "webhookId", s.seen_at AS "seenAt",
  s.seen_total AS "seenTotal"
FROM unnest($1::uuid[]) AS asked (id)
JOIN webhook_states s
  ON s.team_id = asked.id AND s.scope_id = asked.id AND s.due_at IS NULL;

-- webhookRounds.audited
SELECT e.team_id AS "teamId" FROM audit_entries e
WHERE e.at > $1 AND e.at < $1::timestamptz + interval '1 day' AND EXISTS (SELECT FROM webhooks h WHERE h.team_id = e.team_id AND h.enabled)
GROUP BY e.team_id;

-- webhookRounds.before
SELECT (version - 1)::float8 AS version, previous_stamp AS stamp FROM tree_changes
WHERE team_id = $1 AND workspace_id = $2 AND version >= $3::bigint AND created_at >= $4
ORDER BY team_id, workspace_id, version LIMIT 1;

-- webhookRounds.changed
SELECT c.team_id AS "teamId", c.workspace_id AS id, max(c.created_at) AS "changedAt",
  min(c.version)::float8 AS "firstVersion", max(c.version)::float8 AS "lastVersion"
FROM tree_changes c
WHERE c.created_at > $1 AND c.created_at < $1::timestamptz + interval '1 day' AND EXISTS (SELECT FROM webhooks h WHERE h.team_id = c.team_id AND h.enabled)
GROUP BY c.team_id, c.workspace_id;

-- webhookRounds.clearSenders
DELETE FROM webhook_senders o USING unnest($1::uuid[], $2::uuid[]) AS n (team_id, id)
WHERE o.team_id = n.team_id AND o.webhook_id = n.id;

-- webhookRounds.clearStates
DELETE FROM webhook_states o USING unnest($1::uuid[], $2::uuid[]) AS n (team_id, id)
WHERE o.team_id = n.team_id AND o.webhook_id = n.id;

-- webhookRounds.countEntries
SELECT count(*)::int AS total FROM audit_entries
WHERE team_id = $1 AND at > $2::timestamptz - interval '1 minute';

-- webhookRounds.end
UPDATE webhook_rounds SET looked_at = $2, compared_team_id = $3, compared_id = $4,
  leased_until = $2::timestamptz + interval '950 milliseconds'
WHERE id = 1 AND holder = $1;

-- webhookRounds.findFresh
WITH changed AS MATERIALIZED (
  SELECT n.*, ARRAY (
    SELECT s.webhook_id FROM webhook_states s WHERE s.team_id = n.team_id AND s.scope_id = n.id
  ) AS told
  FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::bigint[])
    AS n (team_id, id, changed_at, first_version)
)
SELECT n.team_id AS "teamId", h.id AS "webhookId", n.id AS "scopeId", h.since,
  n.first_version::float8 AS "firstVersion"
FROM changed n
JOIN webhooks h ON h.team_id = n.team_id AND h.enabled
  AND 'workspace.changed' = ANY (h.events)
  AND (h.workspace_ids IS NULL OR n.id = ANY (h.workspace_ids))
  AND n.changed_at >= h.since - $5 * interval '1 millisecond'
WHERE h.id <> ALL (n.told);

-- webhookRounds.heads
SELECT w.team_id AS "teamId", w.id, w.tree_stamp AS stamp, max(c.created_at) AS "changedAt",
  0 AS "firstVersion"
FROM workspaces w
LEFT JOIN tree_changes c
  ON c.team_id = w.team_id AND c.workspace_id = w.id AND c.version = w.tree_version
WHERE w.team_id = ANY ($1::uuid[]) AND w.tree_version > 0 AND num_nulls(w.deleted_at) = 1
GROUP BY w.team_id, w.id;

-- webhookRounds.insert
INSERT INTO webhook_states (team_id, webhook_id, scope_id, version, stamp, due_at)
SELECT n.*, now()
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::uuid[]) AS n
ON CONFLICT DO NOTHING;

-- webhookRounds.markTeams
UPDATE webhook_states s SET due_at = greatest(now(), s.sent_at + interval '5 seconds')
FROM unnest($1::uuid[], $2::uuid[]) AS n (team_id, webhook_id)
WHERE s.team_id = n.team_id AND s.webhook_id = n.webhook_id AND s.scope_id = n.team_id
  AND s.due_at IS NULL;

-- webhookRounds.markTrees
UPDATE webhook_states s SET due_at = greatest(now(), s.sent_at + interval '5 seconds')
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS n (team_id, scope_id, stamp)
WHERE s.team_id = n.team_id AND s.scope_id = n.scope_id AND s.stamp <> n.stamp
  AND s.due_at IS NULL;

-- webhookRounds.next
SELECT h.team_id AS "teamId", h.id FROM webhooks h
WHERE (h.team_id, h.id) > ($1, $2) AND h.enabled
ORDER BY h.team_id, h.id LIMIT (SELECT count(*) / 250 + 1 FROM webhooks);

-- webhookRounds.ofTeams
SELECT h.team_id AS "teamId", h.id, (
  SELECT m.role FROM team_members m WHERE m.team_id = h.team_id AND m.user_id = h.maker_id
) AS "makerRole"
FROM webhooks h
WHERE h.team_id = ANY ($1::uuid[]) AND h.enabled;

-- webhookRounds.orphans
SELECT o.team_id AS "teamId", o.webhook_id AS id FROM (
  SELECT team_id, webhook_id FROM webhook_states
  UNION SELECT team_id, webhook_id FROM webhook_senders
) AS o
WHERE (SELECT h.id FROM webhooks h WHERE h.team_id = o.team_id AND h.id = o.webhook_id) IS NULL
LIMIT 1000;

-- webhookRounds.take
UPDATE webhook_rounds
SET holder = $1, leased_until = clock_timestamp() + interval '20 seconds'
WHERE id = 1 AND leased_until <= clock_timestamp()
  - CASE WHEN holder = $1 THEN interval '0' ELSE interval '2 seconds' END
RETURNING now() AS "startedAt", looked_at AS "lookedAt", compared_team_id AS "teamId",
  compared_id AS "webhookId";

-- webhooks.count
SELECT count(*)::int AS count FROM webhooks WHERE team_id = $1;

-- webhooks.delete
DELETE FROM webhooks WHERE team_id = $1 AND id = $2;

-- webhooks.deleteDeliveries
DELETE FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2;

-- webhooks.deleteOtherStates
DELETE FROM webhook_states
WHERE team_id = $1 AND webhook_id = $2 AND NOT CASE scope_id
  WHEN $2 THEN true
  WHEN $1 THEN $3::boolean
  ELSE $4::boolean AND ($5::uuid[] IS NULL OR scope_id = ANY ($5)) END;

-- webhooks.deleteSender
DELETE FROM webhook_senders WHERE team_id = $1 AND webhook_id = $2;

-- webhooks.deleteStates
DELETE FROM webhook_states WHERE team_id = $1 AND webhook_id = $2;

-- webhooks.disable
UPDATE webhooks SET enabled = false, disabled_because = $3, updated_at = now()
WHERE team_id = $1 AND id = $2;

-- webhooks.findByIds
SELECT w.id, w.slug, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole" FROM workspaces w
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $2
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $2
WHERE w.team_id = $1 AND w.id = ANY ($3::uuid[]) AND num_nulls(w.deleted_at) = 1;

-- webhooks.findBySlugs
SELECT w.id, w.slug, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole" FROM workspaces w
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $2
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $2
WHERE w.team_id = $1 AND w.slug = ANY ($3::text[]) AND w.deleted_at IS NULL;

-- webhooks.insert
INSERT INTO webhooks (team_id, id, url, events, workspace_ids, maker_id)
VALUES ($1, $2, $3, $4::text[], $5::uuid[], $6);

-- webhooks.insertAuditMark
INSERT INTO webhook_states (team_id, webhook_id, scope_id, entry_id, seen_at, seen_total,
  seen_visible)
VALUES ($1, $2, $1, $3, $4, $5, $6)
ON CONFLICT DO NOTHING;

-- webhooks.insertTreeMarks
INSERT INTO webhook_states (team_id, webhook_id, scope_id, version, stamp)
SELECT $1, $2, n.* FROM unnest($3::uuid[], $4::bigint[], $5::uuid[]) AS n
ON CONFLICT DO NOTHING;

-- webhooks.list
SELECT t.id AS "teamId", tm.role AS "teamRole", h.id, h.url, h.events,
  h.workspace_ids AS "workspaceIds", h.enabled, h.disabled_because AS "disabledBecause",
  h.generation, h.renewed_at AS "renewedAt", h.created_at AS "createdAt",
  h.updated_at AS "updatedAt", CASE WHEN h.workspace_ids IS NOT NULL THEN ARRAY (
    SELECT w.slug FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE w.team_id = $1 AND w.id = ANY (h.workspace_ids) AND num_nulls(w.deleted_at) = 1
      AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    ORDER BY w.created_at, w.id
  ) END AS slugs
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN webhooks h ON h.team_id = $1 AND ($4::uuid IS NULL OR h.id = $4)
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY h.created_at, h.id;

-- webhooks.listDeliveries
SELECT message_id AS "messageId", at, event, workspace_id AS "workspaceId", status
FROM webhook_deliveries WHERE team_id = $1 AND webhook_id = $2
ORDER BY id DESC LIMIT 100;

-- webhooks.lookAtAudit
WITH recent AS (
  SELECT e.id, e.at, max(e.at) OVER () - interval '1 minute' AS "from",
    coalesce(e.workspace_id, e.team_id) IN (
    SELECT t.id FROM teams t WHERE t.id = $1
    UNION
    SELECT w.id FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $2
    WHERE w.team_id = $1 AND num_nulls(w.purged_at) = 1
      AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    UNION
    SELECT purge.workspace_id FROM audit_entries purge
    WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
      AND purge.details ->> 'visibility' = 'public'
    ) AS is_visible
  FROM audit_entries e
  WHERE e.team_id = $1 AND e.at > coalesce($3::timestamptz,
    (SELECT max(at) FROM audit_entries WHERE team_id = $1)) - interval '1 minute'
)
SELECT (array_agg(id ORDER BY at DESC, id DESC) FILTER (WHERE is_visible))[1] AS "entryId",
  count(*) FILTER (WHERE is_visible)::int AS visible,
  coalesce(bool_or(is_visible AND at > coalesce(
    (SELECT at FROM recent WHERE id = $4::uuid), '-infinity')), false) AS "isNewer",
  max(at) AS "seenAt",
  count(*) FILTER (WHERE at > "from")::int AS "seenTotal",
  count(*) FILTER (WHERE is_visible AND at > "from")::int AS "seenVisible"
FROM recent;

-- webhooks.queueTest
INSERT INTO webhook_states AS s (team_id, webhook_id, scope_id, message_id, body, due_at)
VALUES ($1, $2, $2, $3, $4, now())
ON CONFLICT (team_id, webhook_id, scope_id) DO UPDATE SET message_id = excluded.message_id,
  body = excluded.body, due_at = greatest(excluded.due_at, s.sent_at + interval '5 seconds')
WHERE s.body IS NULL;

-- webhooks.recentlyChanged
SELECT w.id, w.tree_version::float8 AS version, w.tree_stamp AS stamp
FROM workspaces w
CROSS JOIN LATERAL (
  SELECT c.created_at FROM tree_changes c
  WHERE c.team_id = $1 AND c.workspace_id = w.id
    AND c.version >= w.tree_version AND c.version <= w.tree_version
  ORDER BY c.team_id, c.workspace_id, c.version LIMIT 1
) AS newest
WHERE w.team_id = $1 AND num_nulls(w.deleted_at) = 1
  AND newest.created_at > now() - interval '2 minutes';

-- webhooks.renewSecret
UPDATE webhooks SET maker_id = $3, generation = generation + 1, renewed_at = now(), updated_at = now()
WHERE team_id = $1 AND id = $2;

-- webhooks.restart
UPDATE webhooks SET since = now() WHERE team_id = $1 AND id = $2;

-- webhooks.retryNow
UPDATE webhook_states
SET attempts = 0, due_at = greatest(now(), sent_at + interval '5 seconds')
WHERE team_id = $1 AND webhook_id = $2 AND message_id IS NOT NULL;

-- webhooks.update
UPDATE webhooks SET maker_id = $3, url = $4, events = $5::text[], workspace_ids = $6::uuid[],
  enabled = $7::boolean, disabled_because = CASE WHEN NOT $7::boolean THEN disabled_because END,
  updated_at = now()
WHERE team_id = $1 AND id = $2;
