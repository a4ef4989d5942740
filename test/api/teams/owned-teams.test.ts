import { aTeam, freshSlug, ok } from '../../support/builders.js';
import { holdLock } from '../../support/locks.js';
import { anInvite, codeOf, type Known, someone } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const LIMIT = 3;
const REACHED = 'a person can own at most 3 teams: make somebody else an owner of one and leave it';

const at = scene({ env: { TEAMS_PER_OWNER: String(LIMIT) } });
let ada: Known;
let other: Known;
beforeEach(async () => {
  ada = await someone(at);
  other = await someone(at, 'Other');
});

const create = () => ada.post('/teams', { name: 'Team', slug: freshSlug() });
/** Teams that ada owns. */
const owned = async (count: number): Promise<string[]> => {
  const slugs: string[] = [];
  while (slugs.length < count) slugs.push(await aTeam(ada));
  return slugs;
};
const ownedRows = async () =>
  (
    await sql(at.databaseUrl, "SELECT FROM team_members WHERE user_id = $1 AND role = 'owner'", [
      ada.id,
    ])
  ).length;
const answer = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
  status,
  body.error?.message,
];

/** Makes ada a member of a team of somebody else. @returns asks to make her an owner of it */
async function promotion() {
  const team = await aTeam(other);
  const inviteCode = await codeOf(other, team);
  await ok(ada.post('/teams/join', { inviteCode }));
  return () => other.put(`/teams/${team}/members`, { userId: ada.id, role: 'owner' });
}

/** An invite that makes ada an owner. */
async function invitation() {
  const invite = await anInvite(other, await aTeam(other), ada.person.email, 'owner');
  return () => ada.post(`/invites/${invite._id}/accept`);
}

test('403 for one team more than a person may own, with the bound in the message', async () => {
  await owned(LIMIT);
  expect(answer(await create())).toEqual([403, REACHED]);
  expect(await ownedRows()).toBe(LIMIT);
});

test('teams of others, in any role below owner, do not count', async () => {
  await owned(LIMIT - 1);
  await promotion();
  await create().expect(200);
});

test('403 for accepting an invite as owner; the invite stays, and room lets it in', async () => {
  const [first] = await owned(LIMIT);
  const accept = await invitation();
  expect(answer(await accept())).toEqual([403, REACHED]);
  const invite = await anInvite(ada, first as string, other.person.email, 'owner');
  await ok(other.post(`/invites/${invite._id}/accept`));
  await ok(ada.delete(`/teams/${first}/members`, { userId: ada.id }));
  await accept().expect(200);
});

test('403 for making somebody an owner who owns that many; an owner stays one', async () => {
  const [first] = await owned(LIMIT);
  const promote = await promotion();
  expect(answer(await promote())).toEqual([403, REACHED]);
  const same = { userId: ada.id, role: 'owner' };
  await ada.put(`/teams/${first}/members`, same).expect(200);
  expect(await ownedRows()).toBe(LIMIT);
});

test('404 for making somebody an owner who is not in the team', async () => {
  const team = await aTeam(other);
  for (const userId of [ada.id, 'nobody']) {
    await other.put(`/teams/${team}/members`, { userId, role: 'owner' }).expect(404);
  }
});

test.each(['create', 'accept', 'promote'])(
  'two ways at once to the last team: one of them, create and %s',
  async (way) => {
    await owned(LIMIT - 1);
    const ways = { create: async () => create, accept: invitation, promote: promotion };
    const second = await ways[way as keyof typeof ways]();
    const lock = await holdLock(at.databaseUrl, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [
      ada.id,
    ]);
    const requests = [create(), second()].map((request) => Promise.resolve(request));
    await lock.waiting(2);
    await lock.release();
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 403]);
    expect(await ownedRows()).toBe(LIMIT);
  },
);

test('20 at once: exactly as many as may be', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, create));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  expect(await ownedRows()).toBe(LIMIT);
});
