import { somebody, startService, type TestService } from '../support/app.js';
import { aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { assertInvariants } from '../support/invariants.js';
import {
  aMember,
  anInvite,
  claiming,
  codeOf,
  type InviteBody,
  type Known,
  type MemberBody,
  rolesIn,
  someone,
} from '../support/members.js';
import { sql } from '../support/sql.js';

let service: TestService;
let ada: Known;
beforeAll(async () => {
  service = await startService();
  ada = await someone(service);
});
afterAll(async () => {
  await assertInvariants(service.databaseUrl);
  await service.stop();
});

/** Runs the command while the service runs. */
const erase = (...args: string[]) =>
  runCommand(['erase', ...args], { DATABASE_URL: service.databaseUrl });

const erasePerson = ({ person }: Known) => erase('--issuer', '', '--subject', person.sub);

const invitesOf = async ({ caller }: Known): Promise<InviteBody[]> =>
  (await ok<{ users: InviteBody[] }>(caller.get('/invites'))).users;

test('memberships end by the rules of leaving, and nothing tells who it was', async () => {
  const team = await aTeam(ada.caller);
  const bob = await aMember(service, ada.caller, team, 'moderator');
  const left = await aWorkspace(bob.caller, team, { visibility: 'private' });
  await anInvite(bob.caller, team, somebody().email);
  await anInvite(ada.caller, await aTeam(ada.caller), bob.person.email.toUpperCase());
  expect((await ada.caller.get(left.path)).status).toBe(404);

  expect(await erasePerson(bob)).toEqual({
    status: 0,
    output:
      'Erased name, email, picture and subject; gone: 1 membership, 2 invites, 0 stored answers.\n',
  });

  expect(await rolesIn(ada.caller, `/teams/${team}`)).toEqual({ [ada.id]: 'owner' });
  expect((await ok<TeamBody>(ada.caller.get(`/teams/${team}`))).usage.users).toBe(1);
  expect(await rolesIn(ada.caller, left.path)).toEqual({ [ada.id]: 'editor' });
  expect(await invitesOf(bob)).toEqual([]);
  expect((await bob.caller.get(`/teams/${team}`)).status).toBe(403);
  const everything = await sql<{ row: string }>(
    service.databaseUrl,
    `SELECT users::text AS row FROM users UNION ALL SELECT team_invites::text FROM team_invites
     UNION ALL SELECT idempotency_keys::text FROM idempotency_keys`,
  );
  expect(everything.filter(({ row }) => row.toLowerCase().includes(bob.person.sub))).toEqual([]);
  const [record] = await sql(service.databaseUrl, 'SELECT * FROM users WHERE id = $1', [bob.id]);
  expect(record).toMatchObject({
    name: 'Erased',
    email: `${bob.id}@erased.invalid`,
    email_verified: false,
    image: null,
  });
});

test('stored answers are deleted: the same key does its work anew', async () => {
  const bob = await someone(service, 'Bob');
  const slug = await aTeam(ada.caller);
  const inviteCode = await codeOf(ada.caller, slug);
  const join = () =>
    bob.caller.post('/teams/join', { inviteCode }).set('idempotency-key', 'key-of-bob');
  await ok(join());
  expect((await erasePerson(bob)).output).toMatch('1 membership, 0 invites, 1 stored answer.');
  const rows = await sql(service.databaseUrl, 'SELECT 1 FROM idempotency_keys WHERE user_id = $1', [
    bob.id,
  ]);
  expect(rows).toEqual([]);
});

test.each([
  ['makes a team', async () => ['/teams', { name: 'Team', slug: freshSlug() }] as const],
  [
    'joins by code',
    async () =>
      ['/teams/join', { inviteCode: await codeOf(ada.caller, await aTeam(ada.caller)) }] as const,
  ],
  [
    'accepts an invite',
    async (email: string) => {
      const { _id } = await anInvite(ada.caller, await aTeam(ada.caller), email);
      return [`/invites/${_id}/accept`, undefined] as const;
    },
  ],
])('who %s with a process that remembers them is told to try again', async (_, request) => {
  const bob = await someone(service, 'Bob');
  await erasePerson(bob);
  const [path, body] = await request(bob.person.email);
  const first = await bob.caller.post(path, body);
  expect(first.status).toBe(409);
  expect(first.body.error.message).toMatch('send the request again');
  await ok(bob.caller.post(path, body));
  expect((await ok<MemberBody>(bob.caller.get('/me')))._id).not.toBe(bob.id);
  const asErased = await sql(service.databaseUrl, 'SELECT 1 FROM team_members WHERE user_id = $1', [
    bob.id,
  ]);
  expect(asErased).toEqual([]);
});

test('the last owner of teams is refused with their names, and keeps everything', async () => {
  const bob = await someone(service, 'Bob');
  const left = await aTeam(ada.caller);
  await ok(bob.caller.post('/teams/join', { inviteCode: await codeOf(ada.caller, left) }));
  const owned = [await aTeam(bob.caller), await aTeam(bob.caller)].sort();
  expect(await erasePerson(bob)).toEqual({
    status: 1,
    output: `Nothing was erased: this is the last owner of ${owned.join(', ')}. Make somebody else one first.\n`,
  });
  expect(await rolesIn(ada.caller, `/teams/${left}`)).toMatchObject({ [bob.id]: 'member' });
  expect(await rolesIn(bob.caller, `/teams/${owned[0]}`)).toEqual({ [bob.id]: 'owner' });
  const [record] = await sql(service.databaseUrl, 'SELECT * FROM users WHERE id = $1', [bob.id]);
  expect(record).toMatchObject({ subject: bob.person.sub, email: bob.person.email });
});

test('the same command again finds nobody', async () => {
  const bob = await someone(service, 'Bob');
  expect((await erasePerson(bob)).status).toBe(0);
  expect(await erasePerson(bob)).toEqual({
    status: 0,
    output: 'Nobody is recorded with this issuer and subject: there is nothing to erase.\n',
  });
});

test('an address that a token only claims keeps its invites; --email deletes them', async () => {
  const { email } = somebody('Eve');
  const team = await aTeam(ada.caller);
  await anInvite(ada.caller, team, email);
  const liar = somebody('Mallory');
  await ok(claiming(service, { ...liar, email }, { email_verified: false }).get('/me'));
  const erased = await erase('--issuer', '', '--subject', liar.sub);
  expect(erased.output).toMatch('0 invites');
  const erasesInvites = () => erase('--email', email.toUpperCase());
  expect(await erasesInvites()).toEqual({
    status: 0,
    output: 'Erased 1 invite to this address.\n',
  });
  expect((await erasesInvites()).output).toBe('Erased 0 invites to this address.\n');
  expect(await ok(ada.caller.get(`/teams/${team}/invites`))).toMatchObject({ users: [] });
});

test.each([
  [0, ['--help']],
  [2, []],
  [2, ['--subject', 'ada']],
  [2, ['--issuer', '', '--subject', '']],
  [2, ['--issuer', '', '--subject', 'ada', '--email', 'ada@example.com']],
])('ends with %i and says how it is used: %j', async (status, args) => {
  const ended = await erase(...args);
  expect(ended.output).toMatch(/^Usage: teamspaces erase |give --issuer and --subject, or --email/);
  expect(ended.status).toBe(status);
});

// The last test: passport knows one strategy in a process, that of the application made last.
test('the next token makes a new person, in another process at once', async () => {
  const bob = await someone(service, 'Bob');
  await erasePerson(bob);
  const other = await startService({}, service.databaseUrl);
  const { _id, name } = await ok<MemberBody>(other.as(bob.person).get('/me'));
  await other.stop();
  expect(name).toBe('Bob');
  expect(_id).not.toBe(bob.id);
});
