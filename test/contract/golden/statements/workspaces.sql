-- DELETE workspace_members
DELETE FROM "public"."workspace_members" WHERE (("public"."workspace_members"."team_id" = $1 AND "public"."workspace_members"."workspace_id" = $2 AND "public"."workspace_members"."user_id" = $3) AND 1=1) RETURNING "public"."workspace_members"."team_id", "public"."workspace_members"."workspace_id", "public"."workspace_members"."user_id";

-- DELETE workspaces
DELETE FROM "public"."workspaces" WHERE (("public"."workspaces"."team_id" = $1 AND "public"."workspaces"."id" = $2) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id";

-- INSERT workspace_members
INSERT INTO "public"."workspace_members" ("team_id","workspace_id","user_id","role","created_at") VALUES ($1,$2,$3,$4,$5) ON CONFLICT DO NOTHING;

-- INSERT workspaces
INSERT INTO "public"."workspaces" ("id","team_id","slug","name","description","visibility","default_access","tree_version","rebalances","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

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

-- UPDATE workspace_members
UPDATE "public"."workspace_members" SET "role" = $1 WHERE ("public"."workspace_members"."team_id" = $2 AND "public"."workspace_members"."workspace_id" = $3 AND "public"."workspace_members"."user_id" = $4);

-- UPDATE workspaces
UPDATE "public"."workspaces" SET "description" = $1, "updated_at" = $2 WHERE (("public"."workspaces"."team_id" = $3 AND "public"."workspaces"."id" = $4) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

-- UPDATE workspaces
UPDATE "public"."workspaces" SET "slug" = $1, "updated_at" = $2 WHERE (("public"."workspaces"."team_id" = $3 AND "public"."workspaces"."id" = $4) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

-- UPDATE workspaces
UPDATE "public"."workspaces" SET "visibility" = $1, "updated_at" = $2 WHERE (("public"."workspaces"."team_id" = $3 AND "public"."workspaces"."id" = $4) AND 1=1) RETURNING "public"."workspaces"."team_id", "public"."workspaces"."id", "public"."workspaces"."slug", "public"."workspaces"."name", "public"."workspaces"."description", "public"."workspaces"."visibility", "public"."workspaces"."default_access", "public"."workspaces"."tree_stamp", "public"."workspaces"."rebalances", "public"."workspaces"."created_at", "public"."workspaces"."updated_at";

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
