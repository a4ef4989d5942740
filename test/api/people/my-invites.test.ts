import { type Caller, somebody } from '../../support/app.js';
import { aTeam, ok, type TeamBody } from '../../support/builders.js';
import {
  anInvite,
  claiming,
  codeOf,
  type InviteBody,
  type Known,
  rolesIn,
  someone,
} from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ env: { PLAN_LIMITS: '{"free":{"users":3}}' }, each: 'team' });
let bob: Known;
beforeEach(async () => {
  bob = await someone(at, 'Bob');
});

const invited = (role = 'member') => anInvite(at.ada, at.team, bob.person.email, role);
const expire = (invite: InviteBody) =>
  sql(at.databaseUrl, 'UPDATE team_invites SET expires_at = now() WHERE id = $1', [invite._id]);
const answer = (by: Known, invite: { _id: string }, what = 'accept') =>
  by.post(`/invites/${invite._id}/${what}`);
const mine = async (by: Caller = bob) =>
  (await ok<{ users: InviteBody[] }>(by.get('/invites'))).users;

describe('GET /invites', () => {
  test('200: those that can be accepted, by email in any letter case', async () => {
    const invite = await anInvite(at.ada, at.team, bob.person.email.toUpperCase(), 'guest');
    const expired = await anInvite(at.ada, await aTeam(at.ada), bob.person.email);
    await expire(expired);
    expect(await mine()).toEqual([invite]);
    expect(await mine(await someone(at))).toEqual([]);
  });

  test('200: none where the email is not verified', async () => {
    await invited();
    expect(await mine(claiming(at, bob.person, { email_verified: false }))).toEqual([]);
  });
});

describe('POST /invites/{invite_id}/accept', () => {
  test('200: the team, as the new member sees it', async () => {
    const invite = await invited('guest');
    const { body } = await answer(bob, invite).expect(200);
    expect(body).toMatchObject({
      meta: { slug: at.team },
      role: 'guest',
      membersCount: 2,
      usage: { users: 2 },
      inviteCode: '',
    });
    expect(await mine()).toEqual([]);
    const { body: list } = await at.ada.get(`/teams/${at.team}/invites`);
    expect(list).toEqual({ users: [] });
  });

  test('200: a renewed one, with the new role', async () => {
    await expire(await invited('guest'));
    const { body } = await answer(bob, await invited('moderator')).expect(200);
    expect(body.role).toBe('moderator');
    expect(body.inviteCode).toHaveLength(24);
  });

  test('403 where the email is not verified', async () => {
    const invite = await invited();
    const unverified = claiming(at, bob.person, { email_verified: false });
    await unverified.post(`/invites/${invite._id}/accept`).expect(403);
    await unverified.post(`/invites/${invite._id}/decline`).expect(403);
    await answer(bob, invite).expect(200);
  });

  test('403 at the limit of the plan, and the invite is still there', async () => {
    const invite = await invited();
    const inviteCode = await codeOf(at.ada, at.team);
    const others = [await someone(at), await someone(at)];
    for (const other of others) await ok(other.post('/teams/join', { inviteCode }));
    const { body } = await answer(bob, invite).expect(403);
    expect(body.error.message).toMatch(/limit of 3 users/);
    const invites = [{ email: somebody().email, role: 'guest' }];
    await at.ada.post(`/teams/${at.team}/invites`, { invites }).expect(403);
    const userId = others[0]?.id;
    await ok(at.ada.delete(`/teams/${at.team}/members`, { userId }));
    await answer(bob, invite).expect(200);
  });

  test("404: somebody else's, revoked, declined, unknown, no id", async () => {
    const invite = await invited();
    await answer(await someone(at), invite).expect(404);
    await answer(at.ada, invite).expect(404);
    await ok(answer(bob, invite, 'decline'));
    await answer(bob, invite).expect(404);
    const second = await invited();
    await ok(at.ada.delete(`/teams/${at.team}/invites/${second._id}`));
    await answer(bob, second).expect(404);
    await answer(bob, { _id: at.ada.id }).expect(404);
    await answer(bob, { _id: 'nothing' }).expect(404);
  });

  test('409: accepted already, also after having left', async () => {
    const invite = await invited();
    await ok(answer(bob, invite));
    await answer(bob, invite).expect(409);
    await ok(bob.delete(`/teams/${at.team}/members`, { userId: bob.id }));
    await answer(bob, invite).expect(409);
  });

  test('409: a member already; the role stays', async () => {
    const invite = await invited('owner');
    const inviteCode = await codeOf(at.ada, at.team);
    await ok(bob.post('/teams/join', { inviteCode }));
    await answer(bob, invite).expect(409);
    expect((await rolesIn(at.ada, `/teams/${at.team}`))[bob.id]).toBe('member');
  });

  test('410 when it has expired', async () => {
    const invite = await invited();
    await expire(invite);
    const { body } = await answer(bob, invite).expect(410);
    expect(body.error.code).toBe('invite_expired');
    await answer(await someone(at), invite).expect(404);
  });
});

describe('POST /invites/{invite_id}/decline', () => {
  test('200, and then 404', async () => {
    const invite = await invited();
    await answer(bob, invite, 'decline').expect(200, { message: 'The invite was declined.' });
    await answer(bob, invite, 'decline').expect(404);
  });

  test("404: somebody else's; 409: accepted; 410: expired", async () => {
    const invite = await invited();
    await answer(at.ada, invite, 'decline').expect(404);
    await ok(answer(bob, invite));
    await answer(bob, invite, 'decline').expect(409);
    const expired = await anInvite(at.ada, await aTeam(at.ada), bob.person.email);
    await expire(expired);
    await answer(bob, expired, 'decline').expect(410);
  });
});

describe('POST /teams/join', () => {
  test('200: as a member', async () => {
    const inviteCode = await codeOf(at.ada, at.team);
    const { body } = await bob.post('/teams/join', { inviteCode }).expect(200);
    expect(body).toMatchObject({ role: 'member', membersCount: 2, meta: { slug: at.team } });
  });

  test('400 names the field', async () => {
    for (const inviteCode of [undefined, '', 'x'.repeat(25), 7, 'a\u0000b']) {
      const { body } = await bob.post('/teams/join', { inviteCode }).expect(400);
      expect(body.error.message).toMatch(/^inviteCode /);
    }
  });

  test('404 for an unknown code', () =>
    bob.post('/teams/join', { inviteCode: 'x'.repeat(24) }).expect(404));

  test('409 for a member', async () => {
    const inviteCode = await codeOf(at.ada, at.team);
    await at.ada.post('/teams/join', { inviteCode }).expect(409);
    await ok(bob.post('/teams/join', { inviteCode }));
    await bob.post('/teams/join', { inviteCode }).expect(409);
  });
});

describe('POST /teams/{team_slug}/invite-code', () => {
  test('200: another code, and the old one opens nothing', async () => {
    const inviteCode = await codeOf(at.ada, at.team);
    const renewed = await ok<TeamBody>(at.ada.post(`/teams/${at.team}/invite-code`));
    expect(renewed.inviteCode).toMatch(/^[\w-]{24}$/);
    expect(renewed.inviteCode).not.toBe(inviteCode);
    await bob.post('/teams/join', { inviteCode }).expect(404);
    await ok(bob.post('/teams/join', { inviteCode: renewed.inviteCode }));
  });

  test('403 below moderator', async () => {
    await ok(answer(bob, await invited('member')));
    await bob.post(`/teams/${at.team}/invite-code`).expect(403);
  });

  test('404 where there is no such team', () =>
    at.ada.post('/teams/no-such-team/invite-code').expect(404));
});
