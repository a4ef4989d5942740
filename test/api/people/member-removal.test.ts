import { aWorkspace, ok, type TeamBody } from '../../support/builders.js';
import { aMember, type Known, rolesIn, someone, type TeamRole } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ each: 'team', verify: 'end' });
const path = () => `/teams/${at.team}`;

const join = (role: TeamRole) => aMember(at, at.team, role);
const remove = (by: Known, whom: Known) => by.delete(`${path()}/members`, { userId: whom.id });

describe('DELETE /teams/{team_slug}/members', () => {
  test('200: gone with all workspace roles, shut out on the very next request', async () => {
    const member = await join('member');
    const open = await aWorkspace(at.ada, at.team);
    const secret = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const { email } = member.person;
    for (const workspace of [open, secret]) {
      await ok(at.ada.post(`${workspace.path}/members`, [{ email, role: 'editor' }]));
      await ok(member.post(`/collections${workspace.query}`, { name: 'mine' }));
    }
    await remove(at.ada, member).expect(200, { message: 'The member was removed from the team.' });
    for (const workspace of [open, secret]) {
      await member.post(`/collections${workspace.query}`, { name: 'again' }).expect(403);
      expect(await rolesIn(at.ada, workspace.path)).toEqual({ [at.ada.id]: 'editor' });
    }
    await member.get(path()).expect(403);
    const { usage } = await ok<TeamBody>(at.ada.get(path()));
    expect(usage).toMatchObject({ users: 1 });
  });

  test('200: everyone may leave, guests too', async () => {
    for (const role of ['guest', 'member', 'moderator', 'owner'] as const) {
      const known = await join(role);
      await remove(known, known).expect(200);
      await known.get(path()).expect(403);
    }
  });

  test('200: back in the team, the old workspace roles are not', async () => {
    const secret = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const member = await join('member');
    const { email } = member.person;
    await ok(at.ada.post(`${secret.path}/members`, [{ email, role: 'reader' }]));
    await ok(remove(at.ada, member));
    const { inviteCode } = await ok<TeamBody>(at.ada.get(path()));
    await ok(member.post('/teams/join', { inviteCode }));
    await member.get(secret.path).expect(404);
  });

  test('a private workspace passes to its longest-standing member', async () => {
    const [leaver, second, third] = [
      await join('member'),
      await join('guest'),
      await join('owner'),
    ];
    const secret = await aWorkspace(leaver, at.team, { visibility: 'private' });
    for (const { person } of [second, third]) {
      const body = [{ email: person.email, role: 'reader' }];
      await ok(leaver.post(`${secret.path}/members`, body));
    }
    await ok(remove(leaver, leaver));
    expect(await rolesIn(second, secret.path)).toEqual({
      [second.id]: 'editor',
      [third.id]: 'reader',
    });
    await at.ada.get(secret.path).expect(404);
  });

  test("without other members it passes to the team's longest-standing owner", async () => {
    const [leaver] = [await join('member'), await join('owner')];
    const secret = await aWorkspace(leaver, at.team, { visibility: 'private' });
    const open = await aWorkspace(leaver, at.team);
    await ok(remove(at.ada, leaver));
    expect(await rolesIn(at.ada, secret.path)).toEqual({ [at.ada.id]: 'editor' });
    expect(await rolesIn(at.ada, open.path)).toEqual({});
  });

  test('where the longest-standing owner leaves, the next one inherits', async () => {
    const next = await join('owner');
    const secret = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    await ok(remove(at.ada, at.ada));
    expect(await rolesIn(next, secret.path)).toEqual({ [next.id]: 'editor' });
  });

  test('400 without a body, and for an unknown property', async () => {
    await at.ada.delete(`${path()}/members`).expect(400);
    await at.ada.delete(`${path()}/members`, { userId: 'x', role: 'guest' }).expect(400);
  });

  test('403: only people below the moderator, and nobody for members and guests', async () => {
    const [moderator, peer, member, guest] = [
      await join('moderator'),
      await join('moderator'),
      await join('member'),
      await join('guest'),
    ];
    await remove(moderator, at.ada).expect(403);
    await remove(moderator, peer).expect(403);
    await remove(member, guest).expect(403);
    await remove(guest, member).expect(403);
    await remove(moderator, member).expect(200);
    await remove(moderator, guest).expect(200);
    await remove(member, member).expect(403);
  });

  test('404 for someone who is not in the team', async () => {
    await remove(at.ada, await someone(at)).expect(404);
    await at.ada.delete(`${path()}/members`, { userId: 'nobody' }).expect(404);
  });

  test('409 for the last owner', async () => {
    await join('moderator');
    await remove(at.ada, at.ada).expect(409);
    await at.ada.get(path()).expect(200);
  });
});
