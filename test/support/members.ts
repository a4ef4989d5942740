import jwt from 'jsonwebtoken';
import { type Caller, type Person, SECRET, somebody, type TestService } from './app.js';
import { ok, type TeamBody } from './builders.js';

export interface MemberBody {
  _id: string;
  name: string;
  email: string;
  image?: string;
  role: string;
}

export interface InviteBody {
  _id: string;
  email: string;
  role: string;
  expires: string;
  createdAt: string;
}

/** Someone with a token, and what the service calls them. */
export interface Known {
  person: Person;
  caller: Caller;
  id: string;
}

/** Someone new, whom the service knows. */
export async function someone(service: TestService, name = 'Ada'): Promise<Known> {
  const person = somebody(name);
  const caller = service.as(person);
  const { _id } = await ok<MemberBody>(caller.get('/me'));
  return { person, caller, id: _id };
}

/** Someone new, in the team, by the endpoints: invited by `owner`, with this role. */
export async function aMember(
  service: TestService,
  owner: Caller,
  team: string,
  role: string,
): Promise<Known> {
  const known = await someone(service, role);
  const invite = await anInvite(owner, team, known.person.email, role);
  await ok(known.caller.post(`/invites/${invite._id}/accept`));
  return known;
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
export const bytes = (answer: { status: number; text: string }): string =>
  `${answer.status} ${answer.text}`;
