// The columns are those of the table, and in JSON the names. `$1` is the id of the team: with a constant, a
// distributed database asks one node only.
const TEAM = `
  t.slug, t.name, t.plan, u.users AS members, u.workspaces, u.collections, u.pages,
  t.created_at AS "createdAt"`;
const MEMBER = `
  m.user_id AS id, m.role, p.name, p.email, p.issuer, p.subject, m.joined_at AS "joinedAt"`;
const INVITE = `
  i.id, i.email, i.role,
  CASE WHEN i.state = 'pending' AND i.expires_at <= now() THEN 'expired' ELSE i.state END AS state,
  p.name AS "invitedBy", i.expires_at AS "expiresAt", i.created_at AS "createdAt"`;
const WORKSPACE = `
  w.slug, w.name, w.visibility, w.default_access AS "defaultAccess",
  (SELECT count(*)::int FROM collections c WHERE c.team_id = $1 AND c.workspace_id = w.id
    AND c.object = 'collection') AS collections,
  (SELECT count(*)::int FROM collections c WHERE c.team_id = $1 AND c.workspace_id = w.id
    AND c.object = 'item') AS pages,
  w.created_at AS "createdAt"`;
/** All teams. */
export const TEAMS = `
  SELECT ${TEAM} FROM teams t JOIN team_usage u ON u.team_id = t.id ORDER BY t.slug`;
/** The id of the team with the slug `$1`. */
export const TEAM_ID = 'SELECT id FROM teams WHERE slug = $1';
/** The members of a team, highest role first. */
export const MEMBERS = `
  SELECT ${MEMBER} FROM team_members m JOIN users p ON p.id = m.user_id
  WHERE m.team_id = $1
  ORDER BY array_position(ARRAY['owner', 'moderator', 'member', 'guest'], m.role), p.name, p.id`;
/** The pending invites of a team, expired ones included, newest first. */
export const INVITES = `
  SELECT ${INVITE} FROM team_invites i JOIN users p ON p.id = i.invited_by
  WHERE i.team_id = $1 AND i.state = 'pending'
  ORDER BY i.created_at DESC, i.id`;
/** The workspaces of a team, those in its trash excluded. */
export const WORKSPACES = `
  SELECT ${WORKSPACE} FROM workspaces w
  WHERE w.team_id = $1 AND w.deleted_at IS NULL
  ORDER BY w.slug`;
/** One team, with its owners. */
export const ONE_TEAM = {
    text: `
    SELECT t.id, ${TEAM}, t.updated_at AS "updatedAt", t.description,
      (SELECT coalesce(json_agg(json_build_object('name', p.name, 'email', p.email) ORDER BY p.name), '[]')
        FROM team_members m JOIN users p ON p.id = m.user_id
        WHERE m.team_id = $1 AND m.role = 'owner') AS owners,
      (SELECT count(*)::int FROM team_invites i
        WHERE i.team_id = $1 AND i.state = 'pending' AND i.expires_at > now()) AS "pendingInvites"
    FROM teams t JOIN team_usage u ON u.team_id = t.id WHERE t.id = $1 AND u.team_id = $1`,
    record: 'team',
};
/** One member of a team, by id, email or subject, with their workspace roles. */
export const ONE_MEMBER = {
    text: `
    SELECT ${MEMBER},
      (SELECT coalesce(json_agg(json_build_object('workspace', w.slug, 'role', r.role) ORDER BY w.slug), '[]')
        FROM workspace_members r
        JOIN workspaces w ON w.team_id = r.team_id AND w.id = r.workspace_id
        WHERE r.team_id = $1 AND r.user_id = m.user_id AND w.deleted_at IS NULL
      ) AS "workspaceRoles"
    FROM team_members m JOIN users p ON p.id = m.user_id
    WHERE m.team_id = $1
      AND (p.id::text = $2::text OR p.email = $2 OR p.subject = $2)
    ORDER BY p.id`,
    record: 'member',
};
/** One invite of a team, whatever its state. */
export const ONE_INVITE = {
    text: `
    SELECT ${INVITE} FROM team_invites i JOIN users p ON p.id = i.invited_by
    WHERE i.team_id = $1 AND i.id::text = $2`,
    record: 'invite',
};
/** One workspace, with its own members. */
export const ONE_WORKSPACE = {
    text: `
    SELECT w.id, ${WORKSPACE}, w.updated_at AS "updatedAt", w.description,
      (SELECT coalesce(json_agg(json_build_object('name', p.name, 'email', p.email, 'role', r.role)
          ORDER BY p.name), '[]')
        FROM workspace_members r JOIN users p ON p.id = r.user_id
        WHERE r.team_id = $1 AND r.workspace_id = w.id) AS members
    FROM workspaces w
    WHERE w.team_id = $1 AND w.slug = $2 AND w.deleted_at IS NULL`,
    record: 'workspace',
};
//# sourceMappingURL=queries.js.map