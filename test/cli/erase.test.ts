import { somebody, startService } from '../support/app.js';
import { auditLog } from '../support/audit.js';
import { anItem, aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../support/builders.js';
import { type Ended, runCommand } from '../support/command.js';
import { changedBehindLock, holdLock } from '../support/locks.js';
import {
  anInvite,
  claiming,
  codeOf,
  type InviteBody,
  type Known,
  type MemberBody,
  rolesIn,
  someone,
  type TeamRole,
} from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

const at = scene({ verify: true });
beforeAll(async () => {
  // What the command loads at first would take the time that a lock may be waited for.
  await erase('--email', somebody().email);
});

/** Runs the command while the service runs. */
const erase = (...args: string[]) =>
  runCommand(['erase', ...args], { DATABASE_URL: at.databaseUrl });

const erasePerson = ({ person }: Known) => erase('--issuer', '', '--subject', person.sub);

const invitesOf = async (caller: Known): Promise<InviteBody[]> =>
  (await ok<{ users: InviteBody[] }>(caller.get('/invites'))).users;

/** What is recorded of a person. */
const userOf = async ({ id }: Known) =>
  (await sql(at.databaseUrl, 'SELECT * FROM users WHERE id = $1', [id]))[0];

/** Someone who has accepted an invite to the team: it is kept, and goes with them. */
async function anInvitedMember(team: string, role: TeamRole): Promise<Known> {
  const known = await someone(at, role);
  const { _id } = await anInvite(at.ada, team, known.person.email, role);
  await ok(known.post(`/invites/${_id}/accept`));
  return known;
}

test('memberships end by the rules of leaving, and nothing tells who it was', async () => {
  const team = await aTeam(at.ada);
  const invited = await anInvitedMember(team, 'moderator');
  const { sub } = invited.person;
  const claims = { name: `Bob ${sub}`, picture: `https://example.com/${sub}.png` };
  const bob = { ...invited, ...claiming(at, invited.person, claims) };
  const left = await aWorkspace(bob, team, { visibility: 'private' });
  await anInvite(bob, team, somebody().email);
  await anInvite(at.ada, await aTeam(at.ada), bob.person.email.toUpperCase());
  await sql(
    at.databaseUrl,
    `INSERT INTO mail_sends (id, team_id, address, sender_id)
     SELECT gen_random_uuid(), id, $1, $2 FROM teams`,
    [bob.person.email, at.ada.id],
  );
  expect((await at.ada.get(left.path)).status).toBe(404);
  expect(await userOf(bob)).toMatchObject({ name: claims.name, image: claims.picture });

  expect(await erasePerson(bob)).toEqual({
    status: 0,
    output:
      'Erased name, email, picture and subject; gone: 1 membership, 3 invites, 0 stored responses.\n',
  });

  expect(await rolesIn(at.ada, `/teams/${team}`)).toEqual({ [at.ada.id]: 'owner' });
  expect((await ok<TeamBody>(at.ada.get(`/teams/${team}`))).usage.users).toBe(1);
  expect(await rolesIn(at.ada, left.path)).toEqual({ [at.ada.id]: 'editor' });
  expect(await invitesOf(bob)).toEqual([]);
  expect((await bob.get(`/teams/${team}`)).status).toBe(403);
  const everything = await sql<{ row: string }>(
    at.databaseUrl,
    `SELECT unnest(xpath('//row', query_to_xml('SELECT * FROM ' || relname, true, false, '')))::text AS row
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  expect(everything.length).toBeGreaterThan(10);
  expect(everything.filter(({ row }) => row.toLowerCase().includes(sub))).toEqual([]);
  const entries = await auditLog(at.ada, team);
  expect(entries.find(({ action }) => action === 'member.joined')).toMatchObject({
    actor: { _id: bob.id, name: 'Erased' },
    target: { id: bob.id, name: 'Erased' },
  });
  expect(await userOf(bob)).toMatchObject({
    name: 'Erased',
    email: `${bob.id}@erased.invalid`,
    email_verified: false,
    image: null,
  });
});

test('stored responses are deleted: the same key does its work again', async () => {
  const bob = await someone(at, 'Bob');
  const slug = await aTeam(at.ada);
  const inviteCode = await codeOf(at.ada, slug);
  const join = () => bob.post('/teams/join', { inviteCode }).set('idempotency-key', 'key-of-bob');
  await ok(join());
  expect((await erasePerson(bob)).output).toMatch('1 membership, 0 invites, 1 stored response.');
  const rows = await sql(at.databaseUrl, 'SELECT 1 FROM idempotency_keys WHERE user_id = $1', [
    bob.id,
  ]);
  expect(rows).toEqual([]);
});

test.each([
  ['makes a team', async () => ['/teams', { name: 'Team', slug: freshSlug() }] as const],
  [
    'joins by code',
    async () => ['/teams/join', { inviteCode: await codeOf(at.ada, await aTeam(at.ada)) }] as const,
  ],
  [
    'accepts an invite',
    async (email: string) => {
      const { _id } = await anInvite(at.ada, await aTeam(at.ada), email);
      return [`/invites/${_id}/accept`, undefined] as const;
    },
  ],
])('who %s with a process that remembers them is told to try again', async (_, request) => {
  const bob = await someone(at, 'Bob');
  await erasePerson(bob);
  const [path, body] = await request(bob.person.email);
  const first = await bob.post(path, body);
  expect(first.status).toBe(409);
  expect(first.body.error.message).toMatch('send the request again');
  await ok(bob.post(path, body));
  expect((await ok<MemberBody>(bob.get('/me')))._id).not.toBe(bob.id);
  const asErased = await sql(at.databaseUrl, 'SELECT 1 FROM team_members WHERE user_id = $1', [
    bob.id,
  ]);
  expect(asErased).toEqual([]);
});

test('the last owner of teams is refused with their names, and keeps everything', async () => {
  const bob = await someone(at, 'Bob');
  const left = await aTeam(at.ada);
  await ok(bob.post('/teams/join', { inviteCode: await codeOf(at.ada, left) }));
  const owned = [await aTeam(bob), await aTeam(bob)].sort();
  expect(await erasePerson(bob)).toEqual({
    status: 1,
    output: `Nothing was erased: they are the last owner of ${owned.join(', ')}. Make somebody else an owner first.\n`,
  });
  expect(await rolesIn(at.ada, `/teams/${left}`)).toMatchObject({ [bob.id]: 'member' });
  expect(await rolesIn(bob, `/teams/${owned[0]}`)).toEqual({ [bob.id]: 'owner' });
  expect(await userOf(bob)).toMatchObject({ subject: bob.person.sub, email: bob.person.email });
});

test('the same command again finds nobody', async () => {
  const bob = await someone(at, 'Bob');
  expect((await erasePerson(bob)).status).toBe(0);
  expect(await erasePerson(bob)).toEqual({
    status: 0,
    output: 'Nobody is recorded with this issuer and subject: there is nothing to erase.\n',
  });
});

test('an address that a token only claims keeps its invites; --email deletes them', async () => {
  const { email } = somebody('Eve');
  const team = await aTeam(at.ada);
  await anInvite(at.ada, team, email);
  const liar = somebody('Mallory');
  await ok(claiming(at, { ...liar, email }, { email_verified: false }).get('/me'));
  const erased = await erase('--issuer', '', '--subject', liar.sub);
  expect(erased.output).toMatch('0 invites');
  const erasesInvites = () => erase('--email', email.toUpperCase());
  expect(await erasesInvites()).toEqual({
    status: 0,
    output: 'Erased 1 invite to this address.\n',
  });
  expect((await erasesInvites()).output).toBe('Erased 0 invites to this address.\n');
  expect(await ok(at.ada.get(`/teams/${team}/invites`))).toMatchObject({ users: [] });
});

test('help ends with 0 and wrong arguments with 1, and both say how it is used', async () => {
  const wrong = await offenders(
    [
      [0, ['--help']],
      [2, []],
      [2, ['--subject', 'ada']],
      [2, ['--issuer', '', '--subject', '']],
      [2, ['--issuer', '', '--subject', 'ada', '--email', 'ada@example.com']],
    ],
    async ([status, args]) => {
      const ended = await erase(...args);
      expect(ended.output).toMatch(
        /^Usage: teamspaces erase |give --issuer and --subject, or --email/,
      );
      expect(ended.status).toBe(status);
    },
  );
  expect(wrong).toEqual([]);
});

test.each([
  ['makes a team', async () => ['/teams', { name: 'Team', slug: freshSlug() }] as const],
  [
    'joins by code',
    async () => ['/teams/join', { inviteCode: await codeOf(at.ada, await aTeam(at.ada)) }] as const,
  ],
  [
    'accepts an invite',
    async (email: string) => {
      const { _id } = await anInvite(at.ada, await aTeam(at.ada), email);
      return [`/invites/${_id}/accept`, undefined] as const;
    },
  ],
])(
  'who %s at this moment is waited for, and nobody who is erased is a member',
  async (_, request) => {
    const bob = await someone(at, 'Bob');
    const [path, body] = await request(bob.person.email);
    // The request is held right before its end.
    const lock = await holdLock(at.databaseUrl, 'LOCK TABLE team_usage IN SHARE MODE', []);
    const joining = bob.post(path, body).then(({ status }) => status);
    await lock.waiting(1);
    const erasing = erasePerson(bob);
    await Promise.race([erasing, lock.waiting(2)]);
    await lock.release();
    expect(await joining).toBe(200);
    const { output } = await erasing;
    const isLastOwner = path === '/teams';
    expect(output).toMatch(
      isLastOwner ? 'Nothing was erased: they are the last owner' : '1 membership',
    );
    const erasedMembers = await sql(
      at.databaseUrl,
      "SELECT 1 FROM team_members JOIN users ON id = user_id WHERE name = 'Erased'",
    );
    expect(erasedMembers).toEqual([]);
  },
);

describe('a team is waited for while somebody changes', () => {
  /** A new invite in a team, written as the service does: behind the team's lock. */
  const INVITE = `
    INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
    SELECT gen_random_uuid(), t.id, $2, 'member', $3, now() + interval '1 day'
    FROM teams t WHERE slug = $1`;

  /** Erases, and changes something in the team as one who has its lock when the command comes. */
  const changed = (team: string, command: () => Promise<Ended>, text: string, values: unknown[]) =>
    changedBehindLock(at, team, command, text, values);

  const pendingIn = async (team: string): Promise<string[]> =>
    (await ok<{ users: InviteBody[] }>(at.ada.get(`/teams/${team}/invites`))).users.map(
      ({ email }) => email,
    );

  test('the invites to the erased person: none is left', async () => {
    const bob = await someone(at, 'Bob');
    const { email } = bob.person;
    const team = await aTeam(at.ada);
    const { _id } = await anInvite(at.ada, team, email);
    await ok(bob.post(`/invites/${_id}/decline`));
    const { output } = await changed(team, () => erasePerson(bob), INVITE, [
      team,
      email,
      at.ada.id,
    ]);
    expect(output).toMatch('2 invites');
    expect(await pendingIn(team)).toEqual([]);
  });

  test('the invites to an address: none is left', async () => {
    const { email } = somebody('Eve');
    const team = await aTeam(at.ada);
    const { _id } = await anInvite(at.ada, team, email);
    await ok(at.ada.delete(`/teams/${team}/invites/${_id}`));
    const command = () => erase('--email', email);
    expect(await changed(team, command, INVITE, [team, email, at.ada.id])).toEqual({
      status: 0,
      output: 'Erased 2 invites to this address.\n',
    });
    expect(await pendingIn(team)).toEqual([]);
  });

  test('the invites of the erased person, in a team that they have left: what was accepted stays', async () => {
    const team = await aTeam(at.ada);
    const bob = await anInvitedMember(team, 'moderator');
    const { email } = somebody('Eve');
    const { _id } = await anInvite(bob, team, email);
    // As somebody leaves by themselves: their invites stay.
    await ok(bob.delete(`/teams/${team}/members`, { userId: bob.id }));
    await sql(at.databaseUrl, "UPDATE team_invites SET state = 'pending' WHERE id = $1", [_id]);
    const accept = "UPDATE team_invites SET state = 'accepted' WHERE id = $1";
    const { output } = await changed(team, () => erasePerson(bob), accept, [_id]);
    expect(output).toMatch('0 memberships, 1 invite,');
    const rows = await sql(at.databaseUrl, 'SELECT state FROM team_invites WHERE id = $1', [_id]);
    expect(rows).toEqual([{ state: 'accepted' }]);
  });

  test('the members: who is removed meanwhile is not removed again', async () => {
    const team = await aTeam(at.ada);
    const bob = await anInvitedMember(team, 'member');
    const remove = `
      WITH gone AS (DELETE FROM team_members WHERE user_id = $1 RETURNING team_id)
      UPDATE team_usage SET users = users - 1 FROM gone WHERE team_usage.team_id = gone.team_id`;
    const { output } = await changed(team, () => erasePerson(bob), remove, [bob.id]);
    expect(output).toMatch('0 memberships');
    const { usage } = await ok<TeamBody>(at.ada.get(`/teams/${team}`));
    expect(usage.users).toBe(1);
  });
});

test('a process that remembers an erased person forgets them within a minute', async () => {
  const bob = await someone(at, 'Bob');
  await erasePerson(bob);
  await at.advance(60_000);
  const { _id, name } = await ok<MemberBody>(bob.get('/me'));
  expect(name).toBe('Bob');
  expect(_id).not.toBe(bob.id);
});

test('deletions stay in the trash, without the name', async () => {
  const team = await aTeam(at.ada);
  const { query } = await aWorkspace(at.ada, team);
  const bob = await anInvitedMember(team, 'member');
  const { id } = await anItem(bob, query);
  await ok(bob.delete(`/collections/${id}`));
  await erasePerson(bob);
  expect(await ok(at.ada.get(`/collections/trash${query}`))).toMatchObject([
    { id, deletedBy: { _id: bob.id, name: 'Erased' } },
  ]);
  await ok(at.ada.post(`/collections/trash/${id}/restore`, {}));
});

test('versions of pages stay, without the name; the items keep the id', async () => {
  const team = await aTeam(at.ada);
  const { query } = await aWorkspace(at.ada, team);
  const bob = await anInvitedMember(team, 'member');
  const page = { object: 'item', content: { by: 'Bob' } };
  const { id } = await anItem(bob, query, page);
  await ok(at.ada.put(`/collections/${id}`, { content: { by: 'Ada' } }));
  await erasePerson(bob);
  const path = `/collections/${id}`;
  expect(await ok(at.ada.get(`${path}/versions`))).toMatchObject([
    { by: { _id: bob.id, name: 'Erased' } },
  ]);
  expect(await ok(at.ada.get(`${path}/versions/1`))).toMatchObject({ content: { by: 'Bob' } });
  expect(await ok(at.ada.get(path))).toMatchObject({ createdBy: bob.id, updatedBy: at.ada.id });
});

test('the next token makes a new person, in another process at once', async () => {
  const bob = await someone(at, 'Bob');
  await erasePerson(bob);
  const other = await startService({}, at.databaseUrl);
  const { _id, name } = await ok<MemberBody>(other.as(bob.person).get('/me'));
  await other.stop();
  expect(name).toBe('Bob');
  expect(_id).not.toBe(bob.id);
});
