-- users.lockExclusive
SELECT 1 FROM users WHERE id = $1 AND issuer <> $2 FOR NO KEY UPDATE;

-- users.lockShared
SELECT 1 FROM users WHERE id = $1 AND issuer <> $2 FOR KEY SHARE;

-- users.record
WITH known AS (
  SELECT id, (email, email_verified, name) = (coalesce($4, id::text || $8::text), $5, $6)
    AND image IS NOT DISTINCT FROM $7 AS same
  FROM users WHERE issuer = $2 AND subject = $3
), written AS (
  INSERT INTO users (id, issuer, subject, email, email_verified, name, image)
  SELECT $1::uuid, $2, $3, coalesce($4, $1::text || $8::text), $5::boolean, $6, $7
  WHERE NOT EXISTS (SELECT FROM known WHERE same)
  ON CONFLICT (issuer, subject) DO UPDATE
    SET email = coalesce($4, users.id::text || $8::text),
        email_verified = excluded.email_verified,
        name = excluded.name, image = excluded.image, updated_at = excluded.updated_at
  RETURNING id
)
SELECT id FROM written UNION ALL SELECT id FROM known WHERE same;
