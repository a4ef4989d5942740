// The statements of fair-invites.ts.
const IS_EXPIRED = '(expires_at <= statement_timestamp())';
const INVITE = `
    SELECT id, team_id, email, role, state, ${IS_EXPIRED} AS is_expired, expires_at, created_at
    FROM team_invites`;
export const USER = {
    name: 'user',
    text: `
    SELECT id AS user_id, email, name AS user_name FROM users WHERE issuer = $1 AND subject = $2
    FOR NO KEY UPDATE`,
};
export const FIND = {
    name: 'invite.find',
    text: `${INVITE} WHERE id = $1 AND lower(email COLLATE "C") = $2`,
};
export const PENDING = {
    name: 'invite.pending',
    text: `${INVITE} WHERE team_id = $1 AND state = 'pending' AND lower(email COLLATE "C") = ANY ($2::text[])`,
};
export const MEMBERS = {
    name: 'invite.members',
    text: `
    SELECT FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 AND lower(u.email COLLATE "C") = ANY ($2::text[])`,
};
export const COUNT = {
    name: 'invite.count',
    text: `SELECT count(*)::int AS count FROM team_invites WHERE team_id = $1 AND state = 'pending'`,
};
export const DELETE_EXPIRED = {
    name: 'invite.deleteExpired',
    text: `
    DELETE FROM team_invites WHERE id IN (
      SELECT id FROM team_invites
      WHERE team_id = $1 AND state = 'pending' AND ${IS_EXPIRED} AND id <> ALL ($2::uuid[])
      ORDER BY expires_at LIMIT $3
    )`,
};
export const SEND = {
    name: 'invite.send',
    text: `
    INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
    SELECT i.id, $1, i.email, i.role, $2, now() + interval '14 days'
    FROM unnest($3::uuid[], $4::text[], $5::text[]) AS i (id, email, role)
    ON CONFLICT (team_id, lower(email COLLATE "C")) WHERE state = 'pending' DO UPDATE
      SET email = excluded.email, role = excluded.role, invited_by = excluded.invited_by,
        expires_at = excluded.expires_at
    RETURNING id, email, role, expires_at, created_at`,
};
export const ACCEPT = {
    name: 'invite.accept',
    text: `UPDATE team_invites SET state = 'accepted' WHERE team_id = $1 AND id = $2`,
};
export const TEAM = {
    name: 'invite.team',
    text: `
    SELECT t.*, u.pages, u.users, u.workspaces, m.role
    FROM teams t JOIN team_usage u ON u.team_id = t.id
    LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = $2
    WHERE t.id = $1`,
};
export const JOIN = {
    name: 'invite.join',
    text: 'INSERT INTO team_members (team_id, user_id, role) VALUES ($1, $2, $3)',
};
export const GROW = {
    name: 'invite.grow',
    text: 'UPDATE team_usage SET users = users + 1 WHERE team_id = $1 AND ($2 = 0 OR users < $2)',
};
export const OWNED = {
    name: 'invite.owned',
    text: `SELECT count(*)::int AS count FROM team_members WHERE user_id = $1 AND role = 'owner'`,
};
