import { aTeam, ok } from '../../support/builders.js';
import { aMember, claiming, rolesIn, someone, type TeamRole } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene();

/** A team with one of each role. */
async function peopled() {
  const team = await aTeam(at.ada);
  const join = (role: TeamRole) => aMember(at, team, role);
  const path = `/teams/${team}`;
  const [moderator, member, guest] = [
    await join('moderator'),
    await join('member'),
    await join('guest'),
  ];
  return { team, path, moderator, member, guest };
}

describe('GET /me', () => {
  test('200: the caller, as the token names them', async () => {
    const { person } = at.ada;
    const { body } = await at.ada.get('/me').expect(200);
    expect(body).toEqual({ _id: at.ada.id, name: 'Ada', email: person.email });
    const image = 'https://example.com/o.png';
    const pictured = claiming(at, person, { picture: image });
    expect((await pictured.get('/me')).body).toEqual({ ...body, image });
  });

  test('401 without a token', () => at.with(null).get('/me').expect(401));
});

describe('GET /teams/{team_slug}/members', () => {
  test('200: the longest-standing first', async () => {
    const { path, moderator, member, guest } = await peopled();
    const { body } = await member.get(`${path}/members`).expect(200);
    expect(body.users.map((user: { _id: string }) => user._id)).toEqual(
      [at.ada, moderator, member, guest].map(({ id }) => id),
    );
    const { email } = guest.person;
    expect(body.users[3]).toEqual({ _id: guest.id, name: 'guest', email, role: 'guest' });
  });

  test('403 for guests, and for those who are not in the team', async () => {
    const { path, guest } = await peopled();
    await guest.get(`${path}/members`).expect(403);
    const stranger = await someone(at);
    await stranger.get(`${path}/members`).expect(403);
  });

  test('404 where there is no such team', () =>
    at.ada.get('/teams/no-such-team/members').expect(404));
});

describe('PUT /teams/{team_slug}/members', () => {
  test('200: an owner gives anyone any role', async () => {
    const { path, moderator, guest } = await peopled();
    const { body } = await at.ada
      .put(`${path}/members`, { userId: guest.id, role: 'moderator' })
      .expect(200);
    expect(body).toEqual({ message: 'The role was changed.' });
    await ok(at.ada.put(`${path}/members`, { userId: moderator.id, role: 'owner' }));
    expect(await rolesIn(at.ada, path)).toMatchObject({
      [guest.id]: 'moderator',
      [moderator.id]: 'owner',
    });
  });

  test('200: a moderator changes roles below moderator', async () => {
    const { path, moderator, guest } = await peopled();
    await ok(moderator.put(`${path}/members`, { userId: guest.id, role: 'member' }));
    expect((await rolesIn(at.ada, path))[guest.id]).toBe('member');
  });

  test('400 names the field', async () => {
    const { path, guest } = await peopled();
    const put = async (body: object) => {
      const answer = await at.ada.put(`${path}/members`, body).expect(400);
      return answer.body.error.message as string;
    };
    expect(await put({ role: 'guest' })).toBe('userId is required');
    expect(await put({ userId: guest.id })).toBe('role is required');
    expect(await put({ userId: guest.id, role: 'admin' })).toMatch(/^role must be one of guest/);
    expect(await put({ userId: '', role: 'guest' })).toBe('userId must be at least 1 character');
    expect(await put({ userId: guest.id, role: 'guest', x: 1 })).toMatch(/^x is not a known/);
  });

  test('403: a moderator acts on nobody from moderator up, and grants no such role', async () => {
    const { path, moderator, member, guest } = await peopled();
    const put = (userId: string, role: string) =>
      moderator.put(`${path}/members`, { userId, role }).expect(403);
    await put(member.id, 'moderator');
    await put(guest.id, 'owner');
    await put(at.ada.id, 'guest');
    await put(moderator.id, 'guest');
    expect((await rolesIn(at.ada, path))[at.ada.id]).toBe('owner');
  });

  test('403 for members and guests', async () => {
    const { path, member, guest } = await peopled();
    for (const caller of [member, guest]) {
      await caller.put(`${path}/members`, { userId: guest.id, role: 'member' }).expect(403);
    }
  });

  test('404 for someone who is not in the team, and for what is no id', async () => {
    const { path } = await peopled();
    const stranger = await someone(at);
    for (const userId of [stranger.id, 'nobody', '\u0000', stranger.id.toUpperCase()]) {
      await at.ada.put(`${path}/members`, { userId, role: 'guest' }).expect(404);
    }
  });

  test('409 for the last owner', async () => {
    const { path } = await peopled();
    await at.ada.put(`${path}/members`, { userId: at.ada.id, role: 'member' }).expect(409);
    expect((await rolesIn(at.ada, path))[at.ada.id]).toBe('owner');
  });
});
