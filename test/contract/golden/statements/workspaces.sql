-- workspaceMembers.all
SELECT u.id, u.name, u.email, u.image, m.role
FROM workspace_members m JOIN users u ON u.id = m.user_id
WHERE m.team_id = $1 AND m.workspace_id = $2
ORDER BY m.created_at, m.user_id;

-- workspaceMembers.hasEditor
SELECT 1 FROM workspace_members
WHERE team_id = $1 AND workspace_id = $2 AND role = 'editor' LIMIT 1;

-- workspaceMembers.remove
DELETE FROM workspace_members WHERE team_id = $1 AND workspace_id = $2 AND user_id = $3;

-- workspaceMembers.roleOf
SELECT role FROM workspace_members WHERE team_id = $1 AND workspace_id = $2 AND user_id = $3;

-- workspaceMembers.rolesByEmail
SELECT m.user_id AS "userId", m.role
FROM workspace_members m JOIN users u ON u.id = m.user_id
WHERE m.team_id = $1 AND m.workspace_id = $2 AND lower(u.email COLLATE "C") = ANY ($3::text[]);

-- workspaceMembers.setRoles
INSERT INTO workspace_members (team_id, workspace_id, user_id, role, created_at)
SELECT w.team_id, w.id, n.user_id, n.role, now()
FROM workspaces w, unnest($3::uuid[], $4::text[]) AS n (user_id, role)
WHERE w.team_id = $1 AND w.id = $2
ON CONFLICT (team_id, workspace_id, user_id) DO UPDATE SET role = excluded.role;

-- workspaceMembers.successors
SELECT w.id AS "workspaceId",
  (SELECT o.user_id 
  FROM workspace_members o
  WHERE o.team_id = $1 AND o.workspace_id = w.id AND o.user_id <> $2 ORDER BY o.created_at, o.user_id LIMIT 1) AS "userId"
FROM workspace_members m
JOIN workspaces w ON w.team_id = $1 AND w.id = m.workspace_id AND w.visibility = 'private'
WHERE m.team_id = $1 AND m.user_id = $2 AND m.role = 'editor'
  AND NOT EXISTS (SELECT 
  FROM workspace_members o
  WHERE o.team_id = $1 AND o.workspace_id = w.id AND o.user_id <> $2 AND o.role = 'editor');

-- workspaceTrash.find
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", w.role AS "workspaceRole", w.id, w.slug, w.name, w.description, w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt", w.updated_at AS "updatedAt", t.plan, w.deleted_pages AS pages, w.deleted_collections AS collections, w."isSlugTaken"
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  SELECT w.*, wm.role, EXISTS (
      SELECT FROM workspaces o
      WHERE o.team_id = $1 AND o.slug = w.slug AND o.deleted_at IS NULL
    ) AS "isSlugTaken"
  FROM workspaces w
  LEFT JOIN workspace_members wm
    ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
  WHERE w.team_id = $1 AND w.id = $4 AND w.purged_at IS NULL AND w.deleted_at > now() - $5::int * interval '1 second'
) w ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaceTrash.list
SELECT t.id AS "teamId", tm.role AS "teamRole", w.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  SELECT found.*, p.name AS "deletedByName" FROM (
  SELECT * FROM (
  SELECT w.id, w.slug, w.name, w.description, w.visibility, w.deleted_pages AS pages, w.deleted_at AS at, w.deleted_by AS "deletedBy", (coalesce(wm.role = 'editor', false) OR w.visibility = 'public' AND tm.role IN ('moderator', 'owner')) AS "isShown"
  FROM workspaces w
  LEFT JOIN LATERAL (
    SELECT m.role FROM workspace_members m
    WHERE m.team_id = $1 AND (m.workspace_id, m.user_id) >= (w.id, $3)
      AND (m.workspace_id, m.user_id) <= (w.id, $3) OFFSET 0
  ) AS wm ON true
  WHERE w.team_id = $1 AND w.purged_at IS NULL AND w.deleted_at > now() - $4::int * interval '1 second'
  ) AS row
  WHERE ($5::timestamptz IS NULL OR (row.at, row.id) < ($5, $6::uuid)) AND row."isShown"
  ORDER BY row.at DESC, row.id DESC LIMIT $7
  ) AS found
  LEFT JOIN LATERAL (SELECT name FROM users WHERE id = found."deletedBy" OFFSET 0) AS p ON true
) w ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug) ORDER BY w.at DESC, w.id DESC;

-- workspaceTrash.list.short
SELECT t.id AS "teamId", tm.role AS "teamRole", w.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN LATERAL (
  SELECT found.*, p.name AS "deletedByName" FROM (
  SELECT w.id, w.slug, w.name, w.description, w.visibility, w.deleted_pages AS pages, w.deleted_at AS at, w.deleted_by AS "deletedBy", (coalesce(wm.role = 'editor', false) OR w.visibility = 'public' AND tm.role IN ('moderator', 'owner')) AS "isShown"
  FROM workspaces w
  LEFT JOIN LATERAL (
    SELECT m.role FROM workspace_members m
    WHERE m.team_id = $1 AND (m.workspace_id, m.user_id) >= (w.id, $3)
      AND (m.workspace_id, m.user_id) <= (w.id, $3) OFFSET 0
  ) AS wm ON true
  WHERE w.team_id = $1 AND w.purged_at IS NULL AND w.deleted_at > now() - $4::int * interval '1 second'
  LIMIT 101
  ) AS found
  LEFT JOIN LATERAL (SELECT name FROM users WHERE id = found."deletedBy" OFFSET 0) AS p ON true
) w ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug) ORDER BY w.at DESC, w.id DESC;

-- workspaceTrash.moveToTrash
UPDATE workspaces SET deleted_at = now(), deleted_by = $3, deleted_pages = $4,
  deleted_collections = $5
WHERE team_id = $1 AND id = $2;

-- workspaceTrash.purge
UPDATE workspaces SET purged_at = now() WHERE team_id = $1 AND id = $2;

-- workspaceTrash.restore
UPDATE workspaces SET slug = $3, updated_at = $4, deleted_at = NULL, deleted_by = NULL,
  deleted_pages = NULL, deleted_collections = NULL
WHERE team_id = $1 AND id = $2;

-- workspaces.countItems
SELECT count(*) FILTER (WHERE object = 'item')::int AS pages,
  count(*) FILTER (WHERE object = 'collection')::int AS collections
FROM collections WHERE team_id = $1 AND workspace_id = $2;

-- workspaces.create
INSERT INTO workspaces (id, team_id, slug, name, description, visibility, default_access, archived_at, deleted_at, tree_stamp, rebalances, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- workspaces.find
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", w.slug, w.name, w.description, w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt", w.updated_at AS "updatedAt", t.plan
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.findById
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", w.slug, w.name, w.description, w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt", w.updated_at AS "updatedAt", t.plan
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.id = $4 AND num_nulls(w.deleted_at) = 1
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.list
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", w.role AS "workspaceRole", CASE WHEN (w.visibility = 'public' OR w.role IS NOT NULL) THEN format('{"_id":"%1$s","name":%2$s,"description":%3$s,"meta":{"slug":"%4$s","title":%2$s,"description":%3$s},"Visibility":"%5$s","defaultAccess":"%6$s","archivedAt":%7$s,"version":"%8$s","createdAt":%9$sZ","updatedAt":%10$sZ"', w.id, to_json(w.name), to_json(w.description), w.slug, w.visibility, w.default_access, coalesce('' || left(to_json(w.archived_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24) || 'Z"', 'null'), w.tree_stamp, left(to_json(w.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(w.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24)) END AS json
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN (
  SELECT * FROM (
  SELECT w.*, w.created_at AS at, wm.role
  FROM workspaces w
  LEFT JOIN LATERAL (
    SELECT m.role FROM workspace_members m
    WHERE m.team_id = $1 AND (m.workspace_id, m.user_id) >= (w.id, $3)
      AND (m.workspace_id, m.user_id) <= (w.id, $3) OFFSET 0
  ) AS wm ON true
  WHERE w.team_id = $1 AND w.deleted_at IS NULL
  ) AS row
  WHERE ($4::timestamptz IS NULL OR (row.at, row.id) > ($4, $5::uuid)) AND (row.visibility = 'public' OR row.role IS NOT NULL)
  ORDER BY row.at, row.id LIMIT $6
) w ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY w.at, w.id;

-- workspaces.list.short
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", w.role AS "workspaceRole", CASE WHEN (w.visibility = 'public' OR w.role IS NOT NULL) THEN format('{"_id":"%1$s","name":%2$s,"description":%3$s,"meta":{"slug":"%4$s","title":%2$s,"description":%3$s},"Visibility":"%5$s","defaultAccess":"%6$s","archivedAt":%7$s,"version":"%8$s","createdAt":%9$sZ","updatedAt":%10$sZ"', w.id, to_json(w.name), to_json(w.description), w.slug, w.visibility, w.default_access, coalesce('' || left(to_json(w.archived_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24) || 'Z"', 'null'), w.tree_stamp, left(to_json(w.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(w.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24)) END AS json
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN (
  SELECT w.*, w.created_at AS at, wm.role
  FROM workspaces w
  LEFT JOIN LATERAL (
    SELECT m.role FROM workspace_members m
    WHERE m.team_id = $1 AND (m.workspace_id, m.user_id) >= (w.id, $3)
      AND (m.workspace_id, m.user_id) <= (w.id, $3) OFFSET 0
  ) AS wm ON true
  WHERE w.team_id = $1 AND w.deleted_at IS NULL
  LIMIT 101
) w ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY w.at, w.id;

-- workspaces.lock
SELECT 1 FROM workspaces WHERE team_id = $1 AND id = $2 FOR UPDATE;

-- workspaces.members
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", m.id AS "userId", m.at, p.name, p.email, p.image, m.role
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
LEFT JOIN LATERAL (
  SELECT * FROM (
  SELECT user_id AS id, created_at AS at, role FROM workspace_members
  WHERE team_id = $1 AND workspace_id = w.id AND (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')
  ) AS row
  WHERE ($5::timestamptz IS NULL OR (row.at, row.id) > ($5, $6::uuid))
  ORDER BY row.at, row.id LIMIT $7
) m ON true
LEFT JOIN users p ON p.id = m.id
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug) ORDER BY m.at, m.id;

-- workspaces.members.short
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", m.id AS "userId", m.at, p.name, p.email, p.image, m.role
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
LEFT JOIN LATERAL (
  SELECT user_id AS id, created_at AS at, role FROM workspace_members
  WHERE team_id = $1 AND workspace_id = w.id AND (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')
  LIMIT 101
) m ON true
LEFT JOIN users p ON p.id = m.id
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug) ORDER BY m.at, m.id;

-- workspaces.setArchived
UPDATE workspaces SET archived_at = $3, updated_at = $4,
  archived_stamp = CASE WHEN num_nulls($3::timestamptz) = 0 THEN tree_stamp END
WHERE team_id = $1 AND id = $2;

-- workspaces.takenSlugs
SELECT slug FROM workspaces WHERE team_id = $1 AND slug = ANY ($2::text[]) AND deleted_at IS NULL;

-- workspaces.update
UPDATE workspaces SET updated_at = $3, slug = $4, name = $5, description = $6, visibility = $7, default_access = $8
WHERE team_id = $1 AND id = $2;
