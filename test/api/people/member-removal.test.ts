import { startService, type TestService } from '../../support/app.js';
import { aTeam, aWorkspace, ok, type TeamBody } from '../../support/builders.js';
import { assertInvariants } from '../../support/invariants.js';
import { aMember, type Known, rolesIn, someone } from '../../support/members.js';

let service: TestService;
let owner: Known;
let team: string;
let path: string;
beforeAll(async () => {
  service = await startService();
  owner = await someone(service, 'Owner');
});
beforeEach(async () => {
  team = await aTeam(owner.caller);
  path = `/teams/${team}`;
});
afterAll(async () => {
  await assertInvariants(service.databaseUrl);
  await service.stop();
});

const join = (role: string) => aMember(service, owner.caller, team, role);
const remove = (by: Known, whom: Known) => by.caller.delete(`${path}/members`, { userId: whom.id });

describe('DELETE /teams/{team_slug}/members', () => {
  test('200: gone with all workspace roles, shut out on the very next request', async () => {
    const member = await join('member');
    const open = await aWorkspace(owner.caller, team);
    const secret = await aWorkspace(owner.caller, team, { visibility: 'private' });
    const { email } = member.person;
    for (const workspace of [open, secret]) {
      await ok(owner.caller.post(`${workspace.path}/members`, [{ email, role: 'editor' }]));
      await ok(member.caller.post(`/collections${workspace.query}`, { name: 'mine' }));
    }
    await remove(owner, member).expect(200, { message: 'The member was removed from the team.' });
    for (const workspace of [open, secret]) {
      await member.caller.post(`/collections${workspace.query}`, { name: 'again' }).expect(403);
      expect(await rolesIn(owner.caller, workspace.path)).toEqual({ [owner.id]: 'editor' });
    }
    await member.caller.get(path).expect(403);
    const { usage } = await ok<TeamBody>(owner.caller.get(path));
    expect(usage).toMatchObject({ users: 1 });
  });

  test('200: everyone may leave, guests too', async () => {
    for (const role of ['guest', 'member', 'moderator', 'owner']) {
      const known = await join(role);
      await remove(known, known).expect(200);
      await known.caller.get(path).expect(403);
    }
  });

  test('200: back in the team, the old workspace roles are not', async () => {
    const secret = await aWorkspace(owner.caller, team, { visibility: 'private' });
    const member = await join('member');
    const { email } = member.person;
    await ok(owner.caller.post(`${secret.path}/members`, [{ email, role: 'reader' }]));
    await ok(remove(owner, member));
    const { inviteCode } = await ok<TeamBody>(owner.caller.get(path));
    await ok(member.caller.post('/teams/join', { inviteCode }));
    await member.caller.get(secret.path).expect(404);
  });

  test('a private workspace passes to its longest-standing member', async () => {
    const [leaver, second, third] = [
      await join('member'),
      await join('guest'),
      await join('owner'),
    ];
    const secret = await aWorkspace(leaver.caller, team, { visibility: 'private' });
    for (const { person } of [second, third]) {
      const body = [{ email: person.email, role: 'reader' }];
      await ok(leaver.caller.post(`${secret.path}/members`, body));
    }
    await ok(remove(leaver, leaver));
    expect(await rolesIn(second.caller, secret.path)).toEqual({
      [second.id]: 'editor',
      [third.id]: 'reader',
    });
    await owner.caller.get(secret.path).expect(404);
  });

  test("without other members it passes to the team's longest-standing owner", async () => {
    const [leaver] = [await join('member'), await join('owner')];
    const secret = await aWorkspace(leaver.caller, team, { visibility: 'private' });
    const open = await aWorkspace(leaver.caller, team);
    await ok(remove(owner, leaver));
    expect(await rolesIn(owner.caller, secret.path)).toEqual({ [owner.id]: 'editor' });
    expect(await rolesIn(owner.caller, open.path)).toEqual({});
  });

  test('where the longest-standing owner leaves, the next one inherits', async () => {
    const next = await join('owner');
    const secret = await aWorkspace(owner.caller, team, { visibility: 'private' });
    await ok(remove(owner, owner));
    expect(await rolesIn(next.caller, secret.path)).toEqual({ [next.id]: 'editor' });
  });

  test('400 without a body, and for an unknown property', async () => {
    await owner.caller.delete(`${path}/members`).expect(400);
    await owner.caller.delete(`${path}/members`, { userId: 'x', role: 'guest' }).expect(400);
  });

  test('403: only people below the moderator, and nobody for members and guests', async () => {
    const [moderator, peer, member, guest] = [
      await join('moderator'),
      await join('moderator'),
      await join('member'),
      await join('guest'),
    ];
    await remove(moderator, owner).expect(403);
    await remove(moderator, peer).expect(403);
    await remove(member, guest).expect(403);
    await remove(guest, member).expect(403);
    await remove(moderator, member).expect(200);
    await remove(moderator, guest).expect(200);
    await remove(member, member).expect(403);
  });

  test('404 for someone who is not in the team', async () => {
    await remove(owner, await someone(service)).expect(404);
    await owner.caller.delete(`${path}/members`, { userId: 'nobody' }).expect(404);
  });

  test('409 for the last owner', async () => {
    await join('moderator');
    await remove(owner, owner).expect(409);
    await owner.caller.get(path).expect(200);
  });
});
