-- apply.compare
SELECT c.id, c.version, CASE
    WHEN pg_column_size(c.content) > octet_length(asked.content) + 8 THEN false
    ELSE (
      SELECT CASE
  WHEN present.text = asked.content THEN true
  WHEN octet_length(present.text) <> octet_length(asked.content) THEN false
  WHEN present.text ~ '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})' OR asked.content ~ '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})' THEN false
  ELSE present.text::jsonb = asked.content::jsonb
END
      FROM (SELECT c.content::text AS text OFFSET 0) AS present
    )
  END AS "isEqual"
FROM unnest($3::uuid[], $4::text[]) AS asked (id, content)
CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= asked.id AND c.id <= asked.id
    ORDER BY c.team_id, c.id LIMIT 1) AS c
WHERE c.workspace_id IS NOT DISTINCT FROM $2;

-- apply.firstUnkeyed
SELECT nullif(list.id, $2) AS "listId", (
  SELECT position FROM collections
  WHERE team_id = $1 AND list_id = list.id AND num_nulls(key) = 1 ORDER BY team_id, list_id, position LIMIT 1
) AS position
FROM (
  SELECT coalesce($3::uuid, $2::uuid) AS id
  UNION ALL
  SELECT c.id FROM unnest($4::text[]) AS wanted (key)
  CROSS JOIN LATERAL (
    SELECT id FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= wanted.key AND keyed.key <= wanted.key
    ORDER BY keyed.key LIMIT 1) AS c
) AS list;

-- apply.heights
WITH RECURSIVE subtree AS (
  SELECT c.id AS root, c.id, c.object, 1 AS level FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM $2
  UNION ALL
  SELECT subtree.root, c.id, c.object, subtree.level + 1 FROM subtree
  CROSS JOIN LATERAL (
    SELECT c.id, c.key, c.object FROM collections c
    WHERE c.team_id = $1 AND c.list_id = subtree.id
    ORDER BY c.team_id, c.list_id, c.position) AS c
  WHERE subtree.object = 'collection' AND NOT coalesce($4::jsonb ? c.key, false)
)
SELECT root, max(level)::int AS height FROM subtree GROUP BY root;

-- apply.keyed
SELECT c.* FROM (
  SELECT coalesce($3::uuid, $2::uuid) AS id
  UNION ALL
  SELECT c.id FROM unnest($4::text[]) AS wanted (key)
  CROSS JOIN LATERAL (
    SELECT id FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= wanted.key AND keyed.key <= wanted.key
    ORDER BY keyed.key LIMIT 1) AS c
) AS list CROSS JOIN LATERAL (
  SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM collections c
  WHERE c.team_id = $1 AND c.list_id = list.id AND num_nulls(c.key) = 0
  ORDER BY c.team_id, c.list_id, c.position
) AS c
LIMIT $5::int;

-- apply.named
SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", c.content_digest AS "contentDigest"
FROM unnest($3::text[]) AS wanted (key) CROSS JOIN LATERAL (
    SELECT * FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= wanted.key AND keyed.key <= wanted.key
    ORDER BY keyed.key LIMIT 1) AS c;

-- apply.prunable
WITH RECURSIVE region AS (
  SELECT c.id, c.key, c.object, CASE WHEN c.key IS NOT NULL THEN c.id END AS root, 1 AS level
  FROM (
  SELECT coalesce($3::uuid, $2::uuid) AS id
  UNION ALL
  SELECT c.id FROM unnest($4::text[]) AS wanted (key)
  CROSS JOIN LATERAL (
    SELECT id FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= wanted.key AND keyed.key <= wanted.key
    ORDER BY keyed.key LIMIT 1) AS c
) AS list CROSS JOIN LATERAL (
    SELECT c.id, c.key, c.object FROM collections c
    WHERE c.team_id = $1 AND c.list_id = list.id
    ORDER BY c.team_id, c.list_id, c.position) AS c
  WHERE NOT coalesce($5::jsonb ? c.key, false)
  UNION ALL
  SELECT c.id, c.key, c.object, coalesce(region.root, CASE WHEN c.key IS NOT NULL THEN c.id END),
    CASE WHEN region.root IS NULL THEN 1 ELSE region.level + 1 END
  FROM region CROSS JOIN LATERAL (
    SELECT c.id, c.key, c.object FROM collections c
    WHERE c.team_id = $1 AND c.list_id = region.id
    ORDER BY c.team_id, c.list_id, c.position) AS c
  WHERE region.object = 'collection'
    AND (region.root IS NOT NULL OR NOT coalesce($5::jsonb ? c.key, false))
)
SELECT found.*, root.object, root.title
FROM (
  SELECT root AS id, count(*)::int AS count, max(level) AS height,
    CASE WHEN root IS NOT NULL THEN '{' || string_agg(id::text, ',') || '}' END AS ids,
    count(*) FILTER (WHERE object = 'item')::int AS pages,
    count(*) FILTER (WHERE object = 'collection')::int AS collections,
    (array_agg(id ORDER BY level, id) FILTER (WHERE coalesce($5::jsonb ? key, true)))[1] AS "foreignId"
  FROM (SELECT * FROM region LIMIT $6::int) AS region GROUP BY root
) AS found
LEFT JOIN LATERAL (
    SELECT c.object, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title" FROM collections c
    WHERE c.team_id = $1 AND c.id >= found.id AND c.id <= found.id
    ORDER BY c.team_id, c.id LIMIT 1) AS root ON true;

-- items.byId
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
LEFT JOIN LATERAL (
  SELECT c.id AS "itemId", c.object, c.version,
    CASE WHEN true AND below.count <= 100
      AND coalesce(octet_length(below.content), 0) <= 65536 THEN item.json END AS json,
    CASE WHEN octet_length(below.content) <= 65536 THEN below.content END AS content,
    below.json AS children, below.marks,
    NULL AS ancestors
  FROM (
    SELECT * FROM collections c WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') AND c.team_id = $1 AND c.id = $5 AND c.workspace_id IS NOT DISTINCT FROM w.id LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (
    SELECT c.team_id, c.id, c.parent_id, c.object, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json
  ) AS item
  CROSS JOIN LATERAL (
    SELECT CASE WHEN true THEN c.content::text END AS content, count(*) AS count,
      CASE WHEN count(*) <= 100 THEN string_agg(child.json, ',') END AS json,
      string_agg(child.mark, '') AS marks
    FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = item.id
    ORDER BY c.team_id, c.list_id, c.position LIMIT 101
    ) AS child WHERE item.object = 'collection' AND true
  ) AS below
) AS found ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- items.byId.ancestors
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
LEFT JOIN LATERAL (
  SELECT c.id AS "itemId", c.object, c.version,
    CASE WHEN true AND below.count <= 100
      AND coalesce(octet_length(below.content), 0) <= 65536 THEN item.json END AS json,
    CASE WHEN octet_length(below.content) <= 65536 THEN below.content END AS content,
    below.json AS children, below.marks,
    (
      WITH RECURSIVE path AS (
        SELECT item.parent_id, NULL::uuid AS id, NULL AS name, NULL AS title, NULL AS slug, 0 AS step
        UNION ALL
        SELECT c.parent_id, c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, c.slug, path.step + 1 FROM path
        CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= path.parent_id AND c.id <= path.parent_id
    ORDER BY c.team_id, c.id LIMIT 1) AS c
      )
      SELECT coalesce(json_agg(CASE
          WHEN title = name THEN json_build_object('id', id, 'name', name, 'slug', slug)
          ELSE json_build_object('id', id, 'name', name, 'slug', slug,
            'meta', json_build_object('title', title, 'slug', slug))
        END ORDER BY step DESC), '[]')
      FROM path WHERE step > 0
    ) AS ancestors
  FROM (
    SELECT * FROM collections c WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') AND c.team_id = $1 AND c.id = $5 AND c.workspace_id IS NOT DISTINCT FROM w.id LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (
    SELECT c.team_id, c.id, c.parent_id, c.object, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json
  ) AS item
  CROSS JOIN LATERAL (
    SELECT CASE WHEN true THEN c.content::text END AS content, count(*) AS count,
      CASE WHEN count(*) <= 100 THEN string_agg(child.json, ',') END AS json,
      string_agg(child.mark, '') AS marks
    FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = item.id
    ORDER BY c.team_id, c.list_id, c.position LIMIT 101
    ) AS child WHERE item.object = 'collection' AND true
  ) AS below
) AS found ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- items.byKey
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
LEFT JOIN LATERAL (
  SELECT c.id AS "itemId", c.object, c.version,
    CASE WHEN true AND below.count <= 100
      AND coalesce(octet_length(below.content), 0) <= 65536 THEN item.json END AS json,
    CASE WHEN octet_length(below.content) <= 65536 THEN below.content END AS content,
    below.json AS children, below.marks,
    NULL AS ancestors
  FROM (
    SELECT * FROM collections c WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') AND c.team_id = $1 AND c.key >= $5 AND c.key <= $5 AND c.workspace_id = w.id ORDER BY c.key LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (
    SELECT c.team_id, c.id, c.parent_id, c.object, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json
  ) AS item
  CROSS JOIN LATERAL (
    SELECT CASE WHEN true THEN c.content::text END AS content, count(*) AS count,
      CASE WHEN count(*) <= 100 THEN string_agg(child.json, ',') END AS json,
      string_agg(child.mark, '') AS marks
    FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = item.id
    ORDER BY c.team_id, c.list_id, c.position LIMIT 101
    ) AS child WHERE item.object = 'collection' AND true
  ) AS below
) AS found ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- items.bySlug
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
LEFT JOIN LATERAL (
  SELECT c.id AS "itemId", c.object, c.version,
    CASE WHEN true AND below.count <= 100
      AND coalesce(octet_length(below.content), 0) <= 65536 THEN item.json END AS json,
    CASE WHEN octet_length(below.content) <= 65536 THEN below.content END AS content,
    below.json AS children, below.marks,
    NULL AS ancestors
  FROM (
    SELECT * FROM collections c WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') AND c.team_id = $1 AND c.slug >= $5 AND c.slug <= $5 AND c.workspace_id = w.id ORDER BY c.slug LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (
    SELECT c.team_id, c.id, c.parent_id, c.object, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json
  ) AS item
  CROSS JOIN LATERAL (
    SELECT CASE WHEN true THEN c.content::text END AS content, count(*) AS count,
      CASE WHEN count(*) <= 100 THEN string_agg(child.json, ',') END AS json,
      string_agg(child.mark, '') AS marks
    FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = item.id
    ORDER BY c.team_id, c.list_id, c.position LIMIT 101
    ) AS child WHERE item.object = 'collection' AND true
  ) AS below
) AS found ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- items.children
SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
FROM collections c WHERE c.team_id = $1 AND c.list_id = $2
ORDER BY c.team_id, c.list_id, c.position LIMIT 1001;

-- items.find
SELECT w.team_id AS "teamId", w.id AS "workspaceId", t.slug AS "teamSlug",
  w.slug AS "workspaceSlug", w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole"
FROM (SELECT) AS request
LEFT JOIN LATERAL (SELECT * FROM collections c WHERE c.id >= $1 AND c.id <= $1 ORDER BY c.id LIMIT 1) AS c ON true
LEFT JOIN workspaces w
  ON w.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND w.id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND num_nulls(w.deleted_at) = 1
LEFT JOIN teams t ON t.id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000')
LEFT JOIN LATERAL (
  SELECT role FROM team_members WHERE team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND user_id = $2 OFFSET 0
) AS tm ON true
LEFT JOIN workspace_members wm
  ON wm.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND wm.workspace_id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND wm.user_id = $2;

-- items.find + tree.head + tree.withEtag
    SELECT w.team_id AS "teamId", w.id AS "workspaceId", t.slug AS "teamSlug",
      w.slug AS "workspaceSlug", w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM (SELECT) AS request
    LEFT JOIN LATERAL (SELECT * FROM collections c WHERE c.id >= $1 AND c.id <= $1 ORDER BY c.id LIMIT 1) AS c ON true
    LEFT JOIN workspaces w
      ON w.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND w.id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND num_nulls(w.deleted_at) = 1
    LEFT JOIN teams t ON t.id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000')
    LEFT JOIN LATERAL (
      SELECT role FROM team_members WHERE team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND user_id = $2 OFFSET 0
    ) AS tm ON true
    LEFT JOIN workspace_members wm
      ON wm.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND wm.workspace_id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND wm.user_id = $2
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = place.team_id AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", 
      CASE WHEN wanted.content THEN c.content::text END AS content,
      CASE c.object WHEN 'collection' THEN (
        SELECT CASE WHEN count(*) <= $5::int
          THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
        FROM (
          SELECT id, version FROM collections WHERE team_id = place.team_id AND list_id = c.id ORDER BY team_id, list_id, position
          LIMIT $5::int + 1
        ) AS children
      ) ELSE '' END AS "childVersions"
    FROM unnest($3::uuid[], $4::boolean[]) AS wanted (item, content)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = place.team_id AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c
    WHERE c.workspace_id IS NOT DISTINCT FROM place.id) AS found) AS found ON true;

-- items.find + tree.head + tree.withEtag + tree.versions
    SELECT w.team_id AS "teamId", w.id AS "workspaceId", t.slug AS "teamSlug",
      w.slug AS "workspaceSlug", w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM (SELECT) AS request
    LEFT JOIN LATERAL (SELECT * FROM collections c WHERE c.id >= $1 AND c.id <= $1 ORDER BY c.id LIMIT 1) AS c ON true
    LEFT JOIN workspaces w
      ON w.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND w.id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND num_nulls(w.deleted_at) = 1
    LEFT JOIN teams t ON t.id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000')
    LEFT JOIN LATERAL (
      SELECT role FROM team_members WHERE team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND user_id = $2 OFFSET 0
    ) AS tm ON true
    LEFT JOIN workspace_members wm
      ON wm.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND wm.workspace_id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND wm.user_id = $2
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = place.team_id AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", 
      CASE WHEN wanted.content THEN c.content::text END AS content,
      CASE c.object WHEN 'collection' THEN (
        SELECT CASE WHEN count(*) <= $5::int
          THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
        FROM (
          SELECT id, version FROM collections WHERE team_id = place.team_id AND list_id = c.id ORDER BY team_id, list_id, position
          LIMIT $5::int + 1
        ) AS children
      ) ELSE '' END AS "childVersions"
    FROM unnest($3::uuid[], $4::boolean[]) AS wanted (item, content)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = place.team_id AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c
    WHERE c.workspace_id IS NOT DISTINCT FROM place.id) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT v.id, v.version, v.content::text AS content
    FROM unnest($6::uuid[], $7::int[]) AS wanted (page, version)
    CROSS JOIN LATERAL (
      SELECT id, version, content FROM page_versions
      WHERE team_id = place.team_id AND id = wanted.page AND version = wanted.version
        AND until > now() - $8::int * interval '1 second'
    ) AS v
    WHERE place.id::uuid IS NOT NULL) AS found) AS found ON true;

-- items.findAndRead
SELECT w.team_id AS "teamId", w.id AS "workspaceId", t.slug AS "teamSlug",
  w.slug AS "workspaceSlug", w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", c.id AS "itemId", c.object, c.version,
    CASE WHEN (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') AND below.count <= 100
      AND coalesce(octet_length(below.content), 0) <= 65536 THEN item.json END AS json,
    CASE WHEN octet_length(below.content) <= 65536 THEN below.content END AS content,
    below.json AS children, below.marks,
    NULL AS ancestors
FROM (SELECT) AS request
LEFT JOIN LATERAL (SELECT * FROM collections c WHERE c.id >= $1 AND c.id <= $1 ORDER BY c.id LIMIT 1) AS c ON true
LEFT JOIN workspaces w
  ON w.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND w.id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND num_nulls(w.deleted_at) = 1
LEFT JOIN teams t ON t.id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000')
LEFT JOIN LATERAL (
  SELECT role FROM team_members WHERE team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND user_id = $2 OFFSET 0
) AS tm ON true
LEFT JOIN workspace_members wm
  ON wm.team_id = coalesce(c.team_id, '00000000-0000-0000-0000-000000000000') AND wm.workspace_id = coalesce(c.workspace_id, '00000000-0000-0000-0000-000000000000') AND wm.user_id = $2
  CROSS JOIN LATERAL (
    SELECT c.team_id, c.id, c.parent_id, c.object, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json
  ) AS item
  CROSS JOIN LATERAL (
    SELECT CASE WHEN (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') THEN c.content::text END AS content, count(*) AS count,
      CASE WHEN count(*) <= 100 THEN string_agg(child.json, ',') END AS json,
      string_agg(child.mark, '') AS marks
    FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = item.team_id AND c.list_id = item.id
    ORDER BY c.team_id, c.list_id, c.position LIMIT 101
    ) AS child WHERE item.object = 'collection' AND (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')
  ) AS below;

-- items.withChildren
SELECT found.*, NULL AS position FROM (
  SELECT c.id AS "itemId", c.object, c.version, item.json, content.text AS content,
    CASE WHEN $4::boolean THEN (
      WITH RECURSIVE path AS (
        SELECT item.parent_id, NULL::uuid AS id, NULL AS name, NULL AS title, NULL AS slug, 0 AS step
        UNION ALL
        SELECT c.parent_id, c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, c.slug, path.step + 1 FROM path
        CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= path.parent_id AND c.id <= path.parent_id
    ORDER BY c.team_id, c.id LIMIT 1) AS c
      )
      SELECT coalesce(json_agg(CASE
          WHEN title = name THEN json_build_object('id', id, 'name', name, 'slug', slug)
          ELSE json_build_object('id', id, 'name', name, 'slug', slug,
            'meta', json_build_object('title', title, 'slug', slug))
        END ORDER BY step DESC), '[]')
      FROM path WHERE step > 0
    ) END AS ancestors, NULL AS mark
  FROM collections c
  CROSS JOIN LATERAL (
    SELECT c.team_id, c.id, c.parent_id, c.object, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json
  ) AS item
  CROSS JOIN LATERAL (SELECT c.content::text AS text OFFSET 0) AS content
  WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2
) AS found
UNION ALL
SELECT NULL, NULL, NULL, child.json, NULL, NULL, child.mark, child.position
FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = $3
    ORDER BY c.team_id, c.list_id, c.position LIMIT $5::int
) AS child
ORDER BY position NULLS FIRST;

-- tree.around
SELECT own.parent_id AS "parentId", ARRAY(
  SELECT position FROM collections WHERE team_id = $1 AND list_id = own.list_id ORDER BY team_id, list_id, position
  OFFSET $4::int LIMIT $5::int
) AS positions, ARRAY(
  SELECT position FROM collections WHERE team_id = $1 AND list_id = own.list_id ORDER BY team_id DESC, list_id DESC, position DESC LIMIT $6::int
) AS tail
FROM collections own
WHERE own.team_id = $1 AND own.id = $3 AND own.workspace_id IS NOT DISTINCT FROM $2;

-- tree.copy
INSERT INTO collections (id, name, title, object, parent_id, team_id, workspace_id, slug, created_at, updated_at, created_by, updated_by, position, version, titled_name, content, written_by, written_since, author_version)
SELECT n.id, CASE WHEN c.id = $3 THEN named.name ELSE c.name END, CASE WHEN c.id = $3 THEN nullif(named.title, named.name) ELSE c.title END, c.object, CASE WHEN c.id = $3 THEN $4::uuid ELSE n.parent_id END, c.team_id, $2::uuid, CASE WHEN c.id = $3 AND $12::text IS NOT NULL THEN $12::text
    ELSE CASE WHEN taken.slug IS NOT NULL OR c.slug = $12::text
    THEN rtrim(left(c.slug, 39), '-') || '-' || left(md5($7::text || n.id), 8)
    ELSE c.slug END END, $6::timestamptz, $6::timestamptz, $13::uuid, $13::uuid, CASE WHEN c.id = $3 THEN $5::text ELSE c.position END, 1, CASE WHEN c.id = $3 THEN CASE WHEN named.title <> named.name THEN named.name END ELSE c.titled_name END, c.content, $13::uuid, $6::timestamptz, 1
FROM unnest($8::uuid[], $9::uuid[], $10::uuid[]) AS n (original_id, id, parent_id)
JOIN collections c ON c.team_id = $1 AND c.id = n.original_id
CROSS JOIN (SELECT $11::text AS name, $14::text AS title) AS named
LEFT JOIN LATERAL (
  SELECT t.slug FROM collections t
  WHERE t.team_id = $1 AND t.workspace_id = $2 AND t.slug >= c.slug AND t.slug <= c.slug
  ORDER BY t.slug LIMIT 1
) AS taken ON true;

-- tree.copyFromTrash
INSERT INTO collections (id, name, title, object, parent_id, key, team_id, workspace_id, slug, created_at, updated_at, created_by, updated_by, position, version, titled_name, content, written_by, written_since, author_version)
SELECT i.id, i.name, i.title, i.object, CASE WHEN i.id = $3 THEN $4::uuid ELSE i.parent_id END, CASE WHEN NOT (holder.id IS NOT NULL) THEN i.key END, i.team_id, d.workspace_id, CASE WHEN taken.slug IS NOT NULL
    THEN rtrim(left(i.slug, 39), '-') || '-' || left(md5($7::text || i.id), 8)
    ELSE i.slug END, i.created_at, $6::timestamptz, i.created_by, $9::uuid, CASE WHEN i.id = $3 THEN $5::text ELSE i.position END, i.version + 1, i.titled_name, i.content, CASE WHEN i.author_version = i.version THEN i.written_by END, CASE WHEN i.author_version = i.version THEN i.written_since END, i.version + 1
FROM trash_deletions d
JOIN trash_items i ON i.team_id = $1 AND i.deletion_id = d.id
LEFT JOIN LATERAL (
  SELECT t.slug FROM collections t
  WHERE t.team_id = $1 AND t.workspace_id = $2 AND t.slug >= i.slug AND t.slug <= i.slug
  ORDER BY t.slug LIMIT 1
) AS taken ON true
LEFT JOIN LATERAL (
    SELECT id FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= i.key AND keyed.key <= i.key
    ORDER BY keyed.key LIMIT 1) AS holder ON true
WHERE d.team_id = $1 AND d.id = $3 AND d.workspace_id IS NOT DISTINCT FROM $2
  AND d.deleted_at = $8 AND d.purged_at IS NULL;

-- tree.copyToTrash
INSERT INTO trash_items (id, name, title, object, parent_id, key, team_id, slug, created_at, updated_at, created_by, updated_by, position, version, titled_name, content, written_by, written_since, author_version, deletion_id)
SELECT c.id, c.name, c.title, c.object, c.parent_id, c.key, c.team_id, c.slug, c.created_at, c.updated_at, c.created_by, c.updated_by, c.position, c.version, c.titled_name, c.content, c.written_by, c.written_since, c.author_version, d.id
FROM unnest($3::uuid[], $4::text[]) AS d (id, items)
CROSS JOIN LATERAL unnest(d.items::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM $2;

-- tree.countItems
UPDATE team_usage SET
  pages = CASE
    WHEN $3::int <= 0 OR allowed.items = 0 OR team_usage.pages + $3::int <= allowed.items
      THEN team_usage.pages + $3::int
    ELSE -1 END,
  collections = CASE
    WHEN $4::int <= 0 OR allowed.items = 0 OR team_usage.collections + $4::int <= allowed.items
      THEN team_usage.collections + $4::int
    ELSE -1 END
FROM (SELECT ($5::json ->> plan)::int AS items FROM teams WHERE id = $1) AS allowed
WHERE team_usage.team_id = $1 AND ($3::int <> 0 OR $4::int <> 0)
  AND EXISTS (SELECT FROM workspaces w WHERE w.team_id = $1 AND w.id = $2);

-- tree.countRebalance
UPDATE workspaces SET rebalances = rebalances + 1 WHERE team_id = $1 AND id = $2;

-- tree.delete
DELETE FROM collections WHERE team_id = $1 AND ctid = ANY (ARRAY (
  SELECT c.ctid FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT ctid, workspace_id FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM $2
));

-- tree.deleteFromTrash
DELETE FROM trash_deletions
WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2;

-- tree.deleteVersions
WITH deleted AS (
  DELETE FROM page_versions WHERE team_id = $1 AND $2::uuid IS NOT NULL AND ctid = ANY (ARRAY (
    SELECT v.ctid FROM unnest($3::uuid[]) AS wanted (item)
    CROSS JOIN LATERAL (
      SELECT ctid FROM page_versions WHERE team_id = $1 AND id = wanted.item
      ORDER BY team_id, id, version
    ) AS v
  )) RETURNING 1
)
SELECT count(*)::int AS versions FROM deleted;

-- tree.ends
SELECT parent.id AS "parentId", (
  SELECT position FROM collections
  WHERE team_id = $1 AND list_id = coalesce(parent.id, $2) ORDER BY team_id DESC, list_id DESC, position DESC LIMIT 1
) AS last
FROM unnest($3::uuid[]) AS parent (id);

-- tree.findDeletion
SELECT id FROM trash_deletions
WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2 AND deleted_at = $4
  AND purged_at IS NULL;

-- tree.formerPlace
SELECT place.is_valid AS "isPositionValid", (
  SELECT position FROM collections
  WHERE team_id = $1 AND list_id = $3 AND position < place.position ORDER BY team_id DESC, list_id DESC, position DESC LIMIT 1
) AS before, (
  SELECT position FROM collections
  WHERE team_id = $1 AND list_id = $3 AND position >= place.position ORDER BY team_id, list_id, position LIMIT 1
) AS after
FROM (
  SELECT rebalances = $5::int AS is_valid, CASE WHEN rebalances = $5::int THEN $4::text
    ELSE coalesce((
      SELECT position FROM collections
      WHERE team_id = $1 AND id = $7::uuid AND list_id IS NOT DISTINCT FROM $3::uuid
    ), (
      SELECT position || ' ' FROM collections
      WHERE team_id = $1 AND id = $6::uuid AND list_id IS NOT DISTINCT FROM $3::uuid
    ), '~') END COLLATE "C" AS position
  FROM workspaces WHERE team_id = $1 AND id = $2
) AS place;

-- tree.guard
UPDATE workspaces SET tree_version = tree_version + 1,
  tree_stamp = CASE WHEN tree_stamp = $3::uuid AND deleted_at IS NULL THEN $4::uuid END
WHERE team_id = $1 AND id = $2 RETURNING id;

-- tree.head
SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1;

-- tree.heights
WITH RECURSIVE subtree AS (
  SELECT c.id AS root, c.id, c.object, 1 AS level FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
  WHERE c.workspace_id IS NOT DISTINCT FROM $2
  UNION ALL
  SELECT subtree.root, c.id, c.object, subtree.level + 1 FROM subtree
  CROSS JOIN LATERAL (
    SELECT id, object FROM collections WHERE team_id = $1 AND list_id = subtree.id ORDER BY team_id, list_id, position) AS c
  WHERE subtree.object = 'collection'
)
SELECT root, max(level)::int AS height FROM subtree GROUP BY root;

-- tree.ids
SELECT id, position FROM collections
WHERE team_id = $1 AND list_id = coalesce($3::uuid, $2) ORDER BY team_id, list_id, position LIMIT $4::int;

-- tree.insert
INSERT INTO collections (id, name, title, object, parent_id, key, team_id, workspace_id, slug, created_at, updated_at, created_by, updated_by, position, version, titled_name, content, content_digest, written_by, written_since, author_version, saved_version)
  SELECT n.id, n.name, nullif(n.title, n.name), n.object, n.parent_id, n.key, w.team_id, w.id, n.slug, $3::timestamptz, $3::timestamptz, author.id, author.id, n.position, 1, CASE WHEN n.title <> n.name THEN n.name END, n.content, n.content_digest, author.id, $3::timestamptz, 1, NULL
FROM workspaces w, unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[], $11::text[], $12::text[], $13::json[], $14::text[], $15::uuid[]) AS n (id, name, title, object, parent_id, key, slug, position, content, content_digest, author_id)
  CROSS JOIN LATERAL (SELECT coalesce(n.author_id, $4::uuid) AS id) AS author
WHERE w.team_id = $1 AND w.id = $2;

-- tree.insertDeletions
INSERT INTO trash_deletions (team_id, workspace_id, id, parent_id, object, name, position,
  rebalances, before_id, after_id, height, pages, collections, deleted_at, deleted_by)
SELECT w.team_id, w.id, root.id, root.parent_id, root.object, root.name, root.position, w.rebalances,
  (
  SELECT c.id FROM collections c
  WHERE c.team_id = $1 AND c.list_id = root.list_id AND c.position < root.position
  ORDER BY c.team_id DESC, c.list_id DESC, c.position DESC LIMIT 1
), (
  SELECT c.id FROM collections c
  WHERE c.team_id = $1 AND c.list_id = root.list_id AND c.position > root.position
  ORDER BY c.team_id ASC, c.list_id ASC, c.position ASC LIMIT 1
),
  n.height, n.pages, n.collections, $3::timestamptz, $4::uuid
FROM workspaces w, unnest($5::uuid[], $6::int[], $7::int[], $8::int[])
  AS n (id, height, pages, collections)
CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= n.id AND c.id <= n.id
    ORDER BY c.team_id, c.id LIMIT 1
) AS root
WHERE w.team_id = $1 AND w.id = $2 AND root.workspace_id IS NOT DISTINCT FROM $2;

-- tree.insertGuarded
  WITH 
guarded AS (
  UPDATE workspaces SET tree_version = tree_version + 1,
    tree_stamp = CASE WHEN tree_stamp = $5::uuid THEN $6::uuid END
  WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 RETURNING team_id, id, tree_version
), logged AS (
INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
SELECT w.team_id, w.id, w.tree_version, n.id, $5::uuid
FROM guarded w, unnest($10::uuid[]) AS n (id) WHERE w.team_id = $1 AND w.id = $2), counted AS (
UPDATE team_usage SET
  pages = CASE
    WHEN $7::int <= 0 OR allowed.items = 0 OR team_usage.pages + $7::int <= allowed.items
      THEN team_usage.pages + $7::int
    ELSE -1 END,
  collections = CASE
    WHEN $8::int <= 0 OR allowed.items = 0 OR team_usage.collections + $8::int <= allowed.items
      THEN team_usage.collections + $8::int
    ELSE -1 END
FROM (SELECT ($9::json ->> plan)::int AS items FROM teams WHERE id = $1) AS allowed
WHERE team_usage.team_id = $1 AND ($7::int <> 0 OR $8::int <> 0)
  AND EXISTS (SELECT FROM guarded w WHERE w.team_id = $1 AND w.id = $2))
  
INSERT INTO collections (id, name, title, object, parent_id, key, team_id, workspace_id, slug, created_at, updated_at, created_by, updated_by, position, version, titled_name, content, content_digest, written_by, written_since, author_version, saved_version)
  SELECT n.id, n.name, nullif(n.title, n.name), n.object, n.parent_id, n.key, w.team_id, w.id, n.slug, $3::timestamptz, $3::timestamptz, author.id, author.id, n.position, 1, CASE WHEN n.title <> n.name THEN n.name END, n.content, n.content_digest, author.id, $3::timestamptz, 1, NULL
FROM guarded w, unnest($10::uuid[], $11::text[], $12::text[], $13::text[], $14::uuid[], $15::text[], $16::text[], $17::text[], $18::json[], $19::text[], $20::uuid[]) AS n (id, name, title, object, parent_id, key, slug, position, content, content_digest, author_id)
  CROSS JOIN LATERAL (SELECT coalesce(n.author_id, $4::uuid) AS id) AS author
WHERE w.team_id = $1 AND w.id = $2 RETURNING collections.id;

-- tree.items
WITH RECURSIVE path AS (
  SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM $2
  UNION
  SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM path CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= path."parentId" AND c.id <= path."parentId"
    ORDER BY c.team_id, c.id LIMIT 1) AS c
)
SELECT * FROM path;

-- tree.list.content
    WITH RECURSIVE tree AS (
      (
  SELECT c.id, c.object, ARRAY[c.position] AS path FROM collections c
  WHERE team_id = $1 AND list_id = $6 AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
  ORDER BY c.team_id, c.list_id, c.position LIMIT $4::int)
      UNION ALL
      SELECT c.id, c.object, tree.path || c.position FROM tree
      CROSS JOIN LATERAL (
        SELECT * FROM collections
        WHERE team_id = $1 AND list_id = tree.id ORDER BY team_id, list_id, position
      ) AS c
      WHERE cardinality(tree.path) < $5 AND tree.object = 'collection'
    ), ends AS (
  SELECT c.position FROM collections c
  WHERE team_id = $1 AND list_id = $6 AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
  ORDER BY c.team_id, c.list_id, c.position OFFSET $4::int - 1 LIMIT 2)
    SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
    FROM (
      SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
      UNION ALL SELECT id, path FROM tree ORDER BY path
    ) AS shown
    CROSS JOIN LATERAL (
      SELECT NULL::uuid AS collection, 
  w.tree_stamp || ' ' || w.rebalances || ' ' || CASE
    WHEN $6 = $2 THEN 'collection' ELSE coalesce((
      SELECT object FROM collections
      WHERE team_id = $1 AND id = $6 AND workspace_id IS NOT DISTINCT FROM $2), '') END AS json, (SELECT min(position) FROM ends HAVING count(*) = 2) AS last
      FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
      UNION ALL
      SELECT item.collection, item.json, NULL FROM (

        SELECT 
  CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id AS "parentId", format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null'))
    || ',"content":' || coalesce(c.content::text, '{}') AS json FROM collections c
        WHERE c.team_id = $1 AND c.id >= shown.id AND c.id <= shown.id
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS item
      OFFSET 0
    ) AS row
    ORDER BY shown.path;

-- tree.lock
WITH locked AS (
  UPDATE workspaces w SET tree_version = w.tree_version + 1, tree_stamp = $3::uuid
  FROM (
    SELECT tree_stamp FROM workspaces
    WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 FOR NO KEY UPDATE
  ) AS before
  WHERE w.team_id = $1 AND w.id = $2
  RETURNING before.tree_stamp
)
SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM locked;

-- tree.lockDeletion
SELECT id FROM trash_deletions
WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2 AND deleted_at = $4
  AND purged_at IS NULL FOR UPDATE;

-- tree.lockToRead
SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 FOR NO KEY UPDATE;

-- tree.log
INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
SELECT w.team_id, w.id, w.tree_version, n.id, $4::uuid
FROM workspaces w, unnest($3::uuid[]) AS n (id) WHERE w.team_id = $1 AND w.id = $2;

-- tree.logRestored
INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
SELECT w.team_id, w.id, w.tree_version, i.id, $4::uuid
FROM workspaces w JOIN trash_items i ON i.team_id = w.team_id AND i.deletion_id = $3
WHERE w.team_id = $1 AND w.id = $2;

-- tree.next
SELECT (
  SELECT c.position FROM collections c
  WHERE c.team_id = $1 AND c.list_id = root.list_id AND c.position > root.position
  ORDER BY c.team_id ASC, c.list_id ASC, c.position ASC LIMIT 1
) AS next FROM collections root
WHERE root.team_id = $1 AND root.id = $3 AND root.workspace_id IS NOT DISTINCT FROM $2;

-- tree.objectOf
SELECT object FROM collections
WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2;

-- tree.orders
SELECT nullif(list.id, $2) AS "parentId", (
  SELECT string_agg(position, ' ') FROM (
    SELECT position FROM collections WHERE team_id = $1 AND list_id = list.id ORDER BY team_id, list_id, position LIMIT $5
  ) AS siblings
) AS positions
FROM (
  SELECT c.list_id AS id FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM $2
  UNION
  SELECT coalesce(parent.id, $2) FROM unnest($4::uuid[]) AS parent (id)
) AS list;

-- tree.part
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", w.tree_stamp AS "treeStamp", part.head, part.last, part.lines
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (
      WITH RECURSIVE tree AS (
      (
  SELECT c.id, c.object, CASE c.object WHEN 'collection' THEN 'c' ELSE 'i' END || format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS line, ARRAY[c.position] AS path FROM collections c
  WHERE team_id = $1 AND list_id = coalesce($8::uuid, w.id) AND ($5::text IS NULL OR c.position > $5 COLLATE "C")
  ORDER BY c.team_id, c.list_id, c.position LIMIT $6::int)
      UNION ALL
      SELECT c.id, c.object, CASE c.object WHEN 'collection' THEN 'c' ELSE 'i' END || format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS line, tree.path || c.position FROM tree
      CROSS JOIN LATERAL (
        SELECT * FROM collections
        WHERE team_id = $1 AND list_id = tree.id ORDER BY team_id, list_id, position
      ) AS c
      WHERE cardinality(tree.path) < $7 AND tree.object = 'collection'
    ), ends AS (
  SELECT c.position FROM collections c
  WHERE team_id = $1 AND list_id = coalesce($8::uuid, w.id) AND ($5::text IS NULL OR c.position > $5 COLLATE "C")
  ORDER BY c.team_id, c.list_id, c.position OFFSET $6::int - 1 LIMIT 2)
      SELECT 
  w.tree_stamp || ' ' || w.rebalances || ' ' || CASE
    WHEN coalesce($8::uuid, w.id) = w.id THEN 'collection' ELSE coalesce((
      SELECT object FROM collections
      WHERE team_id = $1 AND id = coalesce($8::uuid, w.id) AND workspace_id IS NOT DISTINCT FROM w.id), '') END AS head,
        CASE WHEN count(*) <= 100 THEN (SELECT min(position) FROM ends HAVING count(*) = 2) END AS last,
        CASE WHEN count(*) <= 100 THEN coalesce(
          string_agg(cardinality(shown.path) || shown.line, E'
' ORDER BY shown.path), '') END AS lines
      FROM (SELECT path, line FROM tree WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest') LIMIT 101) AS shown
    ) AS part ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- tree.plan
SELECT plan FROM teams WHERE id = $1;

-- tree.runs
WITH RECURSIVE walk AS (
  SELECT 0 AS n, '' COLLATE "C" AS position
  UNION ALL
  SELECT walk.n + 1, (
    SELECT position FROM collections
    WHERE team_id = $1 AND list_id = $2 AND position >= walk.position ORDER BY team_id, list_id, position
    OFFSET ($3::int[])[walk.n + 1] - coalesce(($3::int[])[walk.n], 0) LIMIT 1
  ) FROM walk WHERE walk.n < cardinality($3::int[])
)
SELECT n, CASE n WHEN 0 THEN ARRAY(
    SELECT position FROM collections WHERE team_id = $1 AND list_id = $2 ORDER BY team_id DESC, list_id DESC, position DESC LIMIT $5::int
  ) ELSE ARRAY(
    SELECT position FROM collections
    WHERE team_id = $1 AND list_id = $2 AND position >= walk.position ORDER BY team_id, list_id, position LIMIT $4::int
  ) END AS positions
FROM walk;

-- tree.shown
SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.team_id AS "teamId", c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, c.content::text AS content, below.count::int AS count, below.marks, shown.children
FROM collections c
CROSS JOIN LATERAL (
  SELECT count(*), string_agg(child.mark, '') AS marks
  FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = $3
    ORDER BY c.team_id, c.list_id, c.position LIMIT 1001
  ) AS child
) AS below
CROSS JOIN LATERAL (
  SELECT string_agg(child.json, ',') AS children
  FROM (
    SELECT format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) || '}' AS json, ';' || c.id || ':' || c.version AS mark, c.position
    FROM collections c WHERE c.team_id = $1 AND c.list_id = $3
    ORDER BY c.team_id, c.list_id, c.position LIMIT 250
  ) AS child
) AS shown
WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2;

-- tree.subtree
WITH RECURSIVE subtree AS (
  SELECT id, NULL::uuid AS parent_id, object, 1 AS level FROM collections
  WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2
  UNION ALL
  SELECT c.id, subtree.id, c.object, subtree.level + 1 FROM subtree
  CROSS JOIN LATERAL (
    SELECT id, object FROM collections WHERE team_id = $1 AND list_id = subtree.id ORDER BY team_id, list_id, position) AS c
  WHERE subtree.object = 'collection'
)
SELECT '{' || string_agg(id::text, ',') || '}' AS ids, max(level) AS height,
  count(*) FILTER (WHERE object = 'item')::int AS pages,
  count(*) FILTER (WHERE object = 'collection')::int AS collections
FROM (SELECT * FROM subtree LIMIT $4::int) AS subtree;

-- tree.subtreeWithParents
WITH RECURSIVE subtree AS (
  SELECT id, NULL::uuid AS parent_id, object, 1 AS level FROM collections
  WHERE team_id = $1 AND id = $3 AND workspace_id IS NOT DISTINCT FROM $2
  UNION ALL
  SELECT c.id, subtree.id, c.object, subtree.level + 1 FROM subtree
  CROSS JOIN LATERAL (
    SELECT id, object FROM collections WHERE team_id = $1 AND list_id = subtree.id ORDER BY team_id, list_id, position) AS c
  WHERE subtree.object = 'collection'
)
SELECT array_agg(id) AS ids, array_agg(parent_id) AS "parentIds", max(level) AS height,
  count(*) FILTER (WHERE object = 'item')::int AS pages,
  count(*) FILTER (WHERE object = 'collection')::int AS collections
FROM (SELECT * FROM subtree LIMIT $4::int) AS subtree;

-- tree.takenKeys
SELECT wanted.key, taken.id FROM unnest($3::text[]) AS wanted (key)
CROSS JOIN LATERAL (
    SELECT id FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= wanted.key AND keyed.key <= wanted.key
    ORDER BY keyed.key LIMIT 1) AS taken;

-- tree.takenSlugs
SELECT wanted.slug FROM unnest($3::text[]) AS wanted (slug)
CROSS JOIN LATERAL (
  SELECT FROM collections c
  WHERE c.team_id = $1 AND c.workspace_id = $2
    AND c.slug >= wanted.slug AND c.slug <= wanted.slug
  ORDER BY c.slug LIMIT 1
) AS taken;

-- tree.transfer
UPDATE collections c SET workspace_id = $2, parent_id = CASE WHEN c.id = $3 THEN $4::uuid ELSE c.parent_id END, position = CASE WHEN c.id = $3 THEN $5::text ELSE c.position END, version = c.version + 1, updated_at = $6::timestamptz, updated_by = $9::uuid, written_by = CASE WHEN c.author_version = c.version THEN c.written_by END, written_since = CASE WHEN c.author_version = c.version THEN c.written_since END, author_version = c.version + 1, slug = CASE WHEN n.is_taken
    THEN rtrim(left(c.slug, 39), '-') || '-' || left(md5($7::text || c.id), 8)
    ELSE c.slug END, key = CASE WHEN NOT n.is_key_taken THEN c.key END, saved_version = CASE WHEN c.saved_version = c.version THEN c.version + 1 END
FROM (
  SELECT c.id, taken.slug IS NOT NULL AS is_taken, holder.id IS NOT NULL AS is_key_taken
  FROM unnest($8::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT id, slug, key FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
  LEFT JOIN LATERAL (
  SELECT t.slug FROM collections t
  WHERE t.team_id = $1 AND t.workspace_id = $2 AND t.slug >= c.slug AND t.slug <= c.slug
  ORDER BY t.slug LIMIT 1
) AS taken ON true
  LEFT JOIN LATERAL (
    SELECT id FROM collections keyed
    WHERE keyed.team_id = $1 AND keyed.workspace_id = $2
      AND keyed.key >= c.key AND keyed.key <= c.key
    ORDER BY keyed.key LIMIT 1) AS holder ON true
) AS n
WHERE c.team_id = $1 AND c.id = n.id;

-- tree.update
UPDATE collections c SET parent_id = CASE WHEN n.position IS NULL THEN c.parent_id ELSE n.parent_id END, position = coalesce(n.position, c.position), name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.name ELSE c.name END, title = CASE WHEN num_nulls(n.version, n.position) = 0 THEN nullif(n.title, n.name) ELSE c.title END, key = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.key ELSE c.key END, titled_name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN CASE WHEN n.title <> n.name THEN n.name END ELSE c.titled_name END, content = coalesce(n.content, c.content), version = coalesce(n.version, c.version), content_digest = coalesce(n.content_digest, c.content_digest), updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END, updated_by = CASE WHEN n.version IS NULL THEN c.updated_by ELSE coalesce(n.author_id, $4::uuid) END, written_by = CASE WHEN (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) THEN coalesce(n.writer_id, $4::uuid) ELSE CASE WHEN n.version IS NULL THEN c.written_by ELSE CASE WHEN c.author_version = c.version THEN c.written_by END END END, written_since = CASE WHEN (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) THEN $3::timestamptz ELSE CASE WHEN n.version IS NULL THEN c.written_since ELSE CASE WHEN c.author_version = c.version THEN c.written_since END END END, author_version = CASE WHEN n.version IS NULL THEN c.author_version ELSE n.version END, saved_version = CASE WHEN n.version IS NULL THEN c.saved_version ELSE CASE WHEN n.content_write IS NULL AND (c.saved_version = c.version OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE)) THEN n.version END END
FROM unnest($5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::int[], $12::text[], $13::json[], $14::uuid[], $15::uuid[], $16::text[]) AS n (id, parent_id, position, name, title, key, version, content_digest, content, author_id, writer_id, content_write)
WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL;

-- tree.updateGuarded
WITH 
  guarded AS (
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = $5::uuid THEN $6::uuid END
    WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 RETURNING team_id, id, tree_version
  ), logged AS (
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
  SELECT w.team_id, w.id, w.tree_version, n.id, $5::uuid
  FROM guarded w, unnest($7::uuid[]) AS n (id) WHERE w.team_id = $1 AND w.id = $2) 
  UPDATE collections c SET parent_id = CASE WHEN n.position IS NULL THEN c.parent_id ELSE n.parent_id END, position = coalesce(n.position, c.position), name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.name ELSE c.name END, title = CASE WHEN num_nulls(n.version, n.position) = 0 THEN nullif(n.title, n.name) ELSE c.title END, key = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.key ELSE c.key END, titled_name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN CASE WHEN n.title <> n.name THEN n.name END ELSE c.titled_name END, content = coalesce(n.content, c.content), version = coalesce(n.version, c.version), content_digest = coalesce(n.content_digest, c.content_digest), updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END, updated_by = CASE WHEN n.version IS NULL THEN c.updated_by ELSE coalesce(n.author_id, $4::uuid) END, written_by = CASE WHEN (n.content IS NOT NULL AND (
      n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
      AND $3::timestamptz - c.written_since < interval '10 minutes'
    ) IS NOT TRUE) THEN coalesce(n.writer_id, $4::uuid) ELSE CASE WHEN n.version IS NULL THEN c.written_by ELSE CASE WHEN c.author_version = c.version THEN c.written_by END END END, written_since = CASE WHEN (n.content IS NOT NULL AND (
      n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
      AND $3::timestamptz - c.written_since < interval '10 minutes'
    ) IS NOT TRUE) THEN $3::timestamptz ELSE CASE WHEN n.version IS NULL THEN c.written_since ELSE CASE WHEN c.author_version = c.version THEN c.written_since END END END, author_version = CASE WHEN n.version IS NULL THEN c.author_version ELSE n.version END, saved_version = CASE WHEN n.version IS NULL THEN c.saved_version ELSE CASE WHEN n.content_write IS NULL AND (c.saved_version = c.version OR (n.content IS NOT NULL AND (
      n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
      AND $3::timestamptz - c.written_since < interval '10 minutes'
    ) IS NOT TRUE)) THEN n.version END END
  FROM guarded,unnest($7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[], $14::text[], $15::json[], $16::uuid[], $17::uuid[], $18::text[]) AS n (id, parent_id, position, name, title, key, version, content_digest, content, author_id, writer_id, content_write)
  WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL RETURNING c.id;

-- tree.updateGuardedKeeping
  WITH 
guarded AS (
  UPDATE workspaces SET tree_version = tree_version + 1,
    tree_stamp = CASE WHEN tree_stamp = $5::uuid THEN $6::uuid END
  WHERE team_id = $1 AND id = $2 AND num_nulls(deleted_at) = 1 RETURNING team_id, id, tree_version
), logged AS (
INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
SELECT w.team_id, w.id, w.tree_version, n.id, $5::uuid
FROM guarded w, unnest($7::uuid[]) AS n (id) WHERE w.team_id = $1 AND w.id = $2), 
kept AS (
  INSERT INTO page_versions AS made
    (team_id, id, version, since, until, author_id, bytes, content, ordinal, total_bytes)
  SELECT c.team_id, c.id, c.version,
    CASE WHEN c.author_version = c.version THEN coalesce(c.written_since, c.updated_at)
      ELSE c.updated_at END,
    $3::timestamptz, CASE WHEN c.author_version = c.version THEN c.written_by END,
    octet_length(present.text), c.content, coalesce(newest.ordinal, 0) + 1,
    coalesce(newest.total_bytes, 0) + octet_length(present.text)
  FROM guarded, unnest($7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[], $14::text[], $15::json[], $16::uuid[], $17::uuid[], $18::text[]) AS n (id, parent_id, position, name, title, key, version, content_digest, content, author_id, writer_id, content_write)
  CROSS JOIN LATERAL (
      SELECT * FROM collections c
      WHERE c.team_id = $1 AND c.id >= n.id AND c.id <= n.id
      ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (SELECT c.content::text AS text OFFSET 0) AS present
  LEFT JOIN LATERAL (
    SELECT ordinal, total_bytes FROM page_versions WHERE team_id = $1 AND id = n.id
    ORDER BY team_id DESC, id DESC, version DESC LIMIT 1
  ) AS newest ON true
  WHERE (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND present.text <> '{}' AND NOT CASE
    WHEN present.text = n.content::text THEN true
    WHEN octet_length(present.text) <> octet_length(n.content::text) THEN false
    WHEN present.text ~ '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})' OR n.content::text ~ '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})' THEN false
    ELSE present.text::jsonb = n.content::text::jsonb
  END
  RETURNING made.id, made.version, made.ordinal, made.total_bytes
), trimmed AS (
  DELETE FROM page_versions v USING kept
  WHERE v.team_id = $1 AND v.id = kept.id AND v.version < kept.version AND (
    v.ordinal <= kept.ordinal - 50
    OR v.total_bytes - v.bytes < kept.total_bytes - 8388608
  )
)
  
UPDATE collections c SET parent_id = CASE WHEN n.position IS NULL THEN c.parent_id ELSE n.parent_id END, position = coalesce(n.position, c.position), name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.name ELSE c.name END, title = CASE WHEN num_nulls(n.version, n.position) = 0 THEN nullif(n.title, n.name) ELSE c.title END, key = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.key ELSE c.key END, titled_name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN CASE WHEN n.title <> n.name THEN n.name END ELSE c.titled_name END, content = coalesce(n.content, c.content), version = coalesce(n.version, c.version), content_digest = coalesce(n.content_digest, c.content_digest), updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END, updated_by = CASE WHEN n.version IS NULL THEN c.updated_by ELSE coalesce(n.author_id, $4::uuid) END, written_by = CASE WHEN (EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND c.content::text = '{}') THEN coalesce(n.writer_id, $4::uuid) ELSE CASE WHEN n.version IS NULL THEN c.written_by ELSE CASE WHEN c.author_version = c.version THEN c.written_by END END END, written_since = CASE WHEN (EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND c.content::text = '{}') THEN $3::timestamptz ELSE CASE WHEN n.version IS NULL THEN c.written_since ELSE CASE WHEN c.author_version = c.version THEN c.written_since END END END, author_version = CASE WHEN n.version IS NULL THEN c.author_version ELSE n.version END, saved_version = CASE WHEN n.version IS NULL THEN c.saved_version ELSE CASE WHEN n.content_write IS NULL AND (c.saved_version = c.version OR (EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND c.content::text = '{}')) THEN n.version END END
FROM guarded,unnest($7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::int[], $14::text[], $15::json[], $16::uuid[], $17::uuid[], $18::text[]) AS n (id, parent_id, position, name, title, key, version, content_digest, content, author_id, writer_id, content_write)
WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL RETURNING c.id;

-- tree.updateKeeping
  WITH 
kept AS (
  INSERT INTO page_versions AS made
    (team_id, id, version, since, until, author_id, bytes, content, ordinal, total_bytes)
  SELECT c.team_id, c.id, c.version,
    CASE WHEN c.author_version = c.version THEN coalesce(c.written_since, c.updated_at)
      ELSE c.updated_at END,
    $3::timestamptz, CASE WHEN c.author_version = c.version THEN c.written_by END,
    octet_length(present.text), c.content, coalesce(newest.ordinal, 0) + 1,
    coalesce(newest.total_bytes, 0) + octet_length(present.text)
  FROM unnest($5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::int[], $12::text[], $13::json[], $14::uuid[], $15::uuid[], $16::text[]) AS n (id, parent_id, position, name, title, key, version, content_digest, content, author_id, writer_id, content_write)
  CROSS JOIN LATERAL (
      SELECT * FROM collections c
      WHERE c.team_id = $1 AND c.id >= n.id AND c.id <= n.id
      ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
  CROSS JOIN LATERAL (SELECT c.content::text AS text OFFSET 0) AS present
  LEFT JOIN LATERAL (
    SELECT ordinal, total_bytes FROM page_versions WHERE team_id = $1 AND id = n.id
    ORDER BY team_id DESC, id DESC, version DESC LIMIT 1
  ) AS newest ON true
  WHERE (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND present.text <> '{}' AND NOT CASE
    WHEN present.text = n.content::text THEN true
    WHEN octet_length(present.text) <> octet_length(n.content::text) THEN false
    WHEN present.text ~ '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})' OR n.content::text ~ '[:,[]-?([0-9.]{100}|[0-9.]+[eE][-+]?[0-9]{3})' THEN false
    ELSE present.text::jsonb = n.content::text::jsonb
  END
  RETURNING made.id, made.version, made.ordinal, made.total_bytes
), trimmed AS (
  DELETE FROM page_versions v USING kept
  WHERE v.team_id = $1 AND v.id = kept.id AND v.version < kept.version AND (
    v.ordinal <= kept.ordinal - 50
    OR v.total_bytes - v.bytes < kept.total_bytes - 8388608
  )
), updated AS (
UPDATE collections c SET parent_id = CASE WHEN n.position IS NULL THEN c.parent_id ELSE n.parent_id END, position = coalesce(n.position, c.position), name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.name ELSE c.name END, title = CASE WHEN num_nulls(n.version, n.position) = 0 THEN nullif(n.title, n.name) ELSE c.title END, key = CASE WHEN num_nulls(n.version, n.position) = 0 THEN n.key ELSE c.key END, titled_name = CASE WHEN num_nulls(n.version, n.position) = 0 THEN CASE WHEN n.title <> n.name THEN n.name END ELSE c.titled_name END, content = coalesce(n.content, c.content), version = coalesce(n.version, c.version), content_digest = coalesce(n.content_digest, c.content_digest), updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END, updated_by = CASE WHEN n.version IS NULL THEN c.updated_by ELSE coalesce(n.author_id, $4::uuid) END, written_by = CASE WHEN (EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND c.content::text = '{}') THEN coalesce(n.writer_id, $4::uuid) ELSE CASE WHEN n.version IS NULL THEN c.written_by ELSE CASE WHEN c.author_version = c.version THEN c.written_by END END END, written_since = CASE WHEN (EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND c.content::text = '{}') THEN $3::timestamptz ELSE CASE WHEN n.version IS NULL THEN c.written_since ELSE CASE WHEN c.author_version = c.version THEN c.written_since END END END, author_version = CASE WHEN n.version IS NULL THEN c.author_version ELSE n.version END, saved_version = CASE WHEN n.version IS NULL THEN c.saved_version ELSE CASE WHEN n.content_write IS NULL AND (c.saved_version = c.version OR (EXISTS (SELECT FROM kept WHERE kept.id = n.id) OR (n.content IS NOT NULL AND (
    n.content_write IS DISTINCT FROM 'restore' AND c.saved_version = c.version AND c.written_by = coalesce(n.writer_id, $4::uuid)
    AND $3::timestamptz - c.written_since < interval '10 minutes'
  ) IS NOT TRUE) AND c.content::text = '{}')) THEN n.version END END
FROM unnest($5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::int[], $12::text[], $13::json[], $14::uuid[], $15::uuid[], $16::text[]) AS n (id, parent_id, position, name, title, key, version, content_digest, content, author_id, writer_id, content_write)
WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL RETURNING c.id)
  SELECT count(*) FROM updated;

-- tree.versions
SELECT v.id, v.version, v.content::text AS content
FROM unnest($3::uuid[], $4::int[]) AS wanted (page, version)
CROSS JOIN LATERAL (
  SELECT id, version, content FROM page_versions
  WHERE team_id = $1 AND id = wanted.page AND version = wanted.version
    AND until > now() - $5::int * interval '1 second'
) AS v
WHERE $2::uuid IS NOT NULL;

-- tree.whole
  SELECT collection, "parentId", json FROM (
    SELECT NULL::uuid AS collection, NULL::uuid AS "parentId",
      tree_stamp || ' ' || rebalances || ' collection' AS json, '' COLLATE "C" AS position
    FROM workspaces WHERE team_id = $1 AND id = $2
    UNION ALL
    SELECT 
CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id AS "parentId", format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null'))
   AS json, c.position
    FROM collections c WHERE team_id = $1 AND workspace_id = $2
  ) AS rows ORDER BY position;

-- tree.withEtag
SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", 
  CASE WHEN wanted.content THEN c.content::text END AS content,
  CASE c.object WHEN 'collection' THEN (
    SELECT CASE WHEN count(*) <= $5::int
      THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
    FROM (
      SELECT id, version FROM collections WHERE team_id = $1 AND list_id = c.id ORDER BY team_id, list_id, position
      LIMIT $5::int + 1
    ) AS children
  ) ELSE '' END AS "childVersions"
FROM unnest($3::uuid[], $4::boolean[]) AS wanted (item, content)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
WHERE c.workspace_id IS NOT DISTINCT FROM $2;

-- workspaces.find + tree.head + tree.ends + tree.takenSlugs
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS "parentId", (
      SELECT position FROM collections
      WHERE team_id = $1 AND list_id = coalesce(parent.id, place.id) ORDER BY team_id DESC, list_id DESC, position DESC LIMIT 1
    ) AS last
    FROM unnest($5::uuid[]) AS parent (id)) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($6::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = place.id
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.ends + tree.takenSlugs + tree.takenKeys
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS "parentId", (
      SELECT position FROM collections
      WHERE team_id = $1 AND list_id = coalesce(parent.id, place.id) ORDER BY team_id DESC, list_id DESC, position DESC LIMIT 1
    ) AS last
    FROM unnest($5::uuid[]) AS parent (id)) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($6::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = place.id
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT wanted.key, taken.id FROM unnest($7::text[]) AS wanted (key)
    CROSS JOIN LATERAL (
        SELECT id FROM collections keyed
        WHERE keyed.team_id = $1 AND keyed.workspace_id = place.id
          AND keyed.key >= wanted.key AND keyed.key <= wanted.key
        ORDER BY keyed.key LIMIT 1) AS taken) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.items + tree.ends + tree.takenSlugs
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM unnest($5::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM path CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= path."parentId" AND c.id <= path."parentId"
        ORDER BY c.team_id, c.id LIMIT 1) AS c
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS "parentId", (
      SELECT position FROM collections
      WHERE team_id = $1 AND list_id = coalesce(parent.id, place.id) ORDER BY team_id DESC, list_id DESC, position DESC LIMIT 1
    ) AS last
    FROM unnest($6::uuid[]) AS parent (id)) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($7::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = place.id
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.items + tree.ends + tree.takenSlugs + tree.takenKeys
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM unnest($5::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM path CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= path."parentId" AND c.id <= path."parentId"
        ORDER BY c.team_id, c.id LIMIT 1) AS c
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS "parentId", (
      SELECT position FROM collections
      WHERE team_id = $1 AND list_id = coalesce(parent.id, place.id) ORDER BY team_id DESC, list_id DESC, position DESC LIMIT 1
    ) AS last
    FROM unnest($6::uuid[]) AS parent (id)) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($7::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = place.id
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found
UNION ALL
SELECT 4 AS part, to_json(found) AS row FROM (
    SELECT wanted.key, taken.id FROM unnest($8::text[]) AS wanted (key)
    CROSS JOIN LATERAL (
        SELECT id FROM collections keyed
        WHERE keyed.team_id = $1 AND keyed.workspace_id = place.id
          AND keyed.key >= wanted.key AND keyed.key <= wanted.key
        ORDER BY keyed.key LIMIT 1) AS taken) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.items + tree.ids
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM unnest($5::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM path CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= path."parentId" AND c.id <= path."parentId"
        ORDER BY c.team_id, c.id LIMIT 1) AS c
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT id, position FROM collections
    WHERE team_id = $1 AND list_id = coalesce($6::uuid, place.id) ORDER BY team_id, list_id, position LIMIT $7::int) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.items + tree.orders + tree.takenSlugs
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM unnest($5::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM path CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= path."parentId" AND c.id <= path."parentId"
        ORDER BY c.team_id, c.id LIMIT 1) AS c
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT nullif(list.id, place.id) AS "parentId", (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE team_id = $1 AND list_id = list.id ORDER BY team_id, list_id, position LIMIT $8
      ) AS siblings
    ) AS positions
    FROM (
      SELECT c.list_id AS id FROM unnest($6::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT coalesce(parent.id, place.id) FROM unnest($7::uuid[]) AS parent (id)
    ) AS list) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($9::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = place.id
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.items + tree.withEtag + tree.heights + tree.orders
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM unnest($5::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince" FROM path CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= path."parentId" AND c.id <= path."parentId"
        ORDER BY c.team_id, c.id LIMIT 1) AS c
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", 
      CASE WHEN wanted.content THEN c.content::text END AS content,
      CASE c.object WHEN 'collection' THEN (
        SELECT CASE WHEN count(*) <= $8::int
          THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
        FROM (
          SELECT id, version FROM collections WHERE team_id = $1 AND list_id = c.id ORDER BY team_id, list_id, position
          LIMIT $8::int + 1
        ) AS children
      ) ELSE '' END AS "childVersions"
    FROM unnest($6::uuid[], $7::boolean[]) AS wanted (item, content)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c
    WHERE c.workspace_id IS NOT DISTINCT FROM place.id) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE subtree AS (
      SELECT c.id AS root, c.id, c.object, 1 AS level FROM unnest($9::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c
      WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION ALL
      SELECT subtree.root, c.id, c.object, subtree.level + 1 FROM subtree
      CROSS JOIN LATERAL (
        SELECT id, object FROM collections WHERE team_id = $1 AND list_id = subtree.id ORDER BY team_id, list_id, position) AS c
      WHERE subtree.object = 'collection'
    )
    SELECT root, max(level)::int AS height FROM subtree GROUP BY root) AS found
UNION ALL
SELECT 4 AS part, to_json(found) AS row FROM (
    SELECT nullif(list.id, place.id) AS "parentId", (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE team_id = $1 AND list_id = list.id ORDER BY team_id, list_id, position LIMIT $12
      ) AS siblings
    ) AS positions
    FROM (
      SELECT c.list_id AS id FROM unnest($10::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT coalesce(parent.id, place.id) FROM unnest($11::uuid[]) AS parent (id)
    ) AS list) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.orders + tree.takenSlugs
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT nullif(list.id, place.id) AS "parentId", (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE team_id = $1 AND list_id = list.id ORDER BY team_id, list_id, position LIMIT $7
      ) AS siblings
    ) AS positions
    FROM (
      SELECT c.list_id AS id FROM unnest($5::uuid[]) AS wanted (item)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c WHERE c.workspace_id IS NOT DISTINCT FROM place.id
      UNION
      SELECT coalesce(parent.id, place.id) FROM unnest($6::uuid[]) AS parent (id)
    ) AS list) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($8::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = place.id
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.withEtag
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", 
      CASE WHEN wanted.content THEN c.content::text END AS content,
      CASE c.object WHEN 'collection' THEN (
        SELECT CASE WHEN count(*) <= $7::int
          THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
        FROM (
          SELECT id, version FROM collections WHERE team_id = $1 AND list_id = c.id ORDER BY team_id, list_id, position
          LIMIT $7::int + 1
        ) AS children
      ) ELSE '' END AS "childVersions"
    FROM unnest($5::uuid[], $6::boolean[]) AS wanted (item, content)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c
    WHERE c.workspace_id IS NOT DISTINCT FROM place.id) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.find + tree.head + tree.withEtag + tree.around
    SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", found.part, found.row
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    LEFT JOIN LATERAL (SELECT w.team_id, w.id WHERE (wm.role IS NOT NULL OR w.visibility = 'public' AND tm.role <> 'guest')) AS place ON true
    LEFT JOIN LATERAL (SELECT 0 AS part, to_json(found) AS row FROM (
    SELECT tree_stamp AS "treeStamp", floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces
    WHERE team_id = $1 AND id = place.id AND num_nulls(deleted_at) = 1) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT c.id, c.name, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS "title", c.object, c.parent_id AS "parentId", c.key, c.workspace_id AS "workspaceId", c.slug, c.created_at AS "createdAt", c.updated_at AS "updatedAt", c.created_by AS "createdBy", CASE WHEN c.author_version = c.version THEN c.updated_by END AS "updatedBy", c.position, c.version, CASE WHEN c.saved_version = c.version THEN c.written_by END AS "savedBy", CASE WHEN c.saved_version = c.version THEN c.written_since END AS "savedSince", 
      CASE WHEN wanted.content THEN c.content::text END AS content,
      CASE c.object WHEN 'collection' THEN (
        SELECT CASE WHEN count(*) <= $7::int
          THEN coalesce(string_agg(';' || id || ':' || version, ''), '') END
        FROM (
          SELECT id, version FROM collections WHERE team_id = $1 AND list_id = c.id ORDER BY team_id, list_id, position
          LIMIT $7::int + 1
        ) AS children
      ) ELSE '' END AS "childVersions"
    FROM unnest($5::uuid[], $6::boolean[]) AS wanted (item, content)
      CROSS JOIN LATERAL (
        SELECT * FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
        ORDER BY c.team_id, c.id LIMIT 1
      ) AS c
    WHERE c.workspace_id IS NOT DISTINCT FROM place.id) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT own.parent_id AS "parentId", ARRAY(
      SELECT position FROM collections WHERE team_id = $1 AND list_id = own.list_id ORDER BY team_id, list_id, position
      OFFSET $9::int LIMIT $10::int
    ) AS positions, ARRAY(
      SELECT position FROM collections WHERE team_id = $1 AND list_id = own.list_id ORDER BY team_id DESC, list_id DESC, position DESC LIMIT $11::int
    ) AS tail
    FROM collections own
    WHERE own.team_id = $1 AND own.id = $8 AND own.workspace_id IS NOT DISTINCT FROM place.id) AS found) AS found ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);
