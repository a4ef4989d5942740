-- search.prefixes
WITH asked AS MATERIALIZED (
  SELECT translate(
    normalize(upper(lower(normalize($3, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C" AS text, ARRAY(
    SELECT '%' || regexp_replace(translate(
    normalize(upper(lower(normalize(word, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", '([\\%_])', '\\\1', 'g') || '%'
    FROM unnest($4::text[]) AS word
  ) AS patterns
), place AS MATERIALIZED (
  SELECT w.id, w.name, w.slug FROM unnest($2::uuid[]) AS readable (id)
  CROSS JOIN LATERAL (
    SELECT * FROM workspaces w
    WHERE w.team_id = $1 AND w.id >= readable.id AND w.id <= readable.id
      AND num_nulls(w.deleted_at) = 1
    ORDER BY w.team_id, w.id LIMIT 1
  ) AS w
), of_slug AS MATERIALIZED (
  SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title FROM place CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.slug >= $6 AND c.slug <= $6 AND c.workspace_id = place.id
    ORDER BY c.slug LIMIT 1
  ) AS c
  WHERE $5::text IS NULL OR c.object = $5
), found AS MATERIALIZED (
  SELECT * FROM (
    SELECT id, workspace_id, title, CASE
      WHEN folded = text THEN 0
      WHEN starts_with(folded, text) THEN 1
      WHEN strpos(folded, ' ' || text) > 0 THEN 2
      ELSE 3
    END AS rank
    FROM (
      SELECT * FROM (
    SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
      SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, c.object, c.indexed AS folded
      FROM (SELECT *, left(translate(
    normalize(upper(lower(normalize(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", 250) AS indexed FROM collections c) AS c
      WHERE c.team_id = $1 AND c.workspace_id = place.id AND num_nulls(c.name) = 0
        AND c.indexed >= left(asked.text, 250)
        AND c.indexed <= left(asked.text, 250) || repeat(U&'\+10FFFF', 8)
      ORDER BY c.team_id, c.workspace_id, c.indexed
    ) AS c LIMIT 2000000
      ) AS others WHERE char_length(folded) < 250 OR NOT octet_length(title) >= 96
      UNION ALL
    SELECT text, patterns, id, workspace_id, title, object, CASE
        WHEN row_number() OVER () <= 100 THEN translate(
    normalize(upper(lower(normalize(title, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C" ELSE indexed
      END AS folded
    FROM (
      SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
        SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, c.object, c.indexed
        FROM (SELECT *, left(translate(
    normalize(upper(lower(normalize(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", 250) AS indexed FROM collections c) AS c
        WHERE c.team_id = $1 AND c.workspace_id = place.id
          AND octet_length(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END) >= 96 AND char_length(c.indexed) = 250
        ORDER BY c.team_id, c.workspace_id, c.object, c.indexed
      ) AS c LIMIT 2000000
    ) AS long
    ) AS walked
    WHERE ($5::text IS NULL OR object = $5) AND starts_with(folded, text)
      AND id <> ALL (ARRAY(SELECT id FROM of_slug))
    UNION ALL
    SELECT id, workspace_id, title, 0 FROM of_slug
  ) AS hit
  ORDER BY rank, char_length(title), title COLLATE "C", id LIMIT $7
)
SELECT count.walked, item.json, (
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
    ) AS ancestors, place.name AS title, place.slug
FROM (SELECT count(*) AS walked FROM (
    SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
      SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, c.object, c.indexed AS folded
      FROM (SELECT *, left(translate(
    normalize(upper(lower(normalize(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", 250) AS indexed FROM collections c) AS c
      WHERE c.team_id = $1 AND c.workspace_id = place.id AND num_nulls(c.name) = 0
        AND c.indexed >= left(asked.text, 250)
        AND c.indexed <= left(asked.text, 250) || repeat(U&'\+10FFFF', 8)
      ORDER BY c.team_id, c.workspace_id, c.indexed
    ) AS c LIMIT 2000000
  ) AS walked) AS count
LEFT JOIN found ON true
LEFT JOIN LATERAL (
  SELECT name, slug FROM place WHERE place.id = found.workspace_id
) AS place ON true
LEFT JOIN LATERAL (
    SELECT c.parent_id, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json FROM collections c
    WHERE c.team_id = $1 AND c.id >= found.id AND c.id <= found.id
    ORDER BY c.team_id, c.id LIMIT 1
) AS item ON true
ORDER BY rank, char_length(title), title COLLATE "C", id;

-- search.words
WITH asked AS MATERIALIZED (
  SELECT translate(
    normalize(upper(lower(normalize($3, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C" AS text, ARRAY(
    SELECT '%' || regexp_replace(translate(
    normalize(upper(lower(normalize(word, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", '([\\%_])', '\\\1', 'g') || '%'
    FROM unnest($4::text[]) AS word
  ) AS patterns
), place AS MATERIALIZED (
  SELECT w.id, w.name, w.slug FROM unnest($2::uuid[]) AS readable (id)
  CROSS JOIN LATERAL (
    SELECT * FROM workspaces w
    WHERE w.team_id = $1 AND w.id >= readable.id AND w.id <= readable.id
      AND num_nulls(w.deleted_at) = 1
    ORDER BY w.team_id, w.id LIMIT 1
  ) AS w
), of_slug AS MATERIALIZED (
  SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title FROM place CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.slug >= $6 AND c.slug <= $6 AND c.workspace_id = place.id
    ORDER BY c.slug LIMIT 1
  ) AS c
  WHERE $5::text IS NULL OR c.object = $5
), found AS MATERIALIZED (
  SELECT * FROM (
    SELECT id, workspace_id, title, CASE
      WHEN folded = text THEN 0
      WHEN starts_with(folded, text) THEN 1
      WHEN strpos(folded, ' ' || text) > 0 THEN 2
      ELSE 3
    END AS rank
    FROM (
      SELECT * FROM (
    SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
      SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, c.object, c.indexed AS folded
      FROM (SELECT *, left(translate(
    normalize(upper(lower(normalize(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", 250) AS indexed FROM collections c) AS c
      WHERE c.team_id = $1 AND c.workspace_id = place.id AND num_nulls(c.name) = 0
      ORDER BY c.team_id, c.workspace_id, c.indexed
    ) AS c
      ) AS others WHERE char_length(folded) < 250 OR NOT octet_length(title) >= 96
      UNION ALL
    SELECT text, patterns, id, workspace_id, title, object, CASE
        WHEN row_number() OVER () <= 100 THEN translate(
    normalize(upper(lower(normalize(title, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C" ELSE indexed
      END AS folded
    FROM (
      SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
        SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, c.object, c.indexed
        FROM (SELECT *, left(translate(
    normalize(upper(lower(normalize(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", 250) AS indexed FROM collections c) AS c
        WHERE c.team_id = $1 AND c.workspace_id = place.id
          AND octet_length(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END) >= 96 AND char_length(c.indexed) = 250
        ORDER BY c.team_id, c.workspace_id, c.object, c.indexed
      ) AS c
    ) AS long
    ) AS walked
    WHERE ($5::text IS NULL OR object = $5) AND folded LIKE ALL (patterns)
      AND id <> ALL (ARRAY(SELECT id FROM of_slug))
    UNION ALL
    SELECT id, workspace_id, title, 0 FROM of_slug
  ) AS hit
  ORDER BY rank, char_length(title), title COLLATE "C", id LIMIT $7
)
SELECT count.walked, item.json, (
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
    ) AS ancestors, place.name AS title, place.slug
FROM (SELECT count(*) AS walked FROM (
    SELECT asked.*, c.* FROM asked CROSS JOIN place CROSS JOIN LATERAL (
      SELECT c.id, c.workspace_id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, c.object, c.indexed AS folded
      FROM (SELECT *, left(translate(
    normalize(upper(lower(normalize(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END, NFKC) COLLATE "und-x-icu")), NFKC),
    U&'\0130\0009\000A\000B\000C\000D\0085\1680\2028\2029\FEFF', 'I          '
  ) COLLATE "C", 250) AS indexed FROM collections c) AS c
      WHERE c.team_id = $1 AND c.workspace_id = place.id AND num_nulls(c.name) = 0
      ORDER BY c.team_id, c.workspace_id, c.indexed
    ) AS c
  ) AS walked) AS count
LEFT JOIN found ON true
LEFT JOIN LATERAL (
  SELECT name, slug FROM place WHERE place.id = found.workspace_id
) AS place ON true
LEFT JOIN LATERAL (
    SELECT c.parent_id, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json FROM collections c
    WHERE c.team_id = $1 AND c.id >= found.id AND c.id <= found.id
    ORDER BY c.team_id, c.id LIMIT 1
) AS item ON true
ORDER BY rank, char_length(title), title COLLATE "C", id;

-- search.workspace
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", wm.role AS "workspaceRole", (SELECT u.pages FROM team_usage u WHERE u.team_id = $1) AS pages
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4 AND w.deleted_at IS NULL
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- search.workspaces
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", w.role AS "workspaceRole", (SELECT u.pages FROM team_usage u WHERE u.team_id = $1) AS pages
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

-- search.workspaces.short
SELECT t.id AS "teamId", w.id, w.visibility, w.default_access AS "defaultAccess", w.archived_at AS "archivedAt", w.deleted_at AS "deletedAt", w.name AS "workspaceName", tm.role AS "teamRole", w.role AS "workspaceRole", (SELECT u.pages FROM team_usage u WHERE u.team_id = $1) AS pages
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
