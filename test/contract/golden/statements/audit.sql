-- audit.record
INSERT INTO audit_entries (team_id, id, actor_id, request_id, action, target_type, target_id,
  target_name, workspace_id, details)
SELECT u.team_id, n.id, $2::uuid, $3::text, n.action, n.target_type, n.target_id, n.target_name,
  n.workspace_id, n.details::json
FROM team_usage u,
  unnest($4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::text[], $9::uuid[], $10::text[])
    AS n (id, action, target_type, target_id, target_name, workspace_id, details)
WHERE u.team_id = $1;

-- auditLog.list
SELECT t.id AS "teamId", tm.role AS "teamRole", e.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  WITH newest AS MATERIALIZED (
    SELECT scope.id AS scope, e.at, e.id FROM (
    SELECT t.id FROM teams t WHERE t.id = $1
    UNION
    SELECT w.id FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE w.team_id = $1 AND num_nulls(w.purged_at) = 1
      AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    UNION
    SELECT purge.workspace_id FROM audit_entries purge
    WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
      AND purge.details ->> 'visibility' = 'public'
    ) AS scope CROSS JOIN LATERAL (
    SELECT e.at, e.id FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = scope.id
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT 1
    ) AS e
    WHERE tm.role = 'owner'
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ), last AS MATERIALIZED (
    SELECT at, id FROM newest ORDER BY at DESC, id DESC OFFSET $6::bigint - 1
  )
  SELECT e.id, e.at, e.actor_id AS "actorId", a.name AS "actorName", e.action,
    e.target_type AS "targetType", e.target_id AS "targetId",
    coalesce(p.name, e.target_name) AS "targetName", e.workspace_id AS "workspaceId", e.details,
    e.request_id AS "requestId"
  FROM (
    SELECT e.* FROM newest CROSS JOIN LATERAL (
    SELECT e.* FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = newest.scope
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
      AND ((e.at AT TIME ZONE 'UTC'), e.id) >= (coalesce((SELECT at::timestamptz AT TIME ZONE 'UTC' FROM last), '-infinity'),
        coalesce((SELECT id FROM last), '00000000-0000-0000-0000-000000000000'))
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT $6
    ) AS e
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ) AS e
  LEFT JOIN users a ON a.id = e.actor_id
  LEFT JOIN users p ON e.target_type = 'user' AND p.id = e.target_id
) e ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY e.at DESC, e.id DESC;

-- auditLog.ofAction
SELECT t.id AS "teamId", tm.role AS "teamRole", e.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  WITH newest AS MATERIALIZED (
    SELECT scope.id AS scope, e.at, e.id FROM (
    SELECT t.id FROM teams t WHERE t.id = $1
    UNION
    SELECT w.id FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE w.team_id = $1 AND num_nulls(w.purged_at) = 1
      AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    UNION
    SELECT purge.workspace_id FROM audit_entries purge
    WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
      AND purge.details ->> 'visibility' = 'public'
    ) AS scope CROSS JOIN LATERAL (
    SELECT e.at, e.id FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = scope.id AND e.action = $9
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT 1
    ) AS e
    WHERE tm.role = 'owner'
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ), last AS MATERIALIZED (
    SELECT at, id FROM newest ORDER BY at DESC, id DESC OFFSET $6::bigint - 1
  )
  SELECT e.id, e.at, e.actor_id AS "actorId", a.name AS "actorName", e.action,
    e.target_type AS "targetType", e.target_id AS "targetId",
    coalesce(p.name, e.target_name) AS "targetName", e.workspace_id AS "workspaceId", e.details,
    e.request_id AS "requestId"
  FROM (
    SELECT e.* FROM newest CROSS JOIN LATERAL (
    SELECT e.* FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = newest.scope AND e.action = $9
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
      AND ((e.at AT TIME ZONE 'UTC'), e.id) >= (coalesce((SELECT at::timestamptz AT TIME ZONE 'UTC' FROM last), '-infinity'),
        coalesce((SELECT id FROM last), '00000000-0000-0000-0000-000000000000'))
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT $6
    ) AS e
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ) AS e
  LEFT JOIN users a ON a.id = e.actor_id
  LEFT JOIN users p ON e.target_type = 'user' AND p.id = e.target_id
) e ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY e.at DESC, e.id DESC;

-- auditLog.ofActionAndActor
SELECT t.id AS "teamId", tm.role AS "teamRole", e.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  WITH newest AS MATERIALIZED (
    SELECT scope.id AS scope, e.at, e.id FROM (
    SELECT t.id FROM teams t WHERE t.id = $1
    UNION
    SELECT w.id FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE w.team_id = $1 AND num_nulls(w.purged_at) = 1
      AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    UNION
    SELECT purge.workspace_id FROM audit_entries purge
    WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
      AND purge.details ->> 'visibility' = 'public'
    ) AS scope CROSS JOIN LATERAL (
    SELECT e.at, e.id FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = scope.id AND e.action = $9 AND e.actor_id = $10::uuid
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT 1
    ) AS e
    WHERE tm.role = 'owner'
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ), last AS MATERIALIZED (
    SELECT at, id FROM newest ORDER BY at DESC, id DESC OFFSET $6::bigint - 1
  )
  SELECT e.id, e.at, e.actor_id AS "actorId", a.name AS "actorName", e.action,
    e.target_type AS "targetType", e.target_id AS "targetId",
    coalesce(p.name, e.target_name) AS "targetName", e.workspace_id AS "workspaceId", e.details,
    e.request_id AS "requestId"
  FROM (
    SELECT e.* FROM newest CROSS JOIN LATERAL (
    SELECT e.* FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = newest.scope AND e.action = $9 AND e.actor_id = $10::uuid
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
      AND ((e.at AT TIME ZONE 'UTC'), e.id) >= (coalesce((SELECT at::timestamptz AT TIME ZONE 'UTC' FROM last), '-infinity'),
        coalesce((SELECT id FROM last), '00000000-0000-0000-0000-000000000000'))
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT $6
    ) AS e
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ) AS e
  LEFT JOIN users a ON a.id = e.actor_id
  LEFT JOIN users p ON e.target_type = 'user' AND p.id = e.target_id
) e ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY e.at DESC, e.id DESC;

-- auditLog.ofActor
SELECT t.id AS "teamId", tm.role AS "teamRole", e.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  WITH newest AS MATERIALIZED (
    SELECT scope.id AS scope, e.at, e.id FROM (
    SELECT t.id FROM teams t WHERE t.id = $1
    UNION
    SELECT w.id FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE w.team_id = $1 AND num_nulls(w.purged_at) = 1
      AND (w.visibility = 'public' OR wm.role IS NOT NULL)
    UNION
    SELECT purge.workspace_id FROM audit_entries purge
    WHERE purge.team_id = $1 AND purge.action = 'workspace.purged'
      AND purge.details ->> 'visibility' = 'public'
    ) AS scope CROSS JOIN LATERAL (
    SELECT e.at, e.id FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = scope.id AND e.actor_id = $9::uuid
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT 1
    ) AS e
    WHERE tm.role = 'owner'
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ), last AS MATERIALIZED (
    SELECT at, id FROM newest ORDER BY at DESC, id DESC OFFSET $6::bigint - 1
  )
  SELECT e.id, e.at, e.actor_id AS "actorId", a.name AS "actorName", e.action,
    e.target_type AS "targetType", e.target_id AS "targetId",
    coalesce(p.name, e.target_name) AS "targetName", e.workspace_id AS "workspaceId", e.details,
    e.request_id AS "requestId"
  FROM (
    SELECT e.* FROM newest CROSS JOIN LATERAL (
    SELECT e.* FROM audit_entries e
    WHERE e.team_id = $1 AND coalesce(e.workspace_id, e.team_id) = newest.scope AND e.actor_id = $9::uuid
      AND ((e.at AT TIME ZONE 'UTC'), e.id) < (coalesce($4::timestamptz AT TIME ZONE 'UTC', 'infinity'), coalesce($5::uuid, '00000000-0000-0000-0000-000000000000'))
      AND (e.at AT TIME ZONE 'UTC') >= coalesce($7::timestamptz AT TIME ZONE 'UTC', '-infinity')
      AND (e.at AT TIME ZONE 'UTC') < coalesce($8::timestamptz AT TIME ZONE 'UTC', 'infinity')
      AND ((e.at AT TIME ZONE 'UTC'), e.id) >= (coalesce((SELECT at::timestamptz AT TIME ZONE 'UTC' FROM last), '-infinity'),
        coalesce((SELECT id FROM last), '00000000-0000-0000-0000-000000000000'))
    ORDER BY (e.at AT TIME ZONE 'UTC') DESC, e.id DESC LIMIT $6
    ) AS e
    ORDER BY e.at DESC, e.id DESC LIMIT $6
  ) AS e
  LEFT JOIN users a ON a.id = e.actor_id
  LEFT JOIN users p ON e.target_type = 'user' AND p.id = e.target_id
) e ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY e.at DESC, e.id DESC;

-- auditPurge.next
SELECT team_id AS "teamId" FROM audit_entries
WHERE at <= now() - $1::int * interval '1 second' ORDER BY at LIMIT 1;

-- auditPurge.remove
WITH removed AS (
  DELETE FROM audit_entries WHERE team_id = $1 AND ctid = ANY (ARRAY (
    SELECT ctid FROM audit_entries
    WHERE team_id = $1 AND at <= now() - $2::int * interval '1 second'
    ORDER BY at, id LIMIT $3
  )) RETURNING 1
)
SELECT count(*) AS rows FROM removed;

-- auditPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263516) AS taken;
