import { jest } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { SECRET } from '../support/app.js';
import { aTeam, ok, type TeamBody } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { type MemberBody, rolesIn, someone } from '../support/members.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

const ISSUER = 'https://id.example.com';

// Set-up and processes take long on a machine that has other things to do.
jest.setTimeout(120_000);

const at = scene({ env: { PLAN_LIMITS: '{"free":{"users":3}}' }, verify: 'end' });

const add = (team: string, subject: string, ...more: string[]) =>
  runCommand(['member', 'add', '--team', team, '--issuer', ISSUER, '--subject', subject, ...more], {
    DATABASE_URL: at.databaseUrl,
    PLAN_LIMITS: '{"free":{"users":3}}',
  });

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
  const seen = await ok<TeamBody>(asService('ci-bot').get(`/teams/${team}`));
  expect(seen.usage.users).toBe(2);
  // From then on it is called what its tokens say.
  expect((await membersOf(team)).find(({ _id }) => _id === before?._id)?.name).toBe('ci-bot');
});

test('somebody who is recorded stays as recorded', async () => {
  const bob = await someone(at, 'Bob');
  const team = await aTeam(at.ada);
  const args = ['--team', team, '--issuer', '', '--subject', bob.person.sub, '--role', 'moderator'];
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
    `Nothing was changed in ${team}: a team needs an owner: make somebody else one first.\n`,
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
