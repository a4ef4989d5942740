import { startService, type TestService } from '../../support/app.js';
import { aTeam, aWorkspace, ok } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import { assertInvariants } from '../../support/invariants.js';
import {
  aMember,
  anInvite,
  codeOf,
  type InviteBody,
  type Known,
  someone,
} from '../../support/members.js';

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
const remove = (by: Known, whom: Known) =>
  ok(by.caller.delete(`${path}/members`, { userId: whom.id }));
const give = (by: Known, whom: Known, role: string) =>
  ok(by.caller.put(`${path}/members`, { userId: whom.id, role }));
const command = (...args: string[]) =>
  runCommand(args, { DATABASE_URL: service.databaseUrl, AUTH_ISSUER: '' });

/** An invite that `sender` sends to somebody new, who has not answered it yet. */
async function invitedBy(sender: Known, role = 'member') {
  const invited = await someone(service, 'Invited');
  const invite = await anInvite(sender.caller, team, invited.person.email, role);
  const accept = async () => (await invited.caller.post(`/invites/${invite._id}/accept`)).status;
  return { invite, accept };
}

const pending = async () =>
  (await ok<{ users: InviteBody[] }>(owner.caller.get(`${path}/invites`))).users;

/** The statuses of an attempt to come back by the code that was known before `away`. */
async function backByCode(known: Known, away: () => Promise<unknown>): Promise<number> {
  const inviteCode = await codeOf(owner.caller, team);
  await away();
  return (await known.caller.post('/teams/join', { inviteCode })).status;
}

describe('who is removed by another', () => {
  test('does not come back by the code that they knew; the new one opens the team', async () => {
    for (const role of ['guest', 'member', 'moderator', 'owner']) {
      const known = await join(role);
      expect(await backByCode(known, () => remove(owner, known))).toBe(404);
    }
    const known = await someone(service);
    const inviteCode = await codeOf(owner.caller, team);
    await ok(known.caller.post('/teams/join', { inviteCode }));
  });

  test('by a moderator, too', async () => {
    const [moderator, member] = [await join('moderator'), await join('member')];
    expect(await backByCode(member, () => remove(moderator, member))).toBe(404);
  });

  test('leaves no invite behind, whatever its role; those of others stay', async () => {
    const other = await join('owner');
    const [first, second] = [await invitedBy(other, 'owner'), await invitedBy(other, 'guest')];
    const kept = await invitedBy(owner, 'owner');
    await remove(owner, other);
    expect(await pending()).toEqual([kept.invite]);
    expect([await first.accept(), await second.accept()]).toEqual([404, 404]);
    expect(await kept.accept()).toBe(200);
  });

  test('an invite of theirs that somebody else has renewed stays', async () => {
    const moderator = await join('moderator');
    const { invite, accept } = await invitedBy(moderator);
    await anInvite(owner.caller, team, invite.email, 'guest');
    await remove(owner, moderator);
    expect(await accept()).toBe(200);
  });

  test('does not come back by an invite that they had not answered', async () => {
    const bob = await someone(service, 'Bob');
    const invite = await anInvite(owner.caller, team, bob.person.email, 'owner');
    const inviteCode = await codeOf(owner.caller, team);
    await ok(bob.caller.post('/teams/join', { inviteCode }));
    await remove(owner, bob);
    await bob.caller.post(`/invites/${invite._id}/accept`).expect(404);
    expect(await pending()).toEqual([]);
  });

  test('can be invited again', async () => {
    const bob = await join('member');
    await remove(owner, bob);
    const { _id } = await anInvite(owner.caller, team, bob.person.email, 'guest');
    await ok(bob.caller.post(`/invites/${_id}/accept`));
  });
});

describe('who is demoted by another', () => {
  test('does not come back to a higher role by the code', async () => {
    const member = await join('member');
    const code = await codeOf(owner.caller, team);
    await give(owner, member, 'guest');
    await remove(member, member);
    await member.caller.post('/teams/join', { inviteCode: code }).expect(404);
  });

  test('loses the invites that they could not send any more, and keeps the others', async () => {
    const other = await join('owner');
    const sent = {
      owner: await invitedBy(other, 'owner'),
      moderator: await invitedBy(other, 'moderator'),
      member: await invitedBy(other, 'member'),
    };
    await give(owner, other, 'moderator');
    expect(await sent.owner.accept()).toBe(404);
    expect(await sent.moderator.accept()).toBe(404);
    expect(await pending()).toEqual([sent.member.invite]);
    await give(owner, other, 'member');
    expect(await sent.member.accept()).toBe(404);
  });

  test('does not regain a role by an invite that they had not answered', async () => {
    const bob = await someone(service, 'Bob');
    const invite = await anInvite(owner.caller, team, bob.person.email, 'owner');
    const inviteCode = await codeOf(owner.caller, team);
    await ok(bob.caller.post('/teams/join', { inviteCode }));
    await give(owner, bob, 'guest');
    await remove(bob, bob);
    await bob.caller.post(`/invites/${invite._id}/accept`).expect(404);
  });

  test('by the command line, too', async () => {
    const moderator = await join('moderator');
    const { accept } = await invitedBy(moderator);
    const { sub } = moderator.person;
    const demote = async () => {
      const args = ['--team', team, '--issuer', '', '--subject', sub, '--role', 'guest'];
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
    const code = await codeOf(owner.caller, team);
    await give(other, other, 'moderator');
    await remove(other, other);
    expect(await codeOf(owner.caller, team)).toBe(code);
    expect(await accept()).toBe(200);
  });

  test('a promotion, or the same role again, changes neither', async () => {
    const moderator = await join('moderator');
    const { accept } = await invitedBy(moderator);
    const code = await codeOf(owner.caller, team);
    await give(owner, moderator, 'moderator');
    await give(owner, moderator, 'owner');
    expect(await codeOf(owner.caller, team)).toBe(code);
    expect(await accept()).toBe(200);
  });
});

test('who is erased leaves no invite behind, also where they had left; the code is renewed', async () => {
  const other = await join('owner');
  const here = await invitedBy(other, 'owner');
  const code = await codeOf(owner.caller, team);
  const first = team;
  team = await aTeam(owner.caller);
  path = `/teams/${team}`;
  const again = await anInvite(owner.caller, team, other.person.email, 'owner');
  await ok(other.caller.post(`/invites/${again._id}/accept`));
  const there = await invitedBy(other, 'owner');
  await remove(other, other);
  const args = ['--issuer', '', '--subject', other.person.sub];
  expect((await command('erase', ...args)).output).toMatch('gone: 1 membership, 4 invites,');
  expect([await here.accept(), await there.accept()]).toEqual([404, 404]);
  expect(await codeOf(owner.caller, first)).not.toBe(code);
});

describe('giving up a workspace role of one’s own', () => {
  /** Somebody in the team who has been made a reader of a workspace. */
  async function reader(teamRole: string, settings: object = {}) {
    const known = await join(teamRole);
    const workspace = await aWorkspace(owner.caller, team, settings);
    const body = [{ email: known.person.email, role: 'reader' }];
    await ok(owner.caller.post(`${workspace.path}/members`, body));
    const giveUp = async () =>
      (await known.caller.delete(`${workspace.path}/members`, { userId: known.id })).status;
    const write = async () => (await known.caller.post(`/collections${workspace.query}`)).status;
    return { known, workspace, giveUp, write };
  }

  test('403 where it would widen the access: a reader stays one', async () => {
    const { known, workspace, giveUp, write } = await reader('member');
    const answer = await known.caller.delete(`${workspace.path}/members`, { userId: known.id });
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      'without the role reader you could do more in this workspace: ask one of its editors to remove it',
    ]);
    expect(await write()).toBe(403);
    await ok(owner.caller.put(workspace.path, { defaultAccess: 'read-only' }));
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
    const { path: own } = await aWorkspace(member.caller, team);
    await ok(member.caller.delete(`${own}/members`, { userId: member.id }));
  });

  test('200 where somebody else takes the role away', async () => {
    const { known, workspace, write } = await reader('member');
    await ok(owner.caller.delete(`${workspace.path}/members`, { userId: known.id }));
    expect(await write()).toBe(200);
  });

  test('404 without a role, and where the workspace is hidden', async () => {
    const member = await join('member');
    const open = await aWorkspace(owner.caller, team);
    const hidden = await aWorkspace(owner.caller, team, { visibility: 'private' });
    for (const workspace of [open, hidden]) {
      const { status } = await member.caller.delete(`${workspace.path}/members`, {
        userId: member.id,
      });
      expect(status).toBe(404);
    }
  });
});
