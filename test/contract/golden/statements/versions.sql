-- versions.content
SELECT c.object, v.version, v.since, v.until, v.bytes, v.author_id AS "authorId", u.name AS "authorName", v.content::text AS content
FROM collections c
LEFT JOIN LATERAL (
  SELECT version, since, until, author_id, bytes, content FROM page_versions
  WHERE team_id = $1 AND id = c.id AND until > now() - $4::int * interval '1 second' AND version = $5::int
) AS v ON true
LEFT JOIN users u ON u.id = v.author_id
WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2;

-- versions.list
SELECT c.object, v.version, v.since, v.until, v.bytes, v.author_id AS "authorId", u.name AS "authorName"
FROM collections c
LEFT JOIN LATERAL (
  SELECT version, since, until, author_id, bytes, content FROM page_versions
  WHERE team_id = $1 AND id = c.id AND until > now() - $4::int * interval '1 second' AND version < $5::int
  ORDER BY team_id DESC, id DESC, version DESC LIMIT $6::int
) AS v ON true
LEFT JOIN users u ON u.id = v.author_id
WHERE c.team_id = $1 AND c.id = $3 AND c.workspace_id IS NOT DISTINCT FROM $2
ORDER BY v.version DESC;

-- versionsPurge.look
SELECT team_id AS "teamId", id FROM page_versions WHERE (team_id, id) > ($1::uuid, $2::uuid)
GROUP BY team_id, id ORDER BY team_id, id LIMIT $3;

-- versionsPurge.lost
WITH missing AS MATERIALIZED (
  SELECT wanted.id FROM unnest($2::uuid[]) AS wanted (id)
  LEFT JOIN LATERAL (
    SELECT c.id FROM collections c
    WHERE c.team_id = $1 AND c.id >= wanted.id AND c.id <= wanted.id
    ORDER BY c.team_id, c.id LIMIT 1
  ) AS c ON true
  WHERE c.id IS NULL
)
SELECT id FROM missing
EXCEPT
SELECT i.id FROM trash_items i
WHERE i.team_id = $1 AND EXISTS (SELECT FROM missing) AND i.id IN (SELECT id FROM missing);

-- versionsPurge.next
SELECT team_id AS "teamId" FROM page_versions
WHERE until <= now() - $1::int * interval '1 second' ORDER BY until LIMIT 1;

-- versionsPurge.remove
WITH removed AS (
  DELETE FROM page_versions WHERE team_id = $1 AND ctid = ANY (ARRAY (
    SELECT ctid FROM page_versions
    WHERE team_id = $1 AND until <= now() - $2::int * interval '1 second'
    ORDER BY until LIMIT $3
  )) RETURNING 1
)
SELECT count(*) AS rows FROM removed;

-- versionsPurge.removeOfPage
WITH removed AS (
  DELETE FROM page_versions WHERE team_id = $1 AND id = $2 RETURNING 1
)
SELECT count(*) AS rows FROM removed;

-- versionsPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263518) AS taken;

-- versionsWithoutPage.tryLock
SELECT pg_try_advisory_xact_lock(7263520) AS taken;
