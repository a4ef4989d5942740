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

-- versionsPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263518) AS taken;
