import jwt from 'jsonwebtoken';
import { type Caller, type Person, SECRET, somebody, type TestService } from './app.js';
import { ok, type TeamBody } from './builders.js';
import { sql } from './sql.js';

export interface MemberBody {
  _id: string;
  name: string;
  email: string;
  image?: string;
  role: string;
}

export type TeamRole = 'guest' | 'member' | 'moderator' | 'owner';

export interface InviteBody {
  _id: string;
  email: string;
  role: string;
  expires: string;
  createdAt: string;
}

/** Someone whom the service knows: makes requests, has a token, and an id. */
export interface Known extends Caller {
  person: Person;
  id: string;
}

/** Someone new, whom the service knows. */
export async function someone(service: TestService, name = 'Ada'): Promise<Known> {
  const person = somebody(name);
  const caller = service.as(person);
  const { _id } = await ok<MemberBody>(caller.get('/me'));
  return { ...caller, person, id: _id };
}

/** Someone new, made a member of the team by SQL; the endpoints that do it have tests of their own. */
export async function aMember(service: TestService, team: string, role: TeamRole): Promise<Known> {
  const known = await someone(service, role);
  await sql(
    service.databaseUrl,
    `INSERT INTO team_members (team_id, user_id, role)
     SELECT id, $2::uuid, $3 FROM teams WHERE slug = $1`,
    [team, known.id, role],
  );
  await sql(
    service.databaseUrl,
    'UPDATE team_usage SET users = users + 1 WHERE team_id = (SELECT id FROM teams WHERE slug = $1)',
    [team],
  );
  return known;
}

/** Gives a team member a role in a workspace, by SQL. */
export async function giveRole(
  service: TestService,
  workspaceId: string,
  { id }: Known,
  role: 'editor' | 'reader',
): Promise<void> {
  await sql(
    service.databaseUrl,
    `INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
     SELECT team_id, id, $2::uuid, $3 FROM workspaces WHERE id = $1`,
    [workspaceId, id, role],
  );
}

/** An invite of one email. */
export async function anInvite(
  sender: Caller,
  team: string,
  email: string,
  role = 'member',
): Promise<InviteBody> {
  const { users } = await ok<{ users: InviteBody[] }>(
    sender.post(`/teams/${team}/invites`, { invites: [{ email, role }] }),
  );
  return users[0] as InviteBody;
}

/** The roles in a list of members, by id. */
export async function rolesIn(caller: Caller, path: string): Promise<Record<string, string>> {
  const { users } = await ok<{ users: MemberBody[] }>(caller.get(`${path}/members`));
  return Object.fromEntries(users.map(({ _id, role }) => [_id, role]));
}

/** The code that lets people in; for those who may see it. */
export const codeOf = async (caller: Caller, team: string): Promise<string> =>
  (await ok<TeamBody>(caller.get(`/teams/${team}`))).inviteCode;

/** Calls with a token that makes these claims too. */
export function claiming(service: TestService, person: Person, claims: object): Caller {
  const { sub, email, name } = person;
  return service.with(
    `Bearer ${jwt.sign({ sub, email, name, ...claims }, SECRET, { expiresIn: 600 })}`,
  );
}

/** What only differs by who is asked for: status and body, as they came. */
export const bytes = (response: { status: number; text: string }): string =>
  `${response.status} ${response.text}`;
