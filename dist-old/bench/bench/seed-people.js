/**
 * Adds the mates of shapes to their teams and workspaces, whose owners become editors there, and the
 * pending invites. The users, teams and workspaces must be there.
 */
export async function seedPeople(client, shapes) {
    const mates = shapes.flatMap(({ team, workspace, owner, mate }) => mate === undefined || owner === undefined ? [] : [{ team, workspace, owner, mate }]);
    await client.query(MATES, [mates.map(({ team }) => team), mates.map(({ mate }) => mate)]);
    for (const [role, subjects] of [
        ['editor', mates.map(({ owner }) => owner)],
        ['reader', mates.map(({ mate }) => mate)],
    ]) {
        const places = [mates.map(({ team }) => team), mates.map(({ workspace }) => workspace)];
        await client.query(ROLES, [...places, subjects, role]);
    }
    const invites = shapes.flatMap(({ team, invited = [] }) => invited.map((subject) => ({ team, subject })));
    await client.query(INVITES, [
        invites.map(({ team }) => team),
        invites.map(({ subject }) => subject),
    ]);
}
/** The mates and guests of shapes, by subject. */
export async function personsOf(client, shapes) {
    const subjects = shapes.flatMap(({ mate = [], guest = [] }) => [mate, guest].flat());
    const { rows } = await client.query('SELECT id, subject, email FROM users WHERE subject = ANY ($1)', [subjects]);
    return new Map(rows.map((person) => [person.subject, person]));
}
const MATES = `
  WITH member AS (
    INSERT INTO team_members (team_id, user_id, role)
    SELECT t.id, u.id, 'member' FROM unnest($1::text[], $2::text[]) AS m (slug, subject)
    JOIN teams t ON t.slug = m.slug JOIN users u ON u.subject = m.subject
    RETURNING team_id
  )
  UPDATE team_usage u SET users = u.users + 1 FROM member WHERE member.team_id = u.team_id`;
const ROLES = `
  INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
  SELECT w.team_id, w.id, u.id, $4
  FROM unnest($1::text[], $2::text[], $3::text[]) AS m (team, workspace, subject)
  JOIN teams t ON t.slug = m.team
  JOIN workspaces w ON w.team_id = t.id AND w.slug = m.workspace
  JOIN users u ON u.subject = m.subject`;
const INVITES = `
  INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at, created_at)
  SELECT gen_random_uuid(), t.id, i.subject || '@bench.example', 'member', o.user_id,
    now() + interval '14 days', now() + n * interval '1 millisecond'
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS i (team, subject, n)
  JOIN teams t ON t.slug = i.team
  JOIN team_members o ON o.team_id = t.id AND o.role = 'owner'`;
