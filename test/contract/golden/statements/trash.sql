-- trash.empty
WITH found AS MATERIALIZED (
  SELECT ARRAY (
    SELECT ctid FROM trash_deletions
    WHERE team_id = $1 AND workspace_id = $2 AND purged_at IS NULL AND deleted_at <= $3
    ORDER BY deleted_at LIMIT $4
  ) AS places
), purged AS (
  UPDATE trash_deletions SET purged_at = now()
  WHERE team_id = $1 AND purged_at IS NULL AND ctid = ANY ((SELECT places FROM found)::tid[])
  RETURNING pages, collections
)
SELECT (SELECT cardinality(places) FROM found) AS found, count(*)::int AS deletions, coalesce(sum(pages), 0)::int AS pages,
  coalesce(sum(collections), 0)::int AS collections
FROM purged;

-- trash.find
SELECT d.id, d.deleted_at AS "deletedAt", d.parent_id AS "parentId", d.position, d.rebalances,
  d.before_id AS "beforeId", d.after_id AS "afterId", d.height, d.pages, d.collections,
  t.plan, u.pages AS "usedPages", u.collections AS "usedCollections"
FROM trash_deletions d
JOIN teams t ON t.id = d.team_id
JOIN team_usage u ON u.team_id = d.team_id
WHERE d.team_id = $1 AND d.id = $3 AND d.workspace_id IS NOT DISTINCT FROM $2 AND d.purged_at IS NULL AND d.deleted_at > now() - $4::int * interval '1 second';

-- trash.findPlace
SELECT w.team_id AS "teamId", w.id AS "workspaceId", t.slug AS "teamSlug",
  w.slug AS "workspaceSlug", w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole"
FROM (SELECT) AS request
LEFT JOIN LATERAL (SELECT * FROM trash_deletions c WHERE c.id >= $1 AND c.id <= $1 ORDER BY c.id LIMIT 1) AS c ON true
LEFT JOIN workspaces w
  ON w.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND w.id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND num_nulls(w.deleted_at) = 1
LEFT JOIN teams t ON t.id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000')
LEFT JOIN LATERAL (
  SELECT role FROM team_members WHERE team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND user_id = $2 OFFSET 0
) AS tm ON true
LEFT JOIN workspace_members wm
  ON wm.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND wm.workspace_id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND wm.user_id = $2;

-- trash.list
SELECT d.id, d.name, coalesce(root.title, d.name) AS title, root.slug, d.object, d.parent_id AS "parentId", d.pages, d.collections,
  d.deleted_at AS "deletedAt", d.deleted_by AS "deletedBy", u.name AS "deletedByName"
FROM trash_deletions d
LEFT JOIN LATERAL (
    SELECT CASE WHEN i.titled_name = i.name THEN i.title ELSE i.name END AS title, i.slug FROM trash_items i
    WHERE i.team_id = $1 AND i.deletion_id = d.id AND i.id = d.id LIMIT 1) AS root ON true
LEFT JOIN users u ON u.id = d.deleted_by
WHERE d.team_id = $1 AND d.workspace_id = $2 AND d.purged_at IS NULL AND d.deleted_at > now() - $3::int * interval '1 second'
  AND ($4::timestamptz IS NULL OR (d.deleted_at, d.id) < ($4::timestamptz, $5::uuid))
ORDER BY d.deleted_at DESC, d.id DESC LIMIT $6;

-- trash.purge
UPDATE trash_deletions d SET purged_at = now()
WHERE d.team_id = $1 AND d.id = $3 AND d.workspace_id IS NOT DISTINCT FROM $2 AND d.purged_at IS NULL AND d.deleted_at > now() - $4::int * interval '1 second'
RETURNING d.id, coalesce((SELECT title FROM (
    SELECT CASE WHEN i.titled_name = i.name THEN i.title ELSE i.name END AS title, i.slug FROM trash_items i
    WHERE i.team_id = $1 AND i.deletion_id = d.id AND i.id = d.id LIMIT 1) AS root), d.name) AS title, d.object,
  d.pages, d.collections;

-- trashPurge.count
SELECT coalesce(sum(items) FILTER (WHERE purged_at IS NULL), 0) AS restorable,
  coalesce(sum(items) FILTER (WHERE purged_at IS NOT NULL), 0) AS purged
FROM (
  SELECT pages + collections AS items, purged_at FROM trash_deletions
  UNION ALL
  SELECT deleted_pages + deleted_collections, purged_at FROM workspaces
  WHERE deleted_at IS NOT NULL
) AS held;

-- trashPurge.deleteWorkspace
DELETE FROM workspaces
WHERE team_id = $1 AND id = $2 AND purged_at IS NOT NULL AND NOT EXISTS (
  SELECT FROM collections c WHERE c.team_id = $1 AND c.workspace_id = $2
) AND NOT EXISTS (
  SELECT FROM trash_deletions d WHERE d.team_id = $1 AND d.workspace_id = $2
) AND NOT EXISTS (
  SELECT FROM tree_changes l WHERE l.team_id = $1 AND l.workspace_id = $2
) AND NOT EXISTS (
  SELECT FROM page_words p WHERE p.team_id = $1 AND p.workspace_id = $2
);

-- trashPurge.mark
WITH overdue AS (
  SELECT id, deleted_at, CASE
      WHEN deleted_at <= now() - $2::int * interval '1 second' THEN 'expired' ELSE 'trash_limit'
    END AS reason
  FROM (
    SELECT id, deleted_at, sum(pages) OVER newest AS pages,
      sum(collections) OVER newest AS collections, sum(workspaces) OVER newest AS workspaces
    FROM (
  SELECT team_id, id, deleted_at, pages, collections, 0 AS workspaces
  FROM trash_deletions WHERE team_id = $1 AND purged_at IS NULL
  UNION ALL
  SELECT team_id, id, deleted_at, deleted_pages, deleted_collections, 1
  FROM workspaces WHERE team_id = $1 AND deleted_at IS NOT NULL AND purged_at IS NULL
    ) AS held
    WINDOW newest AS (ORDER BY deleted_at DESC, id DESC)
  ) AS sums
  WHERE deleted_at <= now() - $2::int * interval '1 second'
    OR greatest(pages, collections) > nullif($3::int, 0)
    OR workspaces > nullif($4::int, 0)
  ORDER BY deleted_at, id LIMIT $6
), workspaces_marked AS (
  UPDATE workspaces w SET purged_at = now() FROM overdue o
  WHERE w.team_id = $1 AND w.id = o.id AND w.deleted_at = o.deleted_at AND w.purged_at IS NULL
  RETURNING w.id, w.name, w.visibility, w.deleted_pages AS pages,
    w.deleted_collections AS collections, o.reason
), deletions_marked AS (
  UPDATE trash_deletions d SET purged_at = now() FROM overdue o
  WHERE d.team_id = $1 AND d.id = o.id AND d.deleted_at = o.deleted_at AND d.purged_at IS NULL
  RETURNING d.id, d.workspace_id,
    coalesce((SELECT title FROM (
    SELECT CASE WHEN i.titled_name = i.name THEN i.title ELSE i.name END AS title, i.slug FROM trash_items i
    WHERE i.team_id = $1 AND i.deletion_id = d.id AND i.id = d.id LIMIT 1) AS root), d.name) AS name, d.object, d.pages, d.collections, o.reason
), marked AS (
  SELECT 'workspace.purged' AS action, 'workspace' AS object, id, id AS workspace_id, name,
    json_build_object('pages', pages, 'collections', collections, 'visibility', visibility,
      'reason', reason) AS details
  FROM workspaces_marked
  UNION ALL
  SELECT 'item.purged', object, id, workspace_id, name,
    json_build_object('pages', pages, 'collections', collections, 'reason', reason)
  FROM deletions_marked
)
INSERT INTO audit_entries (team_id, id, action, target_type, target_id, target_name,
  workspace_id, details)
SELECT u.team_id, md5($5::text || m.id)::uuid, m.action, m.object, m.id, m.name, m.workspace_id,
  m.details
FROM team_usage u, marked m WHERE u.team_id = $1;

-- trashPurge.markDeletions
UPDATE trash_deletions SET purged_at = now()
WHERE team_id = $1 AND id = ANY (ARRAY (
  SELECT id FROM trash_deletions
  WHERE team_id = $1 AND workspace_id = $2 AND purged_at IS NULL LIMIT $3
));

-- trashPurge.next
SELECT team_id FROM trash_deletions WHERE purged_at IS NOT NULL ORDER BY team_id, id LIMIT 1;

-- trashPurge.nextWorkspace
SELECT team_id, id FROM workspaces WHERE purged_at IS NOT NULL ORDER BY team_id, id LIMIT 1;

-- trashPurge.overdue
SELECT sums.team_id, t.plan FROM (
  SELECT team_id, sum(pages) AS pages, sum(collections) AS collections,
    sum(workspaces) AS workspaces, min(deleted_at) AS oldest
  FROM (
  SELECT team_id, id, deleted_at, pages, collections, 0 AS workspaces
  FROM trash_deletions WHERE purged_at IS NULL
  UNION ALL
  SELECT team_id, id, deleted_at, deleted_pages, deleted_collections, 1
  FROM workspaces WHERE deleted_at IS NOT NULL AND purged_at IS NULL
  ) AS held GROUP BY team_id
) AS sums
JOIN teams t ON t.id = sums.team_id
CROSS JOIN LATERAL (SELECT $2::json -> t.plan AS by_resource) AS allowed
WHERE sums.oldest <= now() - $1::int * interval '1 second'
  OR greatest(sums.pages, sums.collections) > nullif((by_resource ->> 'pages')::int, 0)
  OR sums.workspaces > nullif((by_resource ->> 'workspaces')::int, 0)
LIMIT $3;

-- trashPurge.removeChanges
DELETE FROM tree_changes WHERE team_id = $1 AND ctid = ANY (ARRAY (
  SELECT ctid FROM tree_changes
  WHERE team_id = $1 AND workspace_id = $2
  ORDER BY team_id, workspace_id, version, id LIMIT $3
));

-- trashPurge.removeDeletions
DELETE FROM trash_deletions WHERE team_id = $1 AND id = ANY (ARRAY (
  SELECT d.id FROM trash_deletions d
  WHERE d.team_id = $1 AND d.purged_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM trash_items i WHERE i.team_id = $1 AND i.deletion_id = d.id
  ) LIMIT $2
));

-- trashPurge.removeFromTree
WITH picked AS MATERIALIZED (
  SELECT c.id FROM collections c
  WHERE c.team_id = $1 AND c.workspace_id = $2 AND NOT EXISTS (
    SELECT FROM collections child WHERE child.team_id = $1 AND child.list_id = c.id
  )
  ORDER BY c.team_id DESC, c.workspace_id DESC, c.id DESC LIMIT $3
), versions AS (
  DELETE FROM page_versions WHERE team_id = $1 AND ctid = ANY (ARRAY (
    SELECT v.ctid FROM picked CROSS JOIN LATERAL (
      SELECT ctid FROM page_versions WHERE team_id = $1 AND id = picked.id
      ORDER BY team_id, id, version
    ) AS v LIMIT $3
  )) RETURNING 1
), removed AS (
  DELETE FROM collections r USING picked
  WHERE r.team_id = $1 AND r.id = picked.id AND NOT EXISTS (
    SELECT FROM page_versions v WHERE v.team_id = $1 AND v.id = picked.id
  ) RETURNING 1
)
SELECT (SELECT count(*) FROM versions) AS versions, count(*) AS items FROM removed;

-- trashPurge.removeItems
WITH picked AS MATERIALIZED (
  SELECT i.deletion_id, i.id FROM (
    SELECT id FROM trash_deletions
    WHERE team_id = $1 AND purged_at IS NOT NULL ORDER BY team_id, id
  ) AS d
  JOIN trash_items i ON i.team_id = $1 AND i.deletion_id = d.id LIMIT $2
), versions AS (
  DELETE FROM page_versions WHERE team_id = $1 AND ctid = ANY (ARRAY (
    SELECT v.ctid FROM picked CROSS JOIN LATERAL (
      SELECT ctid FROM page_versions WHERE team_id = $1 AND id = picked.id
      ORDER BY team_id, id, version
    ) AS v LIMIT $2
  )) RETURNING 1
), removed AS (
  DELETE FROM trash_items r USING picked
  WHERE r.team_id = $1 AND r.deletion_id = picked.deletion_id AND r.id = picked.id AND NOT EXISTS (
    SELECT FROM page_versions v WHERE v.team_id = $1 AND v.id = picked.id
  ) RETURNING 1
)
SELECT (SELECT count(*) FROM versions) AS versions, count(*) AS items FROM removed;

-- trashPurge.removeWords
DELETE FROM page_words WHERE team_id = $1 AND ctid = ANY (ARRAY (
  SELECT ctid FROM page_words
  WHERE team_id = $1 AND workspace_id = $2
  ORDER BY team_id, workspace_id, id, part LIMIT $3
));

-- trashPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263514) AS taken;
