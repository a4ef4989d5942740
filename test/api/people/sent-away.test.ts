import { somebody } from '../../support/app.js';
import { aTeam, aWorkspace, ok } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import {
  aMember,
  anInvite,
  claiming,
  codeOf,
  type InviteBody,
  type Known,
  someone,
  type TeamRole,
} from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ each: 'team', verify: true });
const path = () => `/teams/${at.team}`;

const join = (role: TeamRole) => aMember(at, at.team, role);
const remove = (by: Known, whom: Known) => ok(by.delete(`${path()}/members`, { userId: whom.id }));
const give = (by: Known, whom: Known, role: string) =>
  ok(by.put(`${path()}/members`, { userId: whom.id, role }));
const command = (...args: string[]) =>
  runCommand(args, { DATABASE_URL: at.databaseUrl, AUTH_ISSUER: '' });

/** An invite that `sender` sends to somebody new, who has not answered it yet. */
async function invitedBy(sender: Known, role = 'member', team = at.team) {
  const invited = await someone(at, 'Invited');
  const invite = await anInvite(sender, team, invited.person.email, role);
  const accept = async () => (await invited.post(`/invites/${invite._id}/accept`)).status;
  return { invite, accept };
}

const pending = async () =>
  (await ok<{ users: InviteBody[] }>(at.ada.get(`${path()}/invites`))).users;

/** The statuses of an attempt to come back by the code that was known before `away`. */
async function backByCode(known: Known, away: () => Promise<unknown>): Promise<number> {
  const inviteCode = await codeOf(at.ada, at.team);
  await away();
  return (await known.post('/teams/join', { inviteCode })).status;
}

describe('who is removed by another', () => {
  test('does not come back by the code that they knew; the new one opens the team', async () => {
    for (const role of ['guest', 'member', 'moderator', 'owner'] as const) {
      const known = await join(role);
      expect(await backByCode(known, () => remove(at.ada, known))).toBe(404);
    }
    const known = await someone(at);
    const inviteCode = await codeOf(at.ada, at.team);
    await ok(known.post('/teams/join', { inviteCode }));
  });

  test('by a moderator, too', async () => {
    const [moderator, member] = [await join('moderator'), await join('member')];
    expect(await backByCode(member, () => remove(moderator, member))).toBe(404);
  });

  test('leaves no invite behind, whatever its role; those of others stay', async () => {
    const other = await join('owner');
    const [first, second] = [await invitedBy(other, 'owner'), await invitedBy(other, 'guest')];
    const kept = await invitedBy(at.ada, 'owner');
    await remove(at.ada, other);
    expect(await pending()).toEqual([kept.invite]);
    expect([await first.accept(), await second.accept()]).toEqual([404, 404]);
    expect(await kept.accept()).toBe(200);
  });

  test('an invite of theirs that somebody else has renewed stays', async () => {
    const moderator = await join('moderator');
    const { invite, accept } = await invitedBy(moderator);
    await anInvite(at.ada, at.team, invite.email, 'guest');
    await remove(at.ada, moderator);
    expect(await accept()).toBe(200);
  });

  test('does not come back by an invite that they had not answered', async () => {
    const bob = await someone(at, 'Bob');
    const invite = await anInvite(at.ada, at.team, bob.person.email, 'owner');
    const inviteCode = await codeOf(at.ada, at.team);
    await ok(bob.post('/teams/join', { inviteCode }));
    // The letter case of the token makes no other address of it.
    await ok(claiming(at, bob.person, { email: bob.person.email.toUpperCase() }).get('/me'));
    await remove(at.ada, bob);
    await bob.post(`/invites/${invite._id}/accept`).expect(404);
    expect(await pending()).toEqual([]);
  });

  test('an invite to an address that their token only claims stays', async () => {
    const { invite, accept } = await invitedBy(at.ada);
    const claimant = claiming(
      at,
      { ...somebody('Eve'), email: invite.email },
      { email_verified: false },
    );
    await ok(claimant.post('/teams/join', { inviteCode: await codeOf(at.ada, at.team) }));
    const { _id: userId } = await ok<{ _id: string }>(claimant.get('/me'));
    await ok(at.ada.delete(`${path()}/members`, { userId }));
    expect(await accept()).toBe(200);
  });

  test('can be invited again', async () => {
    const bob = await join('member');
    await remove(at.ada, bob);
    const { _id } = await anInvite(at.ada, at.team, bob.person.email, 'guest');
    await ok(bob.post(`/invites/${_id}/accept`));
  });
});

describe('who is demoted by another', () => {
  test('does not come back to a higher role by the code', async () => {
    const member = await join('member');
    const code = await codeOf(at.ada, at.team);
    await give(at.ada, member, 'guest');
    await remove(member, member);
    await member.post('/teams/join', { inviteCode: code }).expect(404);
  });

  test('loses the invites that they could not send any more, and keeps the others', async () => {
    const other = await join('owner');
    const sent = {
      owner: await invitedBy(other, 'owner'),
      moderator: await invitedBy(other, 'moderator'),
      member: await invitedBy(other, 'member'),
    };
    await give(at.ada, other, 'moderator');
    expect(await sent.owner.accept()).toBe(404);
    expect(await sent.moderator.accept()).toBe(404);
    expect(await pending()).toEqual([sent.member.invite]);
    await give(at.ada, other, 'member');
    expect(await sent.member.accept()).toBe(404);
  });

  test('does not regain a role by an invite that they had not answered', async () => {
    const bob = await someone(at, 'Bob');
    const invite = await anInvite(at.ada, at.team, bob.person.email, 'owner');
    const inviteCode = await codeOf(at.ada, at.team);
    await ok(bob.post('/teams/join', { inviteCode }));
    await give(at.ada, bob, 'guest');
    await remove(bob, bob);
    await bob.post(`/invites/${invite._id}/accept`).expect(404);
  });

  test('by the command line, too', async () => {
    const moderator = await join('moderator');
    const { accept } = await invitedBy(moderator);
    const { sub } = moderator.person;
    const demote = async () => {
      const args = ['--team', at.team, '--issuer', '', '--subject', sub, '--role', 'guest'];
      expect((await command('member', 'add', ...args, '--change-role')).status).toBe(0);
      await remove(moderator, moderator);
    };
    expect(await backByCode(moderator, demote)).toBe(404);
    expect(await accept()).toBe(404);
  });
});

describe('who goes, or steps down, by choice', () => {
  test('leaves the invites good, and the code as it is', async () => {
    const other = await join('owner');
    const { accept } = await invitedBy(other, 'owner');
    const code = await codeOf(at.ada, at.team);
    await give(other, other, 'moderator');
    await remove(other, other);
    expect(await codeOf(at.ada, at.team)).toBe(code);
    expect(await accept()).toBe(200);
  });

  test('a promotion, or the same role again, changes neither', async () => {
    const moderator = await join('moderator');
    const { accept } = await invitedBy(moderator);
    const code = await codeOf(at.ada, at.team);
    await give(at.ada, moderator, 'moderator');
    await give(at.ada, moderator, 'owner');
    expect(await codeOf(at.ada, at.team)).toBe(code);
    expect(await accept()).toBe(200);
  });
});

test('who is erased leaves no invite behind, also where they had left; the code is renewed', async () => {
  const other = await someone(at, 'Other');
  const own = await anInvite(at.ada, at.team, other.person.email, 'owner');
  await ok(other.post(`/invites/${own._id}/accept`));
  const here = await invitedBy(other, 'owner');
  const code = await codeOf(at.ada, at.team);
  const second = await aTeam(at.ada);
  const again = await anInvite(at.ada, second, other.person.email, 'owner');
  await ok(other.post(`/invites/${again._id}/accept`));
  const there = await invitedBy(other, 'owner', second);
  await ok(other.delete(`/teams/${second}/members`, { userId: other.id }));
  const args = ['--issuer', '', '--subject', other.person.sub];
  expect((await command('erase', ...args)).output).toMatch('gone: 1 membership, 4 invites,');
  expect([await here.accept(), await there.accept()]).toEqual([404, 404]);
  expect(await codeOf(at.ada, at.team)).not.toBe(code);
});

describe('giving up a workspace role of one’s own', () => {
  /** Somebody in the team who has been made a reader of a workspace. */
  async function reader(teamRole: TeamRole, settings: object = {}) {
    const known = await join(teamRole);
    const workspace = await aWorkspace(at.ada, at.team, settings);
    const body = [{ email: known.person.email, role: 'reader' }];
    await ok(at.ada.post(`${workspace.path}/members`, body));
    const giveUp = async () =>
      (await known.delete(`${workspace.path}/members`, { userId: known.id })).status;
    const write = async () => (await known.post(`/collections${workspace.query}`)).status;
    return { known, workspace, giveUp, write };
  }

  test('403 where it would widen the access: a reader stays one', async () => {
    const { known, workspace, giveUp, write } = await reader('member');
    const answer = await known.delete(`${workspace.path}/members`, { userId: known.id });
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      'without the role reader you could do more in this workspace: ask one of its editors to remove it',
    ]);
    expect(await write()).toBe(403);
    await ok(at.ada.put(workspace.path, { defaultAccess: 'read-only' }));
    expect(await giveUp()).toBe(200);
  });

  test('200 where it widens nothing', async () => {
    const settings = [
      ['member', { visibility: 'private' }],
      ['guest', {}],
      ['member', { defaultAccess: 'read-only' }],
    ] as const;
    for (const [role, given] of settings) {
      const { giveUp, write } = await reader(role, given);
      expect(await giveUp()).toBe(200);
      expect(await write()).not.toBe(200);
    }
  });

  test('200 for an editor, and for who manages the workspace', async () => {
    const moderator = await reader('moderator');
    expect([await moderator.giveUp(), await moderator.write()]).toEqual([200, 200]);
    const member = await join('member');
    const { path: own } = await aWorkspace(member, at.team);
    await ok(member.delete(`${own}/members`, { userId: member.id }));
  });

  test('200 where somebody else takes the role away', async () => {
    const { known, workspace, write } = await reader('member');
    await ok(at.ada.delete(`${workspace.path}/members`, { userId: known.id }));
    expect(await write()).toBe(200);
  });

  test('404 without a role, and where the workspace is hidden', async () => {
    const member = await join('member');
    const open = await aWorkspace(at.ada, at.team);
    const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    for (const workspace of [open, hidden]) {
      const { status } = await member.delete(`${workspace.path}/members`, {
        userId: member.id,
      });
      expect(status).toBe(404);
    }
  });
});
