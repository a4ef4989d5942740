import { type Person, somebody, type TestService } from './app.js';
import { ok } from './builders.js';
import { sql } from './sql.js';

/** Somebody new, made a member of the team by SQL; the endpoints that do it have tests of their own. */
export async function aMember(
  service: TestService,
  team: string,
  role: 'guest' | 'member' | 'moderator' | 'owner',
): Promise<Person> {
  const person = somebody(role);
  await ok(service.as(person).get('/teams'));
  await sql(
    service.databaseUrl,
    `INSERT INTO team_members (team_id, user_id, role)
     SELECT teams.id, users.id, $3 FROM teams, users WHERE teams.slug = $1 AND users.subject = $2`,
    [team, person.sub, role],
  );
  await sql(
    service.databaseUrl,
    'UPDATE team_usage SET users = users + 1 WHERE team_id = (SELECT id FROM teams WHERE slug = $1)',
    [team],
  );
  return person;
}

/** Gives a team member a role in a workspace, by SQL. */
export async function giveRole(
  service: TestService,
  workspaceId: string,
  person: Person,
  role: 'editor' | 'reader',
): Promise<void> {
  await sql(
    service.databaseUrl,
    `INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
     SELECT w.team_id, w.id, u.id, $3 FROM workspaces w, users u WHERE w.id = $1 AND u.subject = $2`,
    [workspaceId, person.sub, role],
  );
}
