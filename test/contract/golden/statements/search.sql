-- pageIndex.addWords
INSERT INTO page_words (team_id, workspace_id, id, tree_version, changed_at, bytes, is_set_aside,
  part, count, words)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, cardinality(missing.lexemes),
  array_to_tsvector(missing.lexemes || $10::text)
FROM (
  SELECT ARRAY (
    SELECT unnest($9::text[]) EXCEPT
    SELECT unnest(tsvector_to_array(p.words)) FROM page_words p
    WHERE p.team_id = $1 AND p.workspace_id = $2 AND p.id = $3
  ) AS lexemes
) AS missing WHERE cardinality(missing.lexemes) > 0;

-- pageIndex.anyIndexed
SELECT team_id AS "teamId", workspace_id AS id FROM search_positions
ORDER BY team_id, workspace_id LIMIT 1;

-- pageIndex.behind
SELECT w.team_id AS "teamId", w.id FROM workspaces w
LEFT JOIN search_positions s ON s.team_id = w.team_id AND s.workspace_id = w.id
WHERE num_nulls(w.deleted_at) = 1 AND (
  w.tree_version > coalesce(s.version, 0) OR s.id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' OR s.loaded_id IS NOT NULL
)
LIMIT 1000;

-- pageIndex.changed
SELECT c.team_id AS "teamId", c.workspace_id AS id, max(c.version)::float8 AS version,
  min(c.created_at) AS "changedAt"
FROM tree_changes c
WHERE c.created_at > $1 AND c.created_at < $1::timestamptz + interval '1 day'
GROUP BY c.team_id, c.workspace_id;

-- pageIndex.claim
UPDATE search_positions SET writes = writes + 1
WHERE team_id = $1 AND workspace_id = $2 RETURNING writes;

-- pageIndex.clearWords
WITH cleared AS (
  DELETE FROM page_words WHERE team_id = $1 AND ctid = ANY (ARRAY (
    SELECT ctid FROM page_words WHERE team_id = $1 AND workspace_id = $2
    ORDER BY team_id, workspace_id, id, part LIMIT 1000
  )) RETURNING 1
)
SELECT count(*)::int AS rows FROM cleared;

-- pageIndex.deletePosition
DELETE FROM search_positions WHERE team_id = $1 AND workspace_id = $2;

-- pageIndex.deleteWords
DELETE FROM page_words WHERE team_id = $1 AND ctid = ANY (ARRAY (
  SELECT p.ctid FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT ctid FROM page_words
    WHERE team_id = $1 AND workspace_id = $2 AND id >= wanted.item AND id <= wanted.item
    ORDER BY team_id, workspace_id, id, part
  ) AS p
));

-- pageIndex.deleteWordsBetween
DELETE FROM page_words
WHERE team_id = $1 AND workspace_id = $2 AND id > $3::uuid AND id <= $4::uuid;

-- pageIndex.endLease
UPDATE search_rounds SET leased_until = clock_timestamp() WHERE id = 1 AND holder = $1;

-- pageIndex.insertPosition
INSERT INTO search_positions (team_id, workspace_id, version, id, loaded_id)
SELECT w.team_id, w.id, $3::bigint, $4::uuid, $5::uuid FROM workspaces w
WHERE w.team_id = $1 AND w.id = $2
ON CONFLICT DO NOTHING;

-- pageIndex.insertWords
INSERT INTO page_words (team_id, workspace_id, id, tree_version, changed_at, bytes, is_set_aside,
  part, count, words) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, array_to_tsvector($10::text[]));

-- pageIndex.itemsAfter
SELECT c.id, CASE WHEN c.object = 'item' THEN coalesce(pg_column_size(c.content), 0) END AS size FROM collections c
WHERE c.team_id = $1 AND (c.workspace_id, c.id) > ($2, $3::uuid) AND c.workspace_id <= $2
ORDER BY c.team_id, c.workspace_id, c.id LIMIT $4;

-- pageIndex.log
SELECT l.version::float8 AS version, l.id, l.created_at AS "createdAt", c.size,
  p.tree_version::float8 AS "indexedVersion",
  p.indexed_at > clock_timestamp() - interval '10 seconds' AS "isFresh"
FROM (
  SELECT version, id, created_at FROM tree_changes
  WHERE team_id = $1 AND workspace_id = $2 AND (version, id) > ($3::bigint, $4::uuid)
  ORDER BY team_id, workspace_id, version, id LIMIT $5
) AS l
LEFT JOIN LATERAL (
    SELECT c.workspace_id, c.object, coalesce(pg_column_size(c.content), 0) AS size FROM collections c
    WHERE c.team_id = $1 AND c.id >= l.id AND c.id <= l.id
    ORDER BY c.team_id, c.id LIMIT 1
) AS c ON c.workspace_id = $2 AND c.object = 'item'
LEFT JOIN LATERAL (
    SELECT p.tree_version, p.indexed_at FROM page_words p
    WHERE p.team_id = $1 AND p.workspace_id = $2
      AND (p.id, p.part) >= (l.id, 0) AND (p.id, p.part) <= (l.id, 0)
    ORDER BY p.team_id, p.workspace_id, p.id, p.part LIMIT 1
) AS p ON true
ORDER BY l.version, l.id;

-- pageIndex.move
UPDATE search_positions
SET version = $4::bigint, id = $5::uuid, loaded_id = $6::uuid,
  since = $7::timestamptz, writes = writes + 1
WHERE team_id = $1 AND workspace_id = $2 AND writes = $3::int
RETURNING writes;

-- pageIndex.pages
SELECT c.id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, coalesce(c.content::text, '{}') AS content,
  c.updated_at AS "changedAt", p.rows::int AS rows, p.words::int AS words, p."isSetAside"
FROM unnest($3::uuid[]) AS wanted (item)
  CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
CROSS JOIN LATERAL (
  SELECT max(part) + 1 AS rows, sum(count) AS words, bool_or(is_set_aside) AS "isSetAside"
  FROM (
    SELECT part, count, is_set_aside FROM page_words
    WHERE team_id = $1 AND workspace_id = $2 AND id >= c.id AND id <= c.id
    ORDER BY team_id, workspace_id, id, part
  ) AS p
) AS p
WHERE c.workspace_id = $2 AND c.object = 'item';

-- pageIndex.state
SELECT now(), w.tree_version::float8 AS "treeVersion", s.version::float8 AS version, s.id,
  s.loaded_id AS "loadedId", s.since, s.writes, (
    SELECT version FROM tree_changes WHERE team_id = $1 AND workspace_id = $2
    ORDER BY team_id, workspace_id, version, id LIMIT 1
  )::float8 AS "firstVersion"
FROM workspaces w
LEFT JOIN search_positions s ON s.team_id = $1 AND s.workspace_id = $2
WHERE w.team_id = $1 AND w.id = $2 AND num_nulls(w.deleted_at) = 1;

-- pageIndex.takeLease
UPDATE search_rounds SET holder = $1, leased_until = clock_timestamp() + interval '15 seconds'
WHERE id = 1 AND (holder = $1 OR leased_until <= clock_timestamp())
RETURNING now();

-- pageIndex.touch
UPDATE page_words p
SET tree_version = $4, changed_at = $5, bytes = $6, is_set_aside = $7, indexed_at = now()
WHERE p.team_id = $1 AND p.workspace_id = $2 AND p.id = $3;

-- pageSearch.behind
SELECT place.workspace_id AS "workspaceId", place.version::float8 AS version, place.id,
  date_part('epoch', clock_timestamp() - coalesce(place.loading_since, first.created_at, place.created_at)) AS age,
  date_part('epoch', clock_timestamp() - newest.created_at) AS "newestAge",
  place.loading_since IS NOT NULL OR first.version IS NULL
    OR first.version > place.version + CASE WHEN place.id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN 1 ELSE 0 END
    OR EXISTS (SELECT 
    FROM tree_changes l
    WHERE l.team_id = $1 AND l.workspace_id = place.workspace_id
      AND (l.version, l.id) > (place.version, place.id)
      ORDER BY l.team_id, l.workspace_id, l.version, l.id OFFSET 200
    ) AS "isIncomplete"
FROM unnest($2::uuid[]) AS readable (id)
CROSS JOIN LATERAL (
  SELECT w.id AS workspace_id, w.tree_version, w.created_at, coalesce(s.version, 0) AS version,
    coalesce(s.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS id,
    CASE WHEN s.loaded_id IS NOT NULL THEN s.since END AS loading_since
  FROM (
    SELECT * FROM workspaces w
    WHERE w.team_id = $1 AND w.id >= readable.id AND w.id <= readable.id AND num_nulls(w.deleted_at) = 1
    ORDER BY w.team_id, w.id LIMIT 1
  ) AS w
  LEFT JOIN LATERAL (
    SELECT * FROM search_positions s
    WHERE s.team_id = $1 AND s.workspace_id >= w.id AND s.workspace_id <= w.id
    ORDER BY s.team_id, s.workspace_id LIMIT 1
  ) AS s ON true
  OFFSET 0
) AS place
LEFT JOIN LATERAL (
  SELECT l.version, l.created_at 
    FROM tree_changes l
    WHERE l.team_id = $1 AND l.workspace_id = place.workspace_id
      AND (l.version, l.id) > (place.version, place.id)
  ORDER BY l.team_id, l.workspace_id, l.version, l.id LIMIT 1
) AS first ON true
LEFT JOIN LATERAL (
  SELECT l.created_at 
    FROM tree_changes l
    WHERE l.team_id = $1 AND l.workspace_id = place.workspace_id
      AND (l.version, l.id) > (place.version, place.id)
  ORDER BY l.team_id DESC, l.workspace_id DESC, l.version DESC, l.id DESC LIMIT 1
) AS newest ON true
WHERE place.tree_version > place.version OR place.id < 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  OR place.loading_since IS NOT NULL;

-- pageSearch.candidates
SELECT found.* FROM unnest($2::uuid[], $3::text[]) AS place (id, query)
CROSS JOIN LATERAL (
  SELECT p.id, p.workspace_id AS "workspaceId", p.changed_at AS "changedAt", p.bytes
  FROM (SELECT * FROM page_words p WHERE p.words @@ place.query::tsquery OFFSET 0
  ) AS p
  WHERE p.team_id = $1 AND p.workspace_id = place.id
    AND ($5::timestamptz IS NULL OR p.changed_at < $5 OR (p.changed_at = $5 AND p.id > $6::uuid))
  ORDER BY p.changed_at DESC, p.id LIMIT $4
) AS found
ORDER BY found."changedAt" DESC, found.id LIMIT $4;

-- pageSearch.changed
SELECT newest.id, newest.workspace_id AS "workspaceId", newest.updated_at AS "changedAt",
  date_part('epoch', clock_timestamp() - newest.at) AS age, octet_length(content.text) AS bytes
FROM (
  SELECT c.id, place.workspace_id, c.updated_at, change.at
  FROM unnest($2::uuid[], $3::bigint[], $4::uuid[]) AS place (workspace_id, version, id)
  CROSS JOIN LATERAL (
    SELECT logged.id, max(logged.version) AS version, max(logged.created_at) AS at
    FROM (
      SELECT l.id, l.version, l.created_at 
    FROM tree_changes l
    WHERE l.team_id = $1 AND l.workspace_id = place.workspace_id
      AND (l.version, l.id) > (place.version, place.id)
      ORDER BY l.team_id DESC, l.workspace_id DESC, l.version DESC, l.id DESC
      LIMIT 200
    ) AS logged GROUP BY logged.id
  ) AS change
  CROSS JOIN LATERAL (
    SELECT c.id, c.workspace_id, c.object, c.updated_at FROM collections c
    WHERE c.team_id = $1 AND c.id >= change.id AND c.id <= change.id
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c
  LEFT JOIN LATERAL (
    SELECT p.tree_version FROM page_words p
    WHERE p.team_id = $1 AND p.workspace_id = place.workspace_id
      AND (p.id, p.part) >= (change.id, 0) AND (p.id, p.part) <= (change.id, 0)
    ORDER BY p.team_id, p.workspace_id, p.id, p.part LIMIT 1
  ) AS p ON true
  WHERE c.workspace_id = place.workspace_id AND c.object = 'item'
    AND coalesce(p.tree_version < change.version, true)
  ORDER BY change.at DESC, c.id LIMIT 51
) AS newest
CROSS JOIN LATERAL (
    SELECT coalesce(c.content::text, '{}') AS text FROM collections c
    WHERE c.team_id = $1 AND c.id >= newest.id AND c.id <= newest.id
    ORDER BY c.team_id, c.id LIMIT 1
) AS content
ORDER BY newest.at DESC, newest.id;

-- pageSearch.contents
SELECT c.id, CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END AS title, coalesce(c.content::text, '{}') AS content,
  c.updated_at AS "changedAt"
FROM unnest($2::uuid[], $3::uuid[]) AS wanted (item, workspace_id)
CROSS JOIN LATERAL (
    SELECT * FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
) AS c
WHERE c.workspace_id = wanted.workspace_id AND c.object = 'item';

-- pageSearch.limitTime
SELECT set_config('statement_timeout', $1, true);

-- pageSearch.shown
SELECT item.id, item.json, (
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
    ) AS ancestors, w.name AS title, w.slug
FROM unnest($2::uuid[], $3::uuid[]) AS wanted (item, workspace_id)
CROSS JOIN LATERAL (
    SELECT c.id, c.parent_id, format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null')) AS json FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.item AND c.id <= wanted.item
    ORDER BY c.team_id, c.id LIMIT 1
) AS item
CROSS JOIN LATERAL (
  SELECT name, slug FROM workspaces w
  WHERE w.team_id = $1 AND w.id >= wanted.workspace_id AND w.id <= wanted.workspace_id
  ORDER BY w.team_id, w.id LIMIT 1
) AS w;

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
SELECT count.walked, found.id, item.json, (
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
SELECT count.walked, found.id, item.json, (
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
