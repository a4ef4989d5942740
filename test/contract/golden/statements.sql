-- BEGIN
BEGIN;

-- COMMIT
COMMIT;

-- DELETE mail_outbox
DELETE FROM "public"."mail_outbox" WHERE "public"."mail_outbox"."invite_id" IN ($1);

-- DELETE team_invites
DELETE FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND 1=0);

-- DELETE team_members
DELETE FROM "public"."team_members" WHERE (("public"."team_members"."team_id" = $1 AND "public"."team_members"."user_id" = $2) AND 1=1) RETURNING "public"."team_members"."team_id", "public"."team_members"."user_id";

-- DELETE workspace_members
DELETE FROM "public"."workspace_members" WHERE (("public"."workspace_members"."team_id" = $1 AND "public"."workspace_members"."workspace_id" = $2 AND "public"."workspace_members"."user_id" = $3) AND 1=1) RETURNING "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id";

-- DELETE workspaces
DELETE FROM "public"."workspaces" WHERE (("public"."workspaces"."team_id" = $1 AND "public"."workspaces"."id" = $2) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id";

-- INSERT mail_outbox
INSERT INTO "public"."mail_outbox" ("id","invite_id","attempts","is_held") VALUES ($1,$2,$3,$4);

-- INSERT team_invites
INSERT INTO "public"."team_invites" ("id","team_id","email","role","state","invited_by","expires_at","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8);

-- INSERT team_members
INSERT INTO "public"."team_members" ("team_id","user_id","role","joined_at") VALUES ($1,$2,$3,$4) RETURNING "public"."team_members"."team_id", "public"."team_members"."user_id";

-- INSERT team_usage
INSERT INTO "public"."team_usage" ("team_id","pages","users","workspaces","collections") VALUES ($1,$2,$3,$4,$5) RETURNING "public"."team_usage"."team_id";

-- INSERT teams
INSERT INTO "public"."teams" ("id","slug","name","description","plan","invite_code","billing_cycle_start","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9) RETURNING "public"."teams"."id";

-- INSERT workspace_members
INSERT INTO "public"."workspace_members" ("team_id","workspace_id","user_id","role","created_at") VALUES ($1,$2,$3,$4,$5) ON CONFLICT DO NOTHING;

-- INSERT workspaces
INSERT INTO "public"."workspaces" ("id","team_id","slug","name","description","visibility","default_access","tree_version","rebalances","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

-- ROLLBACK
ROLLBACK;

-- SELECT collections
SELECT COUNT(*) AS "_count$_all" FROM (SELECT "public"."collections"."team_id", "public"."collections"."id" FROM "public"."collections" WHERE ("public"."collections"."team_id" = $1 AND "public"."collections"."workspace_id" = $2 AND "public"."collections"."object" = $3) OFFSET $4) AS "sub";

-- SELECT collections
SELECT COUNT(*) AS "_count$_all" FROM (SELECT "public"."collections"."team_id", "public"."collections"."id" FROM "public"."collections" WHERE ("public"."collections"."team_id" = $1 AND "public"."collections"."workspace_id" = $2) OFFSET $3) AS "sub";

-- SELECT pg_advisory_xact_lock($1::bigint)::text
SELECT pg_advisory_xact_lock($1::bigint)::text;

-- SELECT pg_extension
SELECT set_config('plan_cache_mode', CASE
  WHEN EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN 'auto'
  ELSE 'force_generic_plan' END, false);

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id" FROM "public"."team_invites" WHERE "public"."team_invites"."id" = $1 LIMIT $2 OFFSET $3;

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id", "public"."team_invites"."email", "public"."team_invites"."role", "public"."team_invites"."state", "public"."team_invites"."invited_by", "public"."team_invites"."expires_at", "public"."team_invites"."created_at" FROM "public"."team_invites" WHERE ("public"."team_invites"."id" = $1 AND "public"."team_invites"."team_id" = $2) LIMIT $3 OFFSET $4;

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id", "public"."team_invites"."email", "public"."team_invites"."role", "public"."team_invites"."state", "public"."team_invites"."invited_by", "public"."team_invites"."expires_at", "public"."team_invites"."created_at" FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND "public"."team_invites"."state" = $2 AND "public"."team_invites"."invited_by" = $3) OFFSET $4;

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id", "public"."team_invites"."email", "public"."team_invites"."role", "public"."team_invites"."state", "public"."team_invites"."invited_by", "public"."team_invites"."expires_at", "public"."team_invites"."created_at" FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND "public"."team_invites"."state" = $2) ORDER BY "public"."team_invites"."created_at" ASC, "public"."team_invites"."id" ASC OFFSET $3;

-- SELECT team_invites
SELECT COUNT(*) AS "_count$_all" FROM (SELECT "public"."team_invites"."id" FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND "public"."team_invites"."state" = $2) OFFSET $3) AS "sub";

-- SELECT team_invites
SELECT id, team_id AS "teamId", email, role, state,
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE id = $1::uuid AND lower(email COLLATE "C") = $2;

-- SELECT team_invites
SELECT id, team_id AS "teamId", email, role, state,
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE team_id = $1::uuid AND state = 'pending'
  AND lower(email COLLATE "C") = ANY ($2);

-- SELECT team_members
SELECT "public"."team_members"."team_id", "public"."team_members"."user_id" FROM "public"."team_members" WHERE ("public"."team_members"."team_id" = $1 AND "public"."team_members"."role" = $2) ORDER BY "public"."team_members"."joined_at" ASC, "public"."team_members"."user_id" ASC LIMIT $3 OFFSET $4;

-- SELECT team_members
SELECT "public"."team_members"."team_id", "public"."team_members"."user_id", "public"."team_members"."role" FROM "public"."team_members" WHERE ("public"."team_members"."user_id" = $1 AND "public"."team_members"."team_id" = $2) OFFSET $3;

-- SELECT team_members
SELECT "public"."team_members"."team_id", "public"."team_members"."user_id", "public"."team_members"."role" FROM "public"."team_members" WHERE ("public"."team_members"."user_id" = $1 AND "public"."team_members"."team_id" IN ($2)) OFFSET $3;

-- SELECT team_members
SELECT "public"."team_members"."team_id", "public"."team_members"."user_id", "public"."team_members"."role" FROM "public"."team_members" WHERE (("public"."team_members"."team_id" = $1 AND "public"."team_members"."user_id" = $2) AND 1=1) LIMIT $3 OFFSET $4;

-- SELECT team_members
SELECT "public"."team_members"."team_id", "public"."team_members"."user_id", "public"."team_members"."role", "public"."team_members"."joined_at" FROM "public"."team_members" WHERE "public"."team_members"."team_id" = $1 ORDER BY "public"."team_members"."joined_at" ASC, "public"."team_members"."user_id" ASC LIMIT $2 OFFSET $3;

-- SELECT team_members
SELECT COUNT(*) AS "_count$_all" FROM (SELECT "public"."team_members"."team_id", "public"."team_members"."user_id" FROM "public"."team_members" WHERE ("public"."team_members"."user_id" = $1 AND "public"."team_members"."role" = $2) OFFSET $3) AS "sub";

-- SELECT team_members
SELECT u.id, u.name, u.email, u.image, u.email_verified AS "emailVerified", m.role
FROM team_members m JOIN users u ON u.id = m.user_id
WHERE m.team_id = $1::uuid AND lower(u.email COLLATE "C") = ANY ($2);

-- SELECT team_usage
SELECT "public"."team_usage"."team_id", "public"."team_usage"."pages", "public"."team_usage"."users", "public"."team_usage"."workspaces", "public"."team_usage"."collections" FROM "public"."team_usage" WHERE "public"."team_usage"."team_id" = $1 OFFSET $2;

-- SELECT teams
SELECT "public"."teams"."id" FROM "public"."teams" WHERE "public"."teams"."id" = $1 LIMIT $2 OFFSET $3;

-- SELECT teams
SELECT "public"."teams"."id" FROM "public"."teams" WHERE ("public"."teams"."invite_code" = $1 AND 1=1) LIMIT $2 OFFSET $3;

-- SELECT teams
SELECT "public"."teams"."id", "public"."teams"."plan" FROM "public"."teams" WHERE "public"."teams"."id" = $1 OFFSET $2;

-- SELECT teams
SELECT "public"."teams"."id", "public"."teams"."slug", "public"."teams"."name", "public"."teams"."description", "public"."teams"."logo", "public"."teams"."plan", "public"."teams"."invite_code", "public"."teams"."billing_cycle_start", "public"."teams"."created_at", "public"."teams"."updated_at" FROM "public"."teams" WHERE ("public"."teams"."id" = $1 AND 1=1) LIMIT $2 OFFSET $3;

-- SELECT teams
SELECT 1 FROM teams WHERE id = $1::uuid FOR NO KEY UPDATE;

-- SELECT users
SELECT "public"."users"."id", "public"."users"."email" FROM "public"."users" WHERE ("public"."users"."id" = $1 AND "public"."users"."email_verified" = $2) LIMIT $3 OFFSET $4;

-- SELECT users
SELECT "public"."users"."id", "public"."users"."name", "public"."users"."email", "public"."users"."image" FROM "public"."users" WHERE "public"."users"."id" IN ($1,$2,$3,$4) OFFSET $5;

-- SELECT users
SELECT 1 FROM users WHERE id = $1::uuid AND issuer <> $2 FOR KEY SHARE;

-- SELECT users
SELECT 1 FROM users WHERE id = $1::uuid AND issuer <> $2 FOR NO KEY UPDATE;

-- SELECT workspace_members
SELECT "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id" FROM "public"."workspace_members" LEFT JOIN "public"."workspaces" AS "j0" ON ("j0"."team_id","j0"."id") = ("public"."workspace_members"."team_id","public"."workspace_members"."workspace_id") WHERE ("public"."workspace_members"."team_id" = $1 AND "public"."workspace_members"."user_id" = $2 AND "public"."workspace_members"."role" = $3 AND ("j0"."team_id" = $4 AND "j0"."visibility" = $5 AND ("j0"."team_id" IS NOT NULL AND "j0"."id" IS NOT NULL))) OFFSET $6;

-- SELECT workspace_members
SELECT "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id", "public"."workspace_members"."role" FROM "public"."workspace_members" WHERE ("public"."workspace_members"."team_id" = $1 AND 1=0) ORDER BY "public"."workspace_members"."created_at" ASC, "public"."workspace_members"."user_id" ASC OFFSET $2;

-- SELECT workspace_members
SELECT "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id", "public"."workspace_members"."role" FROM "public"."workspace_members" WHERE ("public"."workspace_members"."user_id" = $1 AND "public"."workspace_members"."team_id" = $2 AND "public"."workspace_members"."workspace_id" = $3) OFFSET $4;

-- SELECT workspace_members
SELECT "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id", "public"."workspace_members"."role" FROM "public"."workspace_members" WHERE (("public"."workspace_members"."team_id" = $1 AND "public"."workspace_members"."workspace_id" = $2 AND "public"."workspace_members"."user_id" = $3) AND 1=1) LIMIT $4 OFFSET $5;

-- SELECT workspace_members
SELECT "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id", "public"."workspace_members"."role", "public"."workspace_members"."created_at" FROM "public"."workspace_members" WHERE ("public"."workspace_members"."team_id" = $1 AND "public"."workspace_members"."workspace_id" = $2) ORDER BY "public"."workspace_members"."created_at" ASC, "public"."workspace_members"."user_id" ASC OFFSET $3;

-- SELECT workspaces
SELECT "public"."workspaces"."team_id", "public"."workspaces"."id" FROM "public"."workspaces" WHERE (("public"."workspaces"."team_id" = $1 AND "public"."workspaces"."slug" = $2) AND 1=1) LIMIT $3 OFFSET $4;

-- SELECT workspaces
SELECT "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at" FROM "public"."workspaces" WHERE (("public"."workspaces"."team_id" = $1 AND "public"."workspaces"."id" = $2) AND 1=1) LIMIT $3 OFFSET $4;

-- SELECT workspaces
SELECT 1 FROM workspaces WHERE team_id = $1::uuid AND id = $2::uuid FOR UPDATE;

-- UPDATE idempotency_keys
UPDATE idempotency_keys SET answer = $1
WHERE user_id = $2::uuid AND key = $3;

-- UPDATE team_invites
UPDATE "public"."team_invites" SET "state" = $1 WHERE ("public"."team_invites"."id" = $2 AND "public"."team_invites"."team_id" = $3) RETURNING "public"."team_invites"."id";

-- UPDATE team_members
UPDATE "public"."team_members" SET "role" = $1 WHERE (("public"."team_members"."team_id" = $2 AND "public"."team_members"."user_id" = $3) AND 1=1) RETURNING "public"."team_members"."team_id", "public"."team_members"."user_id";

-- UPDATE team_usage
UPDATE "public"."team_usage" SET "pages" = ("public"."team_usage"."pages" - $1), "users" = ("public"."team_usage"."users" - $2), "workspaces" = ("public"."team_usage"."workspaces" - $3), "collections" = ("public"."team_usage"."collections" - $4) WHERE ("public"."team_usage"."team_id" = $5 AND 1=1) RETURNING "public"."team_usage"."team_id";

-- UPDATE team_usage
UPDATE "public"."team_usage" SET "users" = ("public"."team_usage"."users" + $1) WHERE "public"."team_usage"."team_id" = $2;

-- UPDATE team_usage
UPDATE "public"."team_usage" SET "workspaces" = ("public"."team_usage"."workspaces" + $1) WHERE "public"."team_usage"."team_id" = $2;

-- UPDATE teams
UPDATE "public"."teams" SET "invite_code" = $1, "updated_at" = $2 WHERE ("public"."teams"."id" = $3 AND 1=1) RETURNING "public"."teams"."id";

-- UPDATE teams
UPDATE "public"."teams" SET "name" = $1, "updated_at" = $2 WHERE ("public"."teams"."id" = $3 AND 1=1) RETURNING "public"."teams"."id";

-- UPDATE workspace_members
UPDATE "public"."workspace_members" SET "role" = $1 WHERE ("public"."workspace_members"."team_id" = $2 AND "public"."workspace_members"."workspace_id" = $3 AND "public"."workspace_members"."user_id" = $4);

-- UPDATE workspaces
UPDATE "public"."workspaces" SET "description" = $1, "updated_at" = $2 WHERE (("public"."workspaces"."team_id" = $3 AND "public"."workspaces"."id" = $4) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

-- UPDATE workspaces
UPDATE "public"."workspaces" SET "slug" = $1, "updated_at" = $2 WHERE (("public"."workspaces"."team_id" = $3 AND "public"."workspaces"."id" = $4) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

-- UPDATE workspaces
UPDATE "public"."workspaces" SET "visibility" = $1, "updated_at" = $2 WHERE (("public"."workspaces"."team_id" = $3 AND "public"."workspaces"."id" = $4) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

-- WITH idempotency_keys
WITH patience AS MATERIALIZED (
  SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', '5s', true)
)
INSERT INTO idempotency_keys AS k
  (user_id, key, operation, fingerprint, answer, team_id, workspace_id)
SELECT $1::uuid, $2, $3, $4, '',
  $5::uuid, $6::uuid FROM patience
ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
  fingerprint = excluded.fingerprint, created_at = excluded.created_at,
  team_id = excluded.team_id, workspace_id = excluded.workspace_id
WHERE k.created_at <= clock_timestamp() - interval '24 hours'
RETURNING set_config('lock_timeout', (SELECT usual FROM patience), true);

-- WITH mail_sends
WITH free AS MATERIALIZED (
  SELECT greatest(
    (SELECT max(sent_at) + interval '1 hour' FROM mail_sends
     WHERE team_id = $1::uuid AND address = $2
       AND sent_at > statement_timestamp() - interval '1 hour'),
    (SELECT sent_at + interval '1 day' FROM mail_sends
     WHERE sender_id = $3::uuid
       AND sent_at > statement_timestamp() - interval '1 day'
     ORDER BY sent_at DESC OFFSET $4::int LIMIT 1)
  ) AS until
), sent AS (
  INSERT INTO mail_sends (id, team_id, address, sender_id)
  SELECT $5::uuid, $6::uuid, $7, $8::uuid
  FROM free WHERE until IS NULL
)
SELECT until FROM free;

-- database.citus
SELECT extname FROM pg_extension WHERE extname = 'citus';

-- health.missingMigrations
SELECT needed.name FROM unnest($1::text[]) AS needed (name)
WHERE NOT EXISTS (
  SELECT FROM _prisma_migrations applied
  WHERE applied.migration_name = needed.name
    AND applied.finished_at IS NOT NULL AND applied.rolled_back_at IS NULL
);

-- health.ping
SELECT 1;

-- idempotency.deleteExpired
DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY (
  SELECT ctid FROM idempotency_keys
  WHERE created_at <= now() - interval '24 hours'
  ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
)) RETURNING 1;

-- idempotency.find
SELECT operation, fingerprint, answer, team_id AS "teamId", workspace_id AS "workspaceId"
FROM idempotency_keys
WHERE user_id = $1 AND key = $2 AND created_at > clock_timestamp() - interval '24 hours';

-- idempotency.keep
WITH patience AS MATERIALIZED (
  SELECT current_setting('lock_timeout') AS usual, set_config('lock_timeout', '5s', true)
)
INSERT INTO idempotency_keys AS k
  (user_id, key, operation, fingerprint, answer, team_id, workspace_id)
SELECT n.* FROM patience,
  unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[])
    AS n (user_id, key, operation, fingerprint, answer, team_id, workspace_id)
ON CONFLICT (user_id, key) DO UPDATE SET operation = excluded.operation,
  fingerprint = excluded.fingerprint, created_at = excluded.created_at,
  team_id = excluded.team_id, workspace_id = excluded.workspace_id,
  answer = CASE WHEN k.created_at <= clock_timestamp() - interval '24 hours' THEN excluded.answer END
RETURNING set_config('lock_timeout', (SELECT usual FROM patience), true);

-- idempotency.known
SELECT k.user_id, k.key FROM unnest($1::uuid[], $2::text[]) AS asked (user_id, key)
JOIN idempotency_keys k USING (user_id, key)
WHERE k.created_at > clock_timestamp() - interval '24 hours';

-- invites.list
SELECT id, team_id AS "teamId", email, role, state,
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE lower(email COLLATE "C") = $1 AND state = 'pending' AND expires_at > now()
  AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
ORDER BY created_at, id
LIMIT $4;

-- items.children
SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.version, c.created_at, c.updated_at, c.position FROM collections c
WHERE c.team_id = $1 AND c.parent_id = $3 AND c.workspace_id = $2
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position;

-- items.find
SELECT c.team_id, c.workspace_id, t.slug AS team_slug, w.slug AS workspace_slug, w.visibility,
  w.default_access, tm.role AS team_role, wm.role AS workspace_role
FROM collections c
JOIN workspaces w ON w.team_id = c.team_id AND w.id = c.workspace_id
JOIN teams t ON t.id = c.team_id
LEFT JOIN team_members tm ON tm.team_id = c.team_id AND tm.user_id = $2
LEFT JOIN workspace_members wm
  ON wm.team_id = c.team_id AND wm.workspace_id = c.workspace_id AND wm.user_id = $2
WHERE c.id = $1;

-- items.withChildren
WITH item AS (
  SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.version, c.created_at, c.updated_at, content::text AS content FROM collections c
  WHERE team_id = $1 AND workspace_id = $2 AND c.id = $3
)
SELECT item.*, CASE WHEN $4::boolean THEN (
  WITH RECURSIVE path AS (
    SELECT item.parent_id, NULL::uuid AS id, NULL AS name, NULL AS slug, 0 AS step
    UNION ALL
    SELECT c.parent_id, c.id, c.name, c.slug, path.step + 1 FROM path
    JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
  )
  SELECT coalesce(
    json_agg(json_build_object('id', id, 'name', name, 'slug', slug) ORDER BY step DESC), '[]')
  FROM path WHERE step > 0
) END AS ancestors, NULL AS position FROM item
UNION ALL
SELECT child.id, child.workspace_id, child.parent_id, child.object, child.name, child.slug, child.version, child.created_at, child.updated_at, NULL, NULL, child.position FROM item
CROSS JOIN LATERAL (
SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.version, c.created_at, c.updated_at, c.position FROM collections c
WHERE c.team_id = $1 AND c.parent_id = item.id AND c.workspace_id = $2
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position) AS child
ORDER BY position NULLS FIRST;

-- items.withChildrenBySlug
WITH item AS (
  SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.version, c.created_at, c.updated_at, content::text AS content FROM collections c
  WHERE team_id = $1 AND workspace_id = $2 AND c.slug = $3
)
SELECT item.*, CASE WHEN $4::boolean THEN (
  WITH RECURSIVE path AS (
    SELECT item.parent_id, NULL::uuid AS id, NULL AS name, NULL AS slug, 0 AS step
    UNION ALL
    SELECT c.parent_id, c.id, c.name, c.slug, path.step + 1 FROM path
    JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
  )
  SELECT coalesce(
    json_agg(json_build_object('id', id, 'name', name, 'slug', slug) ORDER BY step DESC), '[]')
  FROM path WHERE step > 0
) END AS ancestors, NULL AS position FROM item
UNION ALL
SELECT child.id, child.workspace_id, child.parent_id, child.object, child.name, child.slug, child.version, child.created_at, child.updated_at, NULL, NULL, child.position FROM item
CROSS JOIN LATERAL (
SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.version, c.created_at, c.updated_at, c.position FROM collections c
WHERE c.team_id = $1 AND c.parent_id = item.id AND c.workspace_id = $2
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position) AS child
ORDER BY position NULLS FIRST;

-- mailLimits.clear
DELETE FROM mail_sends WHERE sent_at <= now() - interval '1 day';

-- mailLimits.release
DELETE FROM mail_sends WHERE id = $1;

-- outbox.count
SELECT count(*) FILTER (WHERE NOT is_held)::int AS waiting,
  count(*) FILTER (WHERE is_held)::int AS held
FROM mail_outbox;

-- outbox.findMailable
SELECT i.id, i.email, i.role, i.expires_at, i.team_id, t.name AS team,
  u.id AS inviter_id, u.name AS inviter_name, u.email AS inviter_email
FROM team_invites i JOIN teams t ON t.id = i.team_id JOIN users u ON u.id = i.invited_by
WHERE i.id = $1 AND i.state = 'pending' AND i.expires_at > now();

-- outbox.hold
UPDATE mail_outbox SET due_at = $3, queued_at = $3, is_held = true
WHERE id = $1 AND attempts = $2;

-- outbox.postpone
UPDATE mail_outbox SET due_at = clock_timestamp() + $3 * interval '1 millisecond'
WHERE id = $1 AND attempts = $2;

-- outbox.remove
DELETE FROM mail_outbox WHERE id = $1 AND attempts = $2;

-- outbox.take
WITH due AS MATERIALIZED (
  SELECT id FROM mail_outbox WHERE due_at <= now()
  ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
)
UPDATE mail_outbox
SET attempts = attempts + 1, is_held = false, due_at = clock_timestamp() + $2 * interval '1 millisecond'
FROM due WHERE mail_outbox.id = due.id
RETURNING mail_outbox.id, invite_id AS "inviteId", attempts,
  (extract(epoch FROM clock_timestamp() - queued_at) * 1000)::float8 AS age;

-- teamIds.lookUp
SELECT id FROM teams WHERE slug = $1;

-- teams.find
  SELECT t.id, t.slug, t.name, t.description, t.logo, t.plan, t.invite_code AS "inviteCode",
t.billing_cycle_start AS "billingCycleStart", t.created_at AS "createdAt",
t.updated_at AS "updatedAt", u.pages, u.users, u.workspaces, m.role
  FROM teams t
  JOIN team_usage u ON u.team_id = $1
  LEFT JOIN team_members m ON m.team_id = $1 AND m.user_id = $3
  WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- teams.list
  SELECT t.id, t.slug, t.name, t.description, t.logo, t.plan, t.invite_code AS "inviteCode",
t.billing_cycle_start AS "billingCycleStart", t.created_at AS "createdAt",
t.updated_at AS "updatedAt", u.pages, u.users, u.workspaces, m.role
  FROM teams t
  JOIN team_usage u ON u.team_id = t.id
  JOIN team_members m ON m.team_id = t.id AND m.user_id = $1
  WHERE t.id = ANY (ARRAY (SELECT team_id FROM team_members WHERE user_id = $1))
    AND ($2::timestamptz IS NULL OR (t.created_at, t.id) > ($2, $3::uuid))
  ORDER BY t.created_at, t.id
  LIMIT $4;

-- tree.below
  WITH RECURSIVE tree AS (
    (
SELECT c.id, c.object, ARRAY[c.position] AS path FROM collections c
WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position LIMIT $4::int)
    UNION ALL
    SELECT c.id, c.object, tree.path || c.position FROM tree
    CROSS JOIN LATERAL (
      SELECT id, object, position FROM collections
      WHERE team_id = $1 AND parent_id = tree.id AND workspace_id = $2
      ORDER BY team_id, parent_id, workspace_id, position
    ) AS c
    WHERE cardinality(tree.path) < $5 AND tree.object = 'collection'
  ), ends AS (
SELECT c.position FROM collections c
WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position OFFSET $4::int - 1 LIMIT 2)
  SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
  FROM (
    SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
    UNION ALL SELECT id, path FROM tree ORDER BY path
  ) AS shown
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS collection, tree_stamp || ' ' || rebalances || ' ' || 
coalesce((SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $6), '') AS json,
      (SELECT min(position) FROM ends HAVING count(*) = 2) AS last
    FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
    UNION ALL
    SELECT item.collection, item.json, NULL FROM (
      SELECT 
CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id,
'{"id":"' || c.id || '","name":' || to_json(c.name) || ',"object":"' || c.object
  || CASE WHEN c.parent_id IS NULL THEN '' ELSE '","parent":"' || c.parent_id END
  || '","team":"' || c.team_id || '","workspace":"' || c.workspace_id
  || '","meta":{"title":' || to_json(c.name) || ',"slug":"' || c.slug
  || '"},"createdAt":"' || to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","updatedAt":"' || to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
   AS json FROM collections c
      WHERE c.team_id = $1 AND c.id >= shown.id AND c.id <= shown.id
      ORDER BY c.team_id, c.id LIMIT 1
    ) AS item
    OFFSET 0
  ) AS row
  ORDER BY shown.path;

-- tree.below.content
  WITH RECURSIVE tree AS (
    (
SELECT c.id, c.object, ARRAY[c.position] AS path FROM collections c
WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position LIMIT $4::int)
    UNION ALL
    SELECT c.id, c.object, tree.path || c.position FROM tree
    CROSS JOIN LATERAL (
      SELECT id, object, position FROM collections
      WHERE team_id = $1 AND parent_id = tree.id AND workspace_id = $2
      ORDER BY team_id, parent_id, workspace_id, position
    ) AS c
    WHERE cardinality(tree.path) < $5 AND tree.object = 'collection'
  ), ends AS (
SELECT c.position FROM collections c
WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position OFFSET $4::int - 1 LIMIT 2)
  SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
  FROM (
    SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
    UNION ALL SELECT id, path FROM tree ORDER BY path
  ) AS shown
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS collection, tree_stamp || ' ' || rebalances || ' ' || 
coalesce((SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $6), '') AS json,
      (SELECT min(position) FROM ends HAVING count(*) = 2) AS last
    FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
    UNION ALL
    SELECT item.collection, item.json, NULL FROM (
      SELECT 
CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id,
'{"id":"' || c.id || '","name":' || to_json(c.name) || ',"object":"' || c.object
  || CASE WHEN c.parent_id IS NULL THEN '' ELSE '","parent":"' || c.parent_id END
  || '","team":"' || c.team_id || '","workspace":"' || c.workspace_id
  || '","meta":{"title":' || to_json(c.name) || ',"slug":"' || c.slug
  || '"},"createdAt":"' || to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","updatedAt":"' || to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
  || ',"content":' || coalesce(c.content::text, '{}') AS json FROM collections c
      WHERE c.team_id = $1 AND c.id >= shown.id AND c.id <= shown.id
      ORDER BY c.team_id, c.id LIMIT 1
    ) AS item
    OFFSET 0
  ) AS row
  ORDER BY shown.path;

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

-- tree.guard
UPDATE workspaces SET tree_version = tree_version + 1,
  tree_stamp = CASE WHEN tree_stamp = $3::uuid THEN $4::uuid END
WHERE team_id = $1 AND id = $2 RETURNING id;

-- tree.head + tree.items + tree.around
SELECT 0 AS part, to_json(found) AS row FROM (SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces WHERE team_id = $1 AND id = $2) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT own.parent_id, ARRAY(
      SELECT position FROM collections WHERE team_id = $1 AND parent_id = own.parent_id AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position OFFSET $5::int LIMIT $6::int
    ) AS positions, ARRAY(
      SELECT position FROM collections WHERE team_id = $1 AND parent_id = own.parent_id AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT $7::int
    ) AS tail
    FROM collections own
    WHERE own.team_id = $1 AND own.id = $4 AND own.workspace_id IS NOT DISTINCT FROM $2 AND num_nulls(own.parent_id) = 0
    UNION ALL 
    SELECT own.parent_id, ARRAY(
      SELECT position FROM collections WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position OFFSET $5::int LIMIT $6::int
    ) AS positions, ARRAY(
      SELECT position FROM collections WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT $7::int
    ) AS tail
    FROM collections own
    WHERE own.team_id = $1 AND own.id = $4 AND own.workspace_id IS NOT DISTINCT FROM $2 AND own.parent_id IS NULL) AS found;

-- tree.head + tree.items + tree.childVersions
SELECT 0 AS part, to_json(found) AS row FROM (SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces WHERE team_id = $1 AND id = $2) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS parent_id, (
      SELECT string_agg(';' || id || ':' || version, '') FROM (
        SELECT id, version FROM collections WHERE team_id = $1 AND parent_id = parent.id AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position
      ) AS children
    ) AS versions
    FROM unnest($4::uuid[]) AS parent (id)) AS found;

-- tree.head + tree.items + tree.contents + tree.childVersions
SELECT 0 AS part, to_json(found) AS row FROM (SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces WHERE team_id = $1 AND id = $2) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT id, content::text AS content FROM collections
    WHERE team_id = $1 AND id = ANY ($4::uuid[]) AND workspace_id IS NOT DISTINCT FROM $2) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS parent_id, (
      SELECT string_agg(';' || id || ':' || version, '') FROM (
        SELECT id, version FROM collections WHERE team_id = $1 AND parent_id = parent.id AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position
      ) AS children
    ) AS versions
    FROM unnest($5::uuid[]) AS parent (id)) AS found;

-- tree.head + tree.items + tree.ends + tree.takenSlugs
SELECT 0 AS part, to_json(found) AS row FROM (SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces WHERE team_id = $1 AND id = $2) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS parent_id, (SELECT position FROM collections WHERE team_id = $1 AND parent_id = parent.id AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT 1) AS last
    FROM unnest($4::uuid[]) AS parent (id)) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($5::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = $2
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found;

-- tree.head + tree.items + tree.orders + tree.takenSlugs
SELECT 0 AS part, to_json(found) AS row FROM (SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces WHERE team_id = $1 AND id = $2) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS parent_id, (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE team_id = $1 AND parent_id = parent.id AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position LIMIT $6
      ) AS siblings
    ) AS positions
    FROM (
      SELECT parent_id AS id FROM collections
      WHERE team_id = $1 AND id = ANY ($4::uuid[]) AND workspace_id IS NOT DISTINCT FROM $2
        AND num_nulls(parent_id) = 0
      UNION
      SELECT unnest($5::uuid[])
    ) AS parent) AS found
UNION ALL
SELECT 3 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($7::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = $2
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found;

-- tree.head + tree.topEnd + tree.takenSlugs
SELECT 0 AS part, to_json(found) AS row FROM (SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM workspaces WHERE team_id = $1 AND id = $2) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (SELECT (SELECT position FROM collections WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT 1) AS last) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($3::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = $2
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found;

-- tree.ids
SELECT id, position FROM collections WHERE team_id = $1 AND parent_id = $3 AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position;

-- tree.insert
INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position,
  content, created_at, updated_at)
SELECT w.team_id, w.id, n.id, n.parent_id, n.object, n.name, n.slug, n.position,
  n.content::json, $3::timestamptz, $3::timestamptz
FROM workspaces w,
  unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    AS n (id, parent_id, object, name, slug, position, content)
WHERE w.team_id = $1 AND w.id = $2;

-- tree.insertGuarded
  WITH 
guarded AS (
  UPDATE workspaces SET tree_version = tree_version + 1,
    tree_stamp = CASE WHEN tree_stamp = $11::uuid THEN $12::uuid END
  WHERE team_id = $1 AND id = $2 RETURNING team_id, id
), counted AS (
UPDATE team_usage SET
  pages = CASE
    WHEN $13::int <= 0 OR allowed.items = 0 OR team_usage.pages + $13::int <= allowed.items
      THEN team_usage.pages + $13::int
    ELSE -1 END,
  collections = CASE
    WHEN $14::int <= 0 OR allowed.items = 0 OR team_usage.collections + $14::int <= allowed.items
      THEN team_usage.collections + $14::int
    ELSE -1 END
FROM (SELECT ($15::json ->> plan)::int AS items FROM teams WHERE id = $1) AS allowed
WHERE team_usage.team_id = $1 AND ($13::int <> 0 OR $14::int <> 0)
  AND EXISTS (SELECT FROM guarded w WHERE w.team_id = $1 AND w.id = $2))
  
INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position,
  content, created_at, updated_at)
SELECT w.team_id, w.id, n.id, n.parent_id, n.object, n.name, n.slug, n.position,
  n.content::json, $3::timestamptz, $3::timestamptz
FROM guarded w,
  unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
    AS n (id, parent_id, object, name, slug, position, content)
WHERE w.team_id = $1 AND w.id = $2 RETURNING collections.id;

-- tree.items
SELECT 0 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found;

-- tree.items + tree.heights + tree.orders
SELECT 0 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE subtree AS (
      SELECT id AS root, id, object, 1 AS level FROM collections
      WHERE team_id = $1 AND id = ANY ($4::uuid[]) AND workspace_id IS NOT DISTINCT FROM $2
      UNION ALL
      SELECT subtree.root, c.id, c.object, subtree.level + 1 FROM subtree
      CROSS JOIN LATERAL (
        SELECT id, object FROM collections
        WHERE team_id = $1 AND parent_id = subtree.id AND workspace_id = $2
        ORDER BY team_id, parent_id, workspace_id, position) AS c
      WHERE subtree.object = 'collection'
    )
    SELECT root, max(level)::int AS height FROM subtree GROUP BY root) AS found
UNION ALL
SELECT 2 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS parent_id, (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE team_id = $1 AND parent_id = parent.id AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position LIMIT $7
      ) AS siblings
    ) AS positions
    FROM (
      SELECT parent_id AS id FROM collections
      WHERE team_id = $1 AND id = ANY ($5::uuid[]) AND workspace_id IS NOT DISTINCT FROM $2
        AND num_nulls(parent_id) = 0
      UNION
      SELECT unnest($6::uuid[])
    ) AS parent) AS found;

-- tree.items + tree.orders
SELECT 0 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT parent.id AS parent_id, (
      SELECT string_agg(position, ' ') FROM (
        SELECT position FROM collections WHERE team_id = $1 AND parent_id = parent.id AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position LIMIT $6
      ) AS siblings
    ) AS positions
    FROM (
      SELECT parent_id AS id FROM collections
      WHERE team_id = $1 AND id = ANY ($4::uuid[]) AND workspace_id IS NOT DISTINCT FROM $2
        AND num_nulls(parent_id) = 0
      UNION
      SELECT unnest($5::uuid[])
    ) AS parent) AS found;

-- tree.items + tree.topOrder
SELECT 0 AS part, to_json(found) AS row FROM (
    WITH RECURSIVE path AS (
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM collections c
      WHERE c.team_id = $1 AND c.id = ANY ($3::uuid[])
        AND c.workspace_id IS NOT DISTINCT FROM $2
      UNION
      SELECT c.id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.position, c.version, c.created_at, c.updated_at FROM path JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT * FROM path) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT string_agg(position, ' ') AS positions FROM (
      SELECT position FROM collections
      WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 AND ($5::boolean OR EXISTS (
        SELECT FROM collections moved WHERE moved.team_id = $1 AND moved.id = ANY ($4::uuid[])
          AND moved.workspace_id IS NOT DISTINCT FROM $2 AND moved.parent_id IS NULL
      ))
      ORDER BY team_id, parent_id, workspace_id, position LIMIT $6
    ) AS siblings) AS found;

-- tree.lock
WITH locked AS (
  UPDATE workspaces w SET tree_version = w.tree_version + 1, tree_stamp = $3::uuid
  FROM (
    SELECT tree_stamp FROM workspaces WHERE team_id = $1 AND id = $2 FOR NO KEY UPDATE
  ) AS before
  WHERE w.team_id = $1 AND w.id = $2
  RETURNING before.tree_stamp
)
SELECT tree_stamp, floor(date_part('epoch', clock_timestamp()) * 1000) AS now FROM locked;

-- tree.objectOf
SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3;

-- tree.plan
SELECT plan FROM teams WHERE id = $1;

-- tree.remove
WITH RECURSIVE subtree AS (
  SELECT id, object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3
  UNION ALL
  SELECT c.id, c.object FROM subtree
  CROSS JOIN LATERAL (
    SELECT id, object FROM collections
    WHERE team_id = $1 AND parent_id = subtree.id AND workspace_id = $2
    ORDER BY team_id, parent_id, workspace_id, position) AS c
  WHERE subtree.object = 'collection'
), gone AS (
  DELETE FROM collections
  WHERE team_id = $1 AND id IN (SELECT id FROM subtree)
  RETURNING object
)
SELECT count(*) FILTER (WHERE object = 'item')::int AS pages,
  count(*) FILTER (WHERE object = 'collection')::int AS collections
FROM gone;

-- tree.runs
WITH RECURSIVE walk AS (
  SELECT 0 AS n, '' COLLATE "C" AS position
  UNION ALL
  SELECT walk.n + 1, (
    SELECT position FROM collections
    WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2 AND position >= walk.position ORDER BY team_id, parent_id, workspace_id, position
    OFFSET ($3::int[])[walk.n + 1] - coalesce(($3::int[])[walk.n], 0) LIMIT 1
  ) FROM walk WHERE walk.n < cardinality($3::int[])
)
SELECT n, CASE n WHEN 0 THEN ARRAY(
    SELECT position FROM collections WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT $5::int
  ) ELSE ARRAY(
    SELECT position FROM collections
    WHERE team_id = $1 AND parent_id = $6 AND workspace_id = $2 AND position >= walk.position ORDER BY team_id, parent_id, workspace_id, position LIMIT $4::int
  ) END AS positions
FROM walk;

-- tree.top
  WITH RECURSIVE tree AS (
    (
SELECT c.id, c.object, ARRAY[c.position] AS path FROM collections c
WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position LIMIT $4::int)
    UNION ALL
    SELECT c.id, c.object, tree.path || c.position FROM tree
    CROSS JOIN LATERAL (
      SELECT id, object, position FROM collections
      WHERE team_id = $1 AND parent_id = tree.id AND workspace_id = $2
      ORDER BY team_id, parent_id, workspace_id, position
    ) AS c
    WHERE cardinality(tree.path) < $5 AND tree.object = 'collection'
  ), ends AS (
SELECT c.position FROM collections c
WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position OFFSET $4::int - 1 LIMIT 2)
  SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
  FROM (
    SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
    UNION ALL SELECT id, path FROM tree ORDER BY path
  ) AS shown
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS collection, tree_stamp || ' ' || rebalances || ' ' || 'collection' AS json,
      (SELECT min(position) FROM ends HAVING count(*) = 2) AS last
    FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
    UNION ALL
    SELECT item.collection, item.json, NULL FROM (
      SELECT 
CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id,
'{"id":"' || c.id || '","name":' || to_json(c.name) || ',"object":"' || c.object
  || CASE WHEN c.parent_id IS NULL THEN '' ELSE '","parent":"' || c.parent_id END
  || '","team":"' || c.team_id || '","workspace":"' || c.workspace_id
  || '","meta":{"title":' || to_json(c.name) || ',"slug":"' || c.slug
  || '"},"createdAt":"' || to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","updatedAt":"' || to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
   AS json FROM collections c
      WHERE c.team_id = $1 AND c.id >= shown.id AND c.id <= shown.id
      ORDER BY c.team_id, c.id LIMIT 1
    ) AS item
    OFFSET 0
  ) AS row
  ORDER BY shown.path;

-- tree.top.content
  WITH RECURSIVE tree AS (
    (
SELECT c.id, c.object, ARRAY[c.position] AS path FROM collections c
WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position LIMIT $4::int)
    UNION ALL
    SELECT c.id, c.object, tree.path || c.position FROM tree
    CROSS JOIN LATERAL (
      SELECT id, object, position FROM collections
      WHERE team_id = $1 AND parent_id = tree.id AND workspace_id = $2
      ORDER BY team_id, parent_id, workspace_id, position
    ) AS c
    WHERE cardinality(tree.path) < $5 AND tree.object = 'collection'
  ), ends AS (
SELECT c.position FROM collections c
WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2
  AND ($3::text IS NULL OR c.position > $3 COLLATE "C")
ORDER BY c.team_id, c.parent_id, c.workspace_id, c.position OFFSET $4::int - 1 LIMIT 2)
  SELECT cardinality(shown.path) AS level, row.collection, row.json, row.last
  FROM (
    SELECT NULL::uuid AS id, '{}'::text[] COLLATE "C" AS path
    UNION ALL SELECT id, path FROM tree ORDER BY path
  ) AS shown
  CROSS JOIN LATERAL (
    SELECT NULL::uuid AS collection, tree_stamp || ' ' || rebalances || ' ' || 'collection' AS json,
      (SELECT min(position) FROM ends HAVING count(*) = 2) AS last
    FROM workspaces w WHERE w.team_id = $1 AND w.id = $2 AND shown.id IS NULL
    UNION ALL
    SELECT item.collection, item.json, NULL FROM (
      SELECT 
CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id,
'{"id":"' || c.id || '","name":' || to_json(c.name) || ',"object":"' || c.object
  || CASE WHEN c.parent_id IS NULL THEN '' ELSE '","parent":"' || c.parent_id END
  || '","team":"' || c.team_id || '","workspace":"' || c.workspace_id
  || '","meta":{"title":' || to_json(c.name) || ',"slug":"' || c.slug
  || '"},"createdAt":"' || to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","updatedAt":"' || to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
  || ',"content":' || coalesce(c.content::text, '{}') AS json FROM collections c
      WHERE c.team_id = $1 AND c.id >= shown.id AND c.id <= shown.id
      ORDER BY c.team_id, c.id LIMIT 1
    ) AS item
    OFFSET 0
  ) AS row
  ORDER BY shown.path;

-- tree.topEnd + tree.takenSlugs
SELECT 0 AS part, to_json(found) AS row FROM (SELECT (SELECT position FROM collections WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT 1) AS last) AS found
UNION ALL
SELECT 1 AS part, to_json(found) AS row FROM (
    SELECT wanted.slug FROM unnest($3::text[]) AS wanted (slug)
    CROSS JOIN LATERAL (
      SELECT FROM collections c
      WHERE c.team_id = $1 AND c.workspace_id = $2
        AND c.slug >= wanted.slug AND c.slug <= wanted.slug
      ORDER BY c.slug LIMIT 1
    ) AS taken) AS found;

-- tree.topIds
SELECT id, position FROM collections WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 ORDER BY team_id, parent_id, workspace_id, position;

-- tree.topRuns
WITH RECURSIVE walk AS (
  SELECT 0 AS n, '' COLLATE "C" AS position
  UNION ALL
  SELECT walk.n + 1, (
    SELECT position FROM collections
    WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 AND position >= walk.position ORDER BY team_id, parent_id, workspace_id, position
    OFFSET ($3::int[])[walk.n + 1] - coalesce(($3::int[])[walk.n], 0) LIMIT 1
  ) FROM walk WHERE walk.n < cardinality($3::int[])
)
SELECT n, CASE n WHEN 0 THEN ARRAY(
    SELECT position FROM collections WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 ORDER BY team_id DESC, parent_id DESC, workspace_id DESC, position DESC LIMIT $5::int
  ) ELSE ARRAY(
    SELECT position FROM collections
    WHERE team_id = $1 AND parent_id IS NULL AND workspace_id = $2 AND position >= walk.position ORDER BY team_id, parent_id, workspace_id, position LIMIT $4::int
  ) END AS positions
FROM walk;

-- tree.update
UPDATE collections c SET parent_id = n.parent_id, position = n.position,
  name = coalesce(n.name, c.name), content = coalesce(n.content::json, c.content),
  version = coalesce(n.version, c.version),
  updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END
FROM  unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::int[])
  AS n (id, parent_id, position, name, content, version)
WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL;

-- tree.updateGuarded
WITH 
  guarded AS (
    UPDATE workspaces SET tree_version = tree_version + 1,
      tree_stamp = CASE WHEN tree_stamp = $10::uuid THEN $11::uuid END
    WHERE team_id = $1 AND id = $2 RETURNING team_id, id
  ) 
  UPDATE collections c SET parent_id = n.parent_id, position = n.position,
    name = coalesce(n.name, c.name), content = coalesce(n.content::json, c.content),
    version = coalesce(n.version, c.version),
    updated_at = CASE WHEN n.version IS NULL THEN c.updated_at ELSE $3::timestamptz END
  FROM guarded, unnest($4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::int[])
    AS n (id, parent_id, position, name, content, version)
  WHERE c.team_id = $1 AND c.id = n.id AND $2::uuid IS NOT NULL RETURNING c.id;

-- tree.whole
  SELECT collection, parent_id, json FROM (
    SELECT NULL::uuid AS collection, NULL::uuid AS parent_id,
      tree_stamp || ' ' || rebalances || ' collection' AS json, '' COLLATE "C" AS position
    FROM workspaces WHERE team_id = $1 AND id = $2
    UNION ALL
    SELECT 
CASE WHEN c.object = 'collection' THEN c.id END AS collection, c.parent_id,
'{"id":"' || c.id || '","name":' || to_json(c.name) || ',"object":"' || c.object
  || CASE WHEN c.parent_id IS NULL THEN '' ELSE '","parent":"' || c.parent_id END
  || '","team":"' || c.team_id || '","workspace":"' || c.workspace_id
  || '","meta":{"title":' || to_json(c.name) || ',"slug":"' || c.slug
  || '"},"createdAt":"' || to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","updatedAt":"' || to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"'
   AS json, c.position
    FROM collections c WHERE team_id = $1 AND workspace_id = $2
  ) AS rows ORDER BY position;

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

-- workspaces.find
SELECT t.id AS "teamId", t.plan, tm.role AS "teamRole", w.id, w.visibility, w.default_access AS "defaultAccess", wm.role AS "workspaceRole", w.slug, w.name, w.description,
  w.tree_stamp AS "treeStamp", w.rebalances, w.created_at AS "createdAt",
  w.updated_at AS "updatedAt"
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN workspaces w ON w.team_id = $1 AND w.slug = $4
LEFT JOIN workspace_members wm
  ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- workspaces.list
  SELECT t.id AS "teamId", t.plan, tm.role AS "teamRole", w.id, w.visibility, w.default_access AS "defaultAccess", w."workspaceRole", 
'{"_id":"' || w.id || '","name":' || to_json(w.name) || ',"description":'
  || to_json(w.description) || ',"defaultAccess":"' || w.default_access
  || '","meta":{"title":' || to_json(w.name) || ',"description":' || to_json(w.description)
  || ',"slug":"' || w.slug || '"},"Visibility":"' || w.visibility
  || '","createdAt":"' || to_char(w.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '","updatedAt":"' || to_char(w.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"' AS json
  FROM teams t
  LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
  LEFT JOIN (
    SELECT w.*, wm.role AS "workspaceRole"
    FROM workspaces w
    LEFT JOIN workspace_members wm
      ON wm.team_id = $1 AND wm.workspace_id = w.id AND wm.user_id = $3
    WHERE w.team_id = $1 AND (w.visibility = 'public' OR wm.role IS NOT NULL)
  ) w ON true
  WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
  ORDER BY w.created_at, w.id;
