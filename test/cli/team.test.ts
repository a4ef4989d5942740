import jwt from 'jsonwebtoken';
import { SECRET, somebody } from '../support/app.js';
import { aTeam, aWorkspace, ok, type TeamBody } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { assertInvariants } from '../support/invariants.js';
import { holdLock } from '../support/locks.js';
import {
  aMember,
  anInvite,
  codeOf,
  type MemberBody,
  rolesIn,
  someone,
} from '../support/members.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

// Set-up takes long on a machine that has other things to do.

describe('member add', () => {
  const ISSUER = 'https://id.example.com';

  const at = scene({ env: { PLAN_LIMITS: '{"free":{"users":3}}' }, verify: true });

  const add = (team: string, subject: string, ...more: string[]) =>
    runCommand(
      ['member', 'add', '--team', team, '--issuer', ISSUER, '--subject', subject, ...more],
      {
        DATABASE_URL: at.databaseUrl,
        PLAN_LIMITS: '{"free":{"users":3}}',
      },
    );

  /** Calls as a service: without an email. */
  const asService = (subject: string) => {
    const claims = { sub: subject, client_id: subject, iss: ISSUER };
    return at.with(`Bearer ${jwt.sign(claims, SECRET, { expiresIn: 600 })}`);
  };

  const membersOf = async (team: string): Promise<MemberBody[]> =>
    (await ok<{ users: MemberBody[] }>(at.ada.get(`/teams/${team}/members`))).users;

  test('a service that nobody has seen is let in before its first request', async () => {
    const team = await aTeam(at.ada);
    const added = await add(team, 'ci-bot', '--name', 'Continuous integration');
    expect(added).toEqual({ status: 0, output: `ci-bot is in ${team} now, as member.\n` });

    const before = (await membersOf(team)).find(({ name }) => name === 'Continuous integration');
    expect(before).toMatchObject({ role: 'member', email: `${before?._id}@service.invalid` });
    const record = 'SELECT email_verified FROM users WHERE id = $1';
    expect(await sql(at.databaseUrl, record, [before?._id])).toEqual([{ email_verified: false }]);
    const seen = await ok<TeamBody>(asService('ci-bot').get(`/teams/${team}`));
    expect(seen.usage.users).toBe(2);
    // From then on it is called what its tokens say.
    expect((await membersOf(team)).find(({ _id }) => _id === before?._id)?.name).toBe('ci-bot');
  });

  test('somebody who is recorded stays as recorded', async () => {
    const bob = await someone(at, 'Bob');
    const team = await aTeam(at.ada);
    const args = [
      '--team',
      team,
      '--issuer',
      '',
      '--subject',
      bob.person.sub,
      '--role',
      'moderator',
    ];
    const { status, output } = await runCommand(['member', 'add', ...args, '--name', 'X'], {
      DATABASE_URL: at.databaseUrl,
    });
    expect(output).toBe(`${bob.person.sub} is in ${team} now, as moderator.\n`);
    expect(status).toBe(0);
    const member = (await membersOf(team)).find(({ _id }) => _id === bob.id);
    expect(member).toMatchObject({ name: 'Bob', email: bob.person.email, role: 'moderator' });
  });

  test('a member keeps the role, unless --change-role is given', async () => {
    const team = await aTeam(at.ada);
    await add(team, 'robot', '--role', 'guest');
    expect(await add(team, 'robot', '--role', 'guest')).toEqual({
      status: 0,
      output: `robot is in ${team} already, as guest.\n`,
    });
    expect(await add(team, 'robot', '--role', 'owner')).toEqual({
      status: 1,
      output: `robot is in ${team} already, as guest; --change-role makes that owner.\n`,
    });
    expect(await add(team, 'robot', '--role', 'owner', '--change-role')).toEqual({
      status: 0,
      output: `robot is in ${team} as owner now, and was guest.\n`,
    });
    expect(Object.values(await rolesIn(at.ada, `/teams/${team}`))).toEqual(['owner', 'owner']);
  });

  test('the last owner cannot be made less', async () => {
    const team = await aTeam(at.ada);
    const args = ['--team', team, '--issuer', '', '--subject', at.ada.person.sub, '--change-role'];
    const { status, output } = await runCommand(['member', 'add', ...args], {
      DATABASE_URL: at.databaseUrl,
    });
    expect(output).toBe(
      `Nothing was changed in ${team}: a team needs an owner: make someone else one first.\n`,
    );
    expect(status).toBe(1);
    expect(await rolesIn(at.ada, `/teams/${team}`)).toEqual({ [at.ada.id]: 'owner' });
  });

  test("the plan's limit of users holds", async () => {
    const team = await aTeam(at.ada);
    await add(team, 'first');
    await add(team, 'second');
    const refused = await add(team, 'third');
    expect(refused).toEqual({
      status: 1,
      output: `Nothing was changed in ${team}: the free plan's limit of 3 users (limit.users) is reached: remove some users or change the plan.\n`,
    });
    // Nothing of the third is left, not even a record.
    const rows = await sql(at.databaseUrl, "SELECT 1 FROM users WHERE subject = 'third'");
    expect(rows).toEqual([]);
  });

  test('an unknown team is told', async () => {
    expect(await add('nobody-has-this', 'robot')).toEqual({
      status: 1,
      output: 'There is no team with the slug "nobody-has-this".\n',
    });
  });
});

describe('team delete', () => {
  const at = scene({ verify: true });

  /** A team with something of everything; returns its slug and id. */
  async function aFullTeam(): Promise<{ slug: string; id: string }> {
    const slug = await aTeam(at.ada);
    await aMember(at, slug, 'guest');
    await anInvite(at.ada, slug, somebody().email);
    const { path } = await aWorkspace(at.ada, slug, { visibility: 'private' });
    const items = [{ name: 'Guides', children: [{ object: 'item' }, { object: 'item' }] }];
    await ok(at.ada.post(`${path}/collections/batch`, { items }));
    const { _id } = await ok<{ _id: string }>(at.ada.get(`/teams/${slug}`));
    return { slug, id: _id };
  }

  const deleteTeam = (...args: string[]) =>
    runCommand(['team', 'delete', ...args], { DATABASE_URL: at.databaseUrl });

  const HAS = '2 members, 1 pending invite, 1 workspace, 1 collection and 2 pages';

  /** How many rows name the team, in any table. */
  async function rowsOf(id: string): Promise<number> {
    const tables = [
      'team_usage',
      'team_members',
      'team_invites',
      'workspaces',
      'workspace_members',
    ];
    const counts = [...tables, 'collections', 'tree_changes', 'mail_sends'].map(
      (table) => `SELECT count(*)::int AS rows FROM ${table} WHERE team_id = $1`,
    );
    const all = [...counts, 'SELECT count(*)::int AS rows FROM teams WHERE id = $1'];
    const rows = await sql<{ rows: number }>(at.databaseUrl, all.join(' UNION ALL '), [id]);
    return rows.reduce((sum, row) => sum + row.rows, 0);
  }

  test('a team goes with all that is in it, and the people stay', async () => {
    const { slug, id } = await aFullTeam();
    const kept = await aFullTeam();
    const before = await rowsOf(kept.id);
    // A mail of an invite that waits to be sent.
    await sql(
      at.databaseUrl,
      `INSERT INTO mail_outbox (id, invite_id)
     SELECT gen_random_uuid(), id FROM team_invites WHERE state = 'pending' AND team_id = ANY($1)`,
      [[id, kept.id]],
    );
    await sql(
      at.databaseUrl,
      `INSERT INTO mail_sends (id, team_id, address, sender_id)
     SELECT gen_random_uuid(), $1, 'bob@example.com', $1`,
      [id],
    );
    expect(await deleteTeam(slug, '--yes')).toEqual({
      status: 0,
      output: expect.stringContaining(
        `Team (${slug}) has ${HAS}.\nDeleted the team ${slug}, with ${HAS}. Id ${id}, 20`,
      ),
    });
    expect(await rowsOf(id)).toBe(0);
    expect(await rowsOf(kept.id)).toBe(before);
    expect(await sql(at.databaseUrl, 'SELECT 1 FROM mail_outbox')).toHaveLength(1);
    expect((await at.ada.get(`/teams/${slug}`)).status).toBe(404);
    expect((await ok<{ _id: string }>(at.ada.get('/me')))._id).toBe(at.ada.id);
    expect(await deleteTeam(slug, '--yes')).toEqual({
      status: 1,
      output: `There is no team with the slug "${slug}".\n`,
    });
  });

  test('writers who are at work meanwhile finish, or find it gone', async () => {
    const slug = await aTeam(at.ada);
    const { path } = await aWorkspace(at.ada, slug);
    const write = () => at.ada.post(`${path}/collections`, { name: 'x', object: 'item' });
    const responses = Array.from({ length: 40 }, async () => (await write()).status);
    const { status } = await deleteTeam(slug, '--yes');
    expect(status).toBe(0);
    expect([200, 404]).toEqual(expect.arrayContaining([...new Set(await Promise.all(responses))]));
    await assertInvariants(at.databaseUrl);
  });

  /** Holds whoever writes to the team right before the end. */
  const holdCounters = (id: string) =>
    holdLock(at.databaseUrl, 'SELECT 1 FROM team_usage WHERE team_id = $1 FOR UPDATE', [id]);

  test('what it says went includes what a writer adds at this moment', async () => {
    const { slug, id } = await aFullTeam();
    const { path } = await aWorkspace(at.ada, slug);
    const lock = await holdCounters(id);
    const writing = at.ada
      .post(`${path}/collections`, { object: 'item' })
      .then(({ status }) => status);
    await lock.waiting(1);
    const deleting = deleteTeam(slug, '--yes');
    await lock.waiting(2);
    await lock.release();
    expect(await writing).toBe(200);
    expect((await deleting).output).toMatch(
      `Deleted the team ${slug}, with 2 members, 1 pending invite, 2 workspaces, 1 collection and 3 pages.`,
    );
  });

  test('what it says went includes who joins at this moment', async () => {
    const { slug, id } = await aFullTeam();
    const bob = await someone(at, 'Bob');
    const inviteCode = await codeOf(at.ada, slug);
    const lock = await holdCounters(id);
    const joining = bob.post('/teams/join', { inviteCode }).then(({ status }) => status);
    await lock.waiting(1);
    const deleting = deleteTeam(slug, '--yes');
    await lock.waiting(2);
    await lock.release();
    expect(await joining).toBe(200);
    expect((await deleting).output).toMatch(`Deleted the team ${slug}, with 3 members, `);
  });
});
