-- changes.increment
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY version, id) AS n, version, id, created_at
      FROM (
        SELECT version, id, created_at FROM tree_changes
        WHERE team_id = $1 AND workspace_id = $2 AND (version, id) > ($3::bigint, $4::uuid)
        ORDER BY team_id, workspace_id, version, id LIMIT $5::int + 1) AS source
    ), wanted AS (
      SELECT array_agg(version ORDER BY n) AS versions, array_agg(id ORDER BY n) AS ids
      FROM (
        SELECT max(n) AS n, max(version) AS version, id FROM found
        WHERE n <= $5::int AND id <> $2 GROUP BY id
      ) AS latest
    ), shown AS (
      SELECT 0 AS n, NULL::bigint AS version, NULL::uuid AS id, NULL::text COLLATE "C" AS item, 0 AS bytes
      UNION ALL
      SELECT shown.n + 1, wanted.versions[shown.n + 1], wanted.ids[shown.n + 1], present.item,
        shown.bytes + coalesce(octet_length(present.item), 0)
      FROM shown CROSS JOIN wanted
      LEFT JOIN LATERAL (
        SELECT c.json || ',"position":"' || c.position || '"}' AS item FROM (

        SELECT 
  CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id AS "parentId", format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null'))
     AS json, c.position, c.workspace_id FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.ids[shown.n + 1] AND c.id <= wanted.ids[shown.n + 1]
        ORDER BY c.team_id, c.id LIMIT 1
        ) AS c WHERE c.workspace_id = $2
      ) AS present ON true
      WHERE shown.n < cardinality(wanted.ids) AND shown.bytes < 4194304
    )
    SELECT shown.version::float8 AS version, shown.id, shown.item, head.*
    FROM shown LEFT JOIN (
      SELECT w.tree_version::float8 AS "treeVersion", w.tree_stamp AS "treeStamp",
        (w.tree_version = $6::bigint AND w.tree_stamp = $7::uuid) OR $7::uuid = (
          SELECT previous_stamp FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $6::bigint + 1
          ORDER BY team_id, workspace_id, version, id LIMIT 1
        ) AS "isKnown",
        EXISTS (
          SELECT FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $3::bigint AND id = $4::uuid
        ) AS "isPlaceKept",
        all_found.*, coalesce(cardinality(wanted.ids), 0) AS items
      FROM workspaces w, wanted, (
        SELECT count(*) > $5::int AS "isCut", min(version)::float8 AS "firstVersion",
          count(DISTINCT version) FILTER (WHERE n <= $5::int)
            = max(version) FILTER (WHERE n <= $5::int) - min(version) + 1 AS "isGapless",
          max(version) FILTER (WHERE n <= $5::int)::float8 AS "lastVersion",
          (array_agg(id ORDER BY n DESC) FILTER (WHERE n <= $5::int))[1] AS "lastId",
          date_part('epoch', clock_timestamp() - min(created_at)) AS lag
        FROM found
      ) AS all_found
      WHERE w.team_id = $1 AND w.id = $2 AND num_nulls(w.deleted_at) = 1
    ) AS head ON shown.n = 0
    ORDER BY shown.n;

-- changes.incrementContent
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY version, id) AS n, version, id, created_at
      FROM (
        SELECT version, id, created_at FROM tree_changes
        WHERE team_id = $1 AND workspace_id = $2 AND (version, id) > ($3::bigint, $4::uuid)
        ORDER BY team_id, workspace_id, version, id LIMIT $5::int + 1) AS source
    ), wanted AS (
      SELECT array_agg(version ORDER BY n) AS versions, array_agg(id ORDER BY n) AS ids
      FROM (
        SELECT max(n) AS n, max(version) AS version, id FROM found
        WHERE n <= $5::int AND id <> $2 GROUP BY id
      ) AS latest
    ), shown AS (
      SELECT 0 AS n, NULL::bigint AS version, NULL::uuid AS id, NULL::text COLLATE "C" AS item, 0 AS bytes
      UNION ALL
      SELECT shown.n + 1, wanted.versions[shown.n + 1], wanted.ids[shown.n + 1], present.item,
        shown.bytes + coalesce(octet_length(present.item), 0)
      FROM shown CROSS JOIN wanted
      LEFT JOIN LATERAL (
        SELECT c.json || ',"position":"' || c.position || '"}' AS item FROM (

        SELECT 
  CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id AS "parentId", format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null'))
    || ',"content":' || coalesce(c.content::text, '{}') AS json, c.position, c.workspace_id FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.ids[shown.n + 1] AND c.id <= wanted.ids[shown.n + 1]
        ORDER BY c.team_id, c.id LIMIT 1
        ) AS c WHERE c.workspace_id = $2
      ) AS present ON true
      WHERE shown.n < cardinality(wanted.ids) AND shown.bytes < 4194304
    )
    SELECT shown.version::float8 AS version, shown.id, shown.item, head.*
    FROM shown LEFT JOIN (
      SELECT w.tree_version::float8 AS "treeVersion", w.tree_stamp AS "treeStamp",
        (w.tree_version = $6::bigint AND w.tree_stamp = $7::uuid) OR $7::uuid = (
          SELECT previous_stamp FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $6::bigint + 1
          ORDER BY team_id, workspace_id, version, id LIMIT 1
        ) AS "isKnown",
        EXISTS (
          SELECT FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $3::bigint AND id = $4::uuid
        ) AS "isPlaceKept",
        all_found.*, coalesce(cardinality(wanted.ids), 0) AS items
      FROM workspaces w, wanted, (
        SELECT count(*) > $5::int AS "isCut", min(version)::float8 AS "firstVersion",
          count(DISTINCT version) FILTER (WHERE n <= $5::int)
            = max(version) FILTER (WHERE n <= $5::int) - min(version) + 1 AS "isGapless",
          max(version) FILTER (WHERE n <= $5::int)::float8 AS "lastVersion",
          (array_agg(id ORDER BY n DESC) FILTER (WHERE n <= $5::int))[1] AS "lastId",
          date_part('epoch', clock_timestamp() - min(created_at)) AS lag
        FROM found
      ) AS all_found
      WHERE w.team_id = $1 AND w.id = $2 AND num_nulls(w.deleted_at) = 1
    ) AS head ON shown.n = 0
    ORDER BY shown.n;

-- changes.load
    WITH RECURSIVE found AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY version, id) AS n, version, id, created_at
      FROM (
        SELECT $3::bigint AS version, id, NULL::timestamptz AS created_at FROM collections
        WHERE team_id = $1 AND (workspace_id, id) > ($2, $4::uuid) AND workspace_id <= $2
        ORDER BY team_id, workspace_id, id LIMIT $5::int + 1) AS source
    ), wanted AS (
      SELECT array_agg(version ORDER BY n) AS versions, array_agg(id ORDER BY n) AS ids
      FROM (
        SELECT max(n) AS n, max(version) AS version, id FROM found
        WHERE n <= $5::int AND id <> $2 GROUP BY id
      ) AS latest
    ), shown AS (
      SELECT 0 AS n, NULL::bigint AS version, NULL::uuid AS id, NULL::text COLLATE "C" AS item, 0 AS bytes
      UNION ALL
      SELECT shown.n + 1, wanted.versions[shown.n + 1], wanted.ids[shown.n + 1], present.item,
        shown.bytes + coalesce(octet_length(present.item), 0)
      FROM shown CROSS JOIN wanted
      LEFT JOIN LATERAL (
        SELECT c.json || ',"position":"' || c.position || '"}' AS item FROM (

        SELECT 
  CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id AS "parentId", format('{"id":"%1$s","name":%2$s,"object":"%3$s"%4$s%5$s,"team":"%6$s","workspace":"%7$s","meta":{"title":%8$s,"slug":"%9$s"},"createdAt":%10$sZ","updatedAt":%11$sZ","createdBy":%12$s,"updatedBy":%13$s', c.id, to_json(c.name), c.object, ',"parent":"' || c.parent_id || '"', ',"key":' || to_json(c.key) || '', c.team_id, c.workspace_id, to_json(CASE WHEN c.titled_name = c.name THEN c.title ELSE c.name END), c.slug, left(to_json(c.created_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), left(to_json(c.updated_at AT TIME ZONE 'UTC' + interval '1 us')::text, 24), coalesce('"' || c.created_by || '"', 'null'), coalesce('"' || CASE WHEN c.author_version = c.version THEN c.updated_by END || '"', 'null'))
     AS json, c.position, c.workspace_id FROM collections c
        WHERE c.team_id = $1 AND c.id >= wanted.ids[shown.n + 1] AND c.id <= wanted.ids[shown.n + 1]
        ORDER BY c.team_id, c.id LIMIT 1
        ) AS c WHERE c.workspace_id = $2
      ) AS present ON true
      WHERE shown.n < cardinality(wanted.ids) AND shown.bytes < 4194304
    )
    SELECT shown.version::float8 AS version, shown.id, shown.item, head.*
    FROM shown LEFT JOIN (
      SELECT w.tree_version::float8 AS "treeVersion", w.tree_stamp AS "treeStamp",
        (w.tree_version = $6::bigint AND w.tree_stamp = $7::uuid) OR $7::uuid = (
          SELECT previous_stamp FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $6::bigint + 1
          ORDER BY team_id, workspace_id, version, id LIMIT 1
        ) AS "isKnown",
        EXISTS (
          SELECT FROM tree_changes
          WHERE team_id = $1 AND workspace_id = $2 AND version = $3::bigint AND id = $4::uuid
        ) AS "isPlaceKept",
        all_found.*, coalesce(cardinality(wanted.ids), 0) AS items
      FROM workspaces w, wanted, (
        SELECT count(*) > $5::int AS "isCut", min(version)::float8 AS "firstVersion",
          count(DISTINCT version) FILTER (WHERE n <= $5::int)
            = max(version) FILTER (WHERE n <= $5::int) - min(version) + 1 AS "isGapless",
          max(version) FILTER (WHERE n <= $5::int)::float8 AS "lastVersion",
          (array_agg(id ORDER BY n DESC) FILTER (WHERE n <= $5::int))[1] AS "lastId",
          date_part('epoch', clock_timestamp() - min(created_at)) AS lag
        FROM found
      ) AS all_found
      WHERE w.team_id = $1 AND w.id = $2 AND num_nulls(w.deleted_at) = 1
    ) AS head ON shown.n = 0
    ORDER BY shown.n;

-- changes.treeStamps
SELECT w.id, w.tree_stamp AS stamp FROM unnest($1::uuid[], $2::uuid[]) AS asked (team_id, id)
JOIN workspaces w
  ON w.team_id = asked.team_id AND w.id = asked.id AND num_nulls(w.deleted_at) = 1;

-- changesPurge.grown
SELECT grown.*, (SELECT t.plan FROM teams t WHERE t.id = grown."teamId") AS plan FROM (
  SELECT team_id AS "teamId", workspace_id AS "workspaceId", count(*)::int AS rows
  FROM tree_changes WHERE created_at > now() - $1::int * interval '1 second'
  GROUP BY team_id, workspace_id
) AS grown;

-- changesPurge.newest
WITH newest AS MATERIALIZED (
  SELECT version, id FROM tree_changes
  WHERE team_id = $1 AND workspace_id = $2 AND (version, id) < ($3::bigint, $4::uuid)
  ORDER BY team_id DESC, workspace_id DESC, version DESC, id DESC LIMIT $5::int
)
SELECT version, id, $5::int AS rows FROM (
  SELECT version, id FROM newest OFFSET $5::int - 1
) AS last
UNION ALL
SELECT NULL, NULL, count(*)::int FROM newest HAVING count(*) < $5::int;

-- changesPurge.next
SELECT team_id AS "teamId", workspace_id AS "workspaceId", version FROM tree_changes
WHERE created_at <= now() - $1::int * interval '1 second' ORDER BY created_at LIMIT 1;

-- changesPurge.remove
WITH removed AS (
  DELETE FROM tree_changes WHERE team_id = $1 AND workspace_id = $2 AND version <= (
    SELECT max(version) FILTER (
      WHERE version <= $4::bigint OR created_at <= now() - $5::int * interval '1 second'
    ) FROM (
      SELECT version, created_at FROM tree_changes WHERE team_id = $1 AND workspace_id = $2
      ORDER BY team_id, workspace_id, version, id LIMIT $3
    ) AS oldest
  ) RETURNING 1
)
SELECT count(*) AS rows FROM removed;

-- changesPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263515) AS taken;
