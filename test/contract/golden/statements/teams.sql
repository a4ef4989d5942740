-- DELETE mail_outbox
DELETE FROM "public"."mail_outbox" WHERE "public"."mail_outbox"."invite_id" IN ($1);

-- DELETE team_invites
DELETE FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND 1=0);

-- DELETE team_members
DELETE FROM "public"."team_members" WHERE (("public"."team_members"."team_id" = $1 AND "public"."team_members"."user_id" = $2) AND 1=1) RETURNING "public"."team_members"."team_id", "public"."team_members"."user_id";

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

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id" FROM "public"."team_invites" WHERE "public"."team_invites"."id" = $1 LIMIT $2 OFFSET $3;

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id", "public"."team_invites"."email", "public"."team_invites"."role", "public"."team_invites"."state", "public"."team_invites"."invited_by", "public"."team_invites"."expires_at", "public"."team_invites"."created_at" FROM "public"."team_invites" WHERE ("public"."team_invites"."id" = $1 AND "public"."team_invites"."team_id" = $2) LIMIT $3 OFFSET $4;

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id", "public"."team_invites"."email", "public"."team_invites"."role", "public"."team_invites"."state", "public"."team_invites"."invited_by", "public"."team_invites"."expires_at", "public"."team_invites"."created_at" FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND "public"."team_invites"."state" = $2 AND "public"."team_invites"."invited_by" = $3) OFFSET $4;

-- SELECT team_invites
SELECT "public"."team_invites"."id", "public"."team_invites"."team_id", "public"."team_invites"."email", "public"."team_invites"."role", "public"."team_invites"."state", "public"."team_invites"."invited_by", "public"."team_invites"."expires_at", "public"."team_invites"."created_at" FROM "public"."team_invites" WHERE ("public"."team_invites"."team_id" = $1 AND "public"."team_invites"."state" = $2) ORDER BY "public"."team_invites"."created_at" ASC, "public"."team_invites"."id" ASC OFFSET $3;

-- SELECT team_invites
SELECT count(*)::int AS count, statement_timestamp() AS now
FROM team_invites WHERE team_id = $1::uuid AND state = 'pending';

-- SELECT team_invites
SELECT id, team_id AS "teamId", email, role, state, (expires_at <= statement_timestamp()) AS "isExpired",
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE id = $1::uuid AND lower(email COLLATE "C") = $2;

-- SELECT team_invites
SELECT id, team_id AS "teamId", email, role, state, (expires_at <= statement_timestamp()) AS "isExpired",
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE team_id = $1::uuid AND state = 'pending' AND lower(email COLLATE "C") = ANY ($2::text[]);

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

-- invites.list
SELECT id, team_id AS "teamId", email, role, state, (expires_at <= statement_timestamp()) AS "isExpired",
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE lower(email COLLATE "C") = $1 AND state = 'pending' AND NOT (expires_at <= statement_timestamp())
  AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::uuid))
ORDER BY created_at, id
LIMIT $4;

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
WHERE i.id = $1 AND i.state = 'pending' AND NOT (expires_at <= statement_timestamp());

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
