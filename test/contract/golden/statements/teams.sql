-- invites.countPending
SELECT count(*)::int AS count, statement_timestamp() AS now
FROM team_invites WHERE team_id = $1 AND state = 'pending';

-- invites.delete
DELETE FROM team_invites
WHERE id = ANY ($2::uuid[]) AND team_id IS NOT DISTINCT FROM $1;

-- invites.deleteMails
DELETE FROM mail_outbox WHERE invite_id = ANY ($1::uuid[]);

-- invites.find
SELECT id, team_id AS "teamId", email, role, state, (expires_at <= statement_timestamp()) AS "isExpired",
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE id = $1 AND lower(email COLLATE "C") = $2;

-- invites.findExpired
SELECT id FROM team_invites
WHERE team_id = $1 AND state = 'pending' AND (expires_at <= statement_timestamp()) AND id <> ALL ($2::uuid[])
ORDER BY expires_at LIMIT $3;

-- invites.findOfTeam
SELECT id, team_id AS "teamId", email, role, state, (expires_at <= statement_timestamp()) AS "isExpired",
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE id = $1 AND team_id = $2;

-- invites.insert
INSERT INTO team_invites (team_id, invited_by, id, email, role, expires_at, created_at)
SELECT $1::uuid, $2::uuid, n.*
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]) AS n;

-- invites.list
SELECT * FROM (
  SELECT * FROM (
  SELECT id, created_at AS at, email, role, expires_at AS "expiresAt", created_at AS "createdAt", (state IS NOT DISTINCT FROM 'pending' AND NOT (expires_at <= statement_timestamp())) AS "isOpen"
  FROM team_invites WHERE lower(email COLLATE "C") = $1
  ) AS row
  WHERE ($2::timestamptz IS NULL OR (row.at, row.id) > ($2, $3::uuid)) AND row."isOpen"
  ORDER BY row.at, row.id LIMIT $4
) AS i
ORDER BY at, id;

-- invites.list.short
SELECT * FROM (
  SELECT id, created_at AS at, email, role, expires_at AS "expiresAt", created_at AS "createdAt", (state IS NOT DISTINCT FROM 'pending' AND NOT (expires_at <= statement_timestamp())) AS "isOpen"
  FROM team_invites WHERE lower(email COLLATE "C") = $1
  LIMIT 101
) AS i
ORDER BY at, id;

-- invites.pending
SELECT t.id AS "teamId", tm.role AS "teamRole", i.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN (
  SELECT * FROM (
  SELECT id, created_at AS at, email, role, expires_at AS "expiresAt", created_at AS "createdAt" FROM team_invites WHERE team_id = $1 AND state = 'pending'
  ) AS row
  WHERE ($4::timestamptz IS NULL OR (row.at, row.id) > ($4, $5::uuid))
  ORDER BY row.at, row.id LIMIT $6
) i ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY i.at, i.id;

-- invites.pending.short
SELECT t.id AS "teamId", tm.role AS "teamRole", i.*
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN (
  SELECT id, created_at AS at, email, role, expires_at AS "expiresAt", created_at AS "createdAt" FROM team_invites WHERE team_id = $1 AND state = 'pending'
  LIMIT 101
) i ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY i.at, i.id;

-- invites.pendingFor
SELECT id, team_id AS "teamId", email, role, state, (expires_at <= statement_timestamp()) AS "isExpired",
  expires_at AS "expiresAt", created_at AS "createdAt"
FROM team_invites
WHERE team_id = $1 AND state = 'pending' AND lower(email COLLATE "C") = ANY ($2::text[]);

-- invites.pendingOf
SELECT id FROM team_invites
WHERE team_id = $1 AND state = 'pending' AND (
  (invited_by = $2 AND role <> ALL ($3::text[]))
  OR lower(email COLLATE "C") = (
    SELECT lower(email COLLATE "C") FROM users WHERE id = $2 AND email_verified
  )
);

-- invites.queueMails
INSERT INTO mail_outbox (id, invite_id)
SELECT n.* FROM unnest($1::uuid[], $2::uuid[]) AS n;

-- invites.revoke
UPDATE team_invites SET state = 'revoked'
WHERE id = ANY ($2::uuid[]) AND team_id IS NOT DISTINCT FROM $1;

-- invites.setState
UPDATE team_invites SET state = $3 WHERE team_id = $1 AND id = $2;

-- mailLimits.lock
SELECT pg_advisory_xact_lock($1::bigint)::text;

-- mailLimits.permit
WITH free AS MATERIALIZED (
  SELECT greatest(
    (SELECT max(sent_at) + interval '1 hour' FROM mail_sends
     WHERE team_id = $2 AND address = $3
       AND sent_at > statement_timestamp() - interval '1 hour'),
    (SELECT sent_at + interval '1 day' FROM mail_sends
     WHERE sender_id = $4 AND sent_at > statement_timestamp() - interval '1 day'
     ORDER BY sent_at DESC OFFSET $5::int LIMIT 1)
  ) AS until
), sent AS (
  INSERT INTO mail_sends (id, team_id, address, sender_id)
  SELECT $1::uuid, $2, $3, $4 FROM free WHERE until IS NULL
)
SELECT until FROM free;

-- mailLimits.release
DELETE FROM mail_sends WHERE id = $1;

-- outbox.count
SELECT count(*) FILTER (WHERE NOT is_held)::int AS waiting,
  count(*) FILTER (WHERE is_held)::int AS held
FROM mail_outbox;

-- outbox.findDue
SELECT id, sender_id AS "senderId" FROM (
  SELECT DISTINCT ON (sender_id) id, due_at, sender_id
  FROM (
    SELECT o.id, o.due_at,
      coalesce((SELECT i.invited_by FROM team_invites i WHERE i.id = o.invite_id), o.id) AS sender_id
    FROM mail_outbox o WHERE o.due_at <= now() AND o.id <> ALL ($4::uuid[]) OFFSET 0
  ) AS due
  WHERE cardinality(array_positions($2::uuid[], sender_id)) < $3
  ORDER BY sender_id, due_at
) AS first
ORDER BY cardinality(array_positions($2, sender_id)), due_at LIMIT $1;

-- outbox.findMailable
SELECT i.id, i.email, i.role, i.expires_at AS "expiresAt", i.team_id AS "teamId", t.name AS team,
  u.id AS "inviterId", u.name AS "inviterName", u.email AS "inviterEmail"
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
UPDATE mail_outbox
SET attempts = attempts + 1, is_held = false, due_at = clock_timestamp() + $2 * interval '1 millisecond'
WHERE id = ANY (ARRAY (
  SELECT id FROM mail_outbox WHERE id = ANY ($1::uuid[]) AND (due_at <= now()) IS TRUE FOR UPDATE SKIP LOCKED
))
RETURNING id, invite_id AS "inviteId", attempts,
  (extract(epoch FROM clock_timestamp() - queued_at) * 1000)::float8 AS age;

-- sentMailsPurge.remove
WITH removed AS (
  DELETE FROM mail_sends WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM mail_sends
    WHERE sent_at <= now() - $1::int * interval '1 second'
    ORDER BY sent_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT count(*) AS rows FROM removed;

-- sentMailsPurge.tryLock
SELECT pg_try_advisory_xact_lock(7263519) AS taken;

-- teamIds.lookUp
SELECT id FROM teams WHERE slug = $1;

-- teamMembers.add
INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, now());

-- teamMembers.byEmail
SELECT u.id, u.name, u.email, u.image, u.email_verified AS "emailVerified", m.role
FROM team_members m
CROSS JOIN LATERAL (SELECT * FROM users WHERE id = m.user_id OFFSET 0) AS u
WHERE m.team_id = $1 AND lower(u.email COLLATE "C") = ANY ($2::text[]);

-- teamMembers.countOwned
SELECT count(*)::int AS count FROM team_members WHERE user_id = $1 AND role = 'owner';

-- teamMembers.otherOwner
SELECT user_id AS id FROM team_members
WHERE team_id = $1 AND role = 'owner' AND user_id <> $2
ORDER BY joined_at, user_id LIMIT 1;

-- teamMembers.remove
DELETE FROM team_members WHERE team_id = $1 AND user_id = $2;

-- teamMembers.roleOf
SELECT role FROM team_members WHERE team_id = $1 AND user_id = $2;

-- teamMembers.setRole
UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2;

-- teamUsage.addItems
UPDATE team_usage SET
pages = CASE
  WHEN $2::int <= 0 OR $4::int = 0 OR team_usage.pages + $2::int <= $4::int
    THEN team_usage.pages + $2::int
  ELSE -1 END,
collections = CASE
  WHEN $3::int <= 0 OR $4::int = 0 OR team_usage.collections + $3::int <= $4::int
    THEN team_usage.collections + $3::int
  ELSE -1 END
WHERE team_id = $1;

-- teamUsage.addUser
UPDATE team_usage
SET users = CASE WHEN $2::int = 0 OR users < $2::int THEN users + 1 ELSE -1 END
WHERE team_id = $1;

-- teamUsage.addWorkspace
UPDATE team_usage
SET workspaces = CASE WHEN $2::int = 0 OR workspaces < $2::int THEN workspaces + 1 ELSE -1 END
WHERE team_id = $1;

-- teamUsage.shrink
UPDATE team_usage SET pages = pages - $2, users = users - $3, workspaces = workspaces - $4,
  collections = collections - $5
WHERE team_id = $1;

-- teams.create
INSERT INTO teams (id, slug, name, description, logo, plan, invite_code, billing_cycle_start, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- teams.createOwner
INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3);

-- teams.createUsage
INSERT INTO team_usage (team_id, users) VALUES ($1, 1);

-- teams.find
SELECT t.id, t.slug, t.name, t.description, t.logo, t.plan, t.invite_code AS "inviteCode", t.billing_cycle_start AS "billingCycleStart", t.created_at AS "createdAt", t.updated_at AS "updatedAt", u.pages, u.users, u.workspaces, m.role
FROM teams t
JOIN team_usage u ON u.team_id = $1
LEFT JOIN team_members m ON m.team_id = $1 AND m.user_id = $3
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug);

-- teams.list
SELECT t.id, t.slug, t.name, t.description, t.logo, t.plan, t.invite_code AS "inviteCode", t.billing_cycle_start AS "billingCycleStart", t.created_at AS "createdAt", t.updated_at AS "updatedAt", u.pages, u.users, u.workspaces, m.role
FROM (
  SELECT * FROM (
    SELECT team_id AS id, role, (SELECT created_at FROM teams WHERE id = team_id) AS at
    FROM team_members WHERE user_id = $1
  ) AS member
  WHERE ($2::timestamptz IS NULL OR (at, id) > ($2, $3::uuid))
  ORDER BY at, id LIMIT $4
) AS m
JOIN teams t ON t.id = m.id
JOIN team_usage u ON u.team_id = m.id
ORDER BY m.at, m.id;

-- teams.list.short
WITH m AS MATERIALIZED (
  SELECT team_id, role FROM team_members WHERE user_id = $1 LIMIT 101
)
SELECT t.id, t.slug, t.name, t.description, t.logo, t.plan, t.invite_code AS "inviteCode", t.billing_cycle_start AS "billingCycleStart", t.created_at AS "createdAt", t.updated_at AS "updatedAt", u.pages, u.users, u.workspaces, m.role
FROM teams t
JOIN team_usage u ON u.team_id = t.id
JOIN m ON m.team_id = t.id
WHERE t.id = ANY (ARRAY (SELECT team_id FROM m))
ORDER BY t.created_at, t.id;

-- teams.lock
SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE;

-- teams.lockByInviteCode
SELECT id FROM teams WHERE invite_code = $1 FOR NO KEY UPDATE;

-- teams.members
SELECT t.id AS "teamId", tm.role AS "teamRole", m.id, m.at, p.name, p.email, p.image, m.role
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN (
  SELECT * FROM (
  SELECT user_id AS id, joined_at AS at, role FROM team_members WHERE team_id = $1
  ) AS row
  WHERE ($4::timestamptz IS NULL OR (row.at, row.id) > ($4, $5::uuid))
  ORDER BY row.at, row.id LIMIT $6
) m ON true
LEFT JOIN LATERAL (SELECT * FROM users WHERE id = m.id OFFSET 0) AS p ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY m.at, m.id;

-- teams.members.short
SELECT t.id AS "teamId", tm.role AS "teamRole", m.id, m.at, p.name, p.email, p.image, m.role
FROM teams t
LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
LEFT JOIN (
  SELECT user_id AS id, joined_at AS at, role FROM team_members WHERE team_id = $1
  LIMIT 101
) m ON true
LEFT JOIN LATERAL (SELECT * FROM users WHERE id = m.id OFFSET 0) AS p ON true
WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
ORDER BY m.at, m.id;

-- teams.setInviteCode
UPDATE teams SET invite_code = $2, updated_at = $3 WHERE id = $1;

-- teams.update
UPDATE teams SET updated_at = $2, slug = $3, name = $4, description = $5, logo = $6 WHERE id = $1;
