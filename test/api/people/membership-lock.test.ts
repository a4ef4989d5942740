import { aWorkspace, ok } from '../../support/builders.js';
import { changedBehindLock, holdTeam } from '../../support/locks.js';
import {
  aMember,
  anInvite,
  codeOf,
  giveRole,
  type Known,
  rolesIn,
  someone,
  type TeamRole,
} from '../../support/members.js';
import { scene } from '../../support/scene.js';

const at = scene({ each: 'team', verify: true });
const path = () => `/teams/${at.team}`;

type Answer = PromiseLike<{ status: number }>;

/** The status of a request that waits for the lock while the caller's team role is changed. */
async function statusOfDemoted({ id }: Known, role: string, request: () => Answer) {
  const demote = 'UPDATE team_members SET role = $2 WHERE user_id = $1';
  const { status } = await changedBehindLock(at, at.team, request, demote, [id, role]);
  return status;
}

const join = (role: TeamRole) => aMember(at, at.team, role);

describe('someone who is demoted while the write waits for the membership lock gets 403', () => {
  test('a moderator who makes a workspace private: no editor of it either', async () => {
    const moderator = await join('moderator');
    const workspace = await aWorkspace(at.ada, at.team);
    const request = () => moderator.put(workspace.path, { visibility: 'private' });
    expect(await statusOfDemoted(moderator, 'member', request)).toBe(403);
    expect(await rolesIn(at.ada, workspace.path)).toEqual({ [at.ada.id]: 'editor' });
    expect((await at.ada.get(workspace.path)).body.Visibility).toBe('public');
  });

  test('a moderator who renames, and one who deletes a workspace', async () => {
    const workspace = await aWorkspace(at.ada, at.team);
    const [first, second] = [await join('moderator'), await join('moderator')];
    const rename = () => first.put(workspace.path, { name: 'Mine' });
    const remove = () => second.delete(workspace.path);
    expect(await statusOfDemoted(first, 'guest', rename)).toBe(404);
    expect(await statusOfDemoted(second, 'member', remove)).toBe(403);
    expect((await at.ada.get(workspace.path)).body.name).toBe('Workspace');
  });

  test('a moderator who restores, and one who purges a workspace: 404', async () => {
    const workspace = await aWorkspace(at.ada, at.team);
    await ok(at.ada.delete(workspace.path));
    const deleted = `${path()}/trash/${workspace.id}`;
    const [first, second] = [await join('moderator'), await join('moderator')];
    const restore = () => first.post(`${deleted}/restore`);
    const purge = () => second.delete(deleted);
    expect(await statusOfDemoted(first, 'member', restore)).toBe(404);
    expect(await statusOfDemoted(second, 'member', purge)).toBe(404);
    await ok(at.ada.post(`${deleted}/restore`));
  });

  test('a member who creates a workspace', async () => {
    const member = await join('member');
    const request = () => member.post(`${path()}/workspaces`, { name: 'Mine' });
    expect(await statusOfDemoted(member, 'guest', request)).toBe(403);
    expect(await ok(at.ada.get(`${path()}/workspaces`))).toEqual([]);
  });

  test('an owner who changes the slug of the team', async () => {
    const other = await join('owner');
    const request = () => other.put(path(), { slug: `${at.team}-new` });
    expect(await statusOfDemoted(other, 'moderator', request)).toBe(403);
    await at.ada.get(path()).expect(200);
  });

  test('a moderator who renews the invite code', async () => {
    const code = await codeOf(at.ada, at.team);
    const moderator = await join('moderator');
    const request = () => moderator.post(`${path()}/invite-code`);
    expect(await statusOfDemoted(moderator, 'member', request)).toBe(403);
    expect(await codeOf(at.ada, at.team)).toBe(code);
  });

  test('a moderator who sends, and one who revokes invites', async () => {
    const [first, second] = [await join('moderator'), await join('moderator')];
    const invite = await anInvite(at.ada, at.team, 'bob@example.com');
    const invites = [{ email: 'eve@example.com', role: 'guest' }];
    const send = () => first.post(`${path()}/invites`, { invites });
    const revoke = () => second.delete(`${path()}/invites/${invite._id}`);
    expect(await statusOfDemoted(first, 'member', send)).toBe(403);
    expect(await statusOfDemoted(second, 'member', revoke)).toBe(403);
    expect(await ok(at.ada.get(`${path()}/invites`))).toEqual({ users: [invite] });
  });

  test('a moderator who changes the role of a member, and one who removes them', async () => {
    const [first, second] = [await join('moderator'), await join('moderator')];
    const { id: userId } = await join('member');
    const change = () => first.put(`${path()}/members`, { userId, role: 'guest' });
    const remove = () => second.delete(`${path()}/members`, { userId });
    expect(await statusOfDemoted(first, 'member', change)).toBe(403);
    expect(await statusOfDemoted(second, 'member', remove)).toBe(403);
    expect((await rolesIn(at.ada, path()))[userId]).toBe('member');
  });

  test('owners who invite, revoke, change and remove moderators', async () => {
    const { id: userId } = await join('moderator');
    const invite = await anInvite(at.ada, at.team, 'bob@example.com', 'moderator');
    const invites = [{ email: 'eve@example.com', role: 'moderator' }];
    const requests = [
      (owner: Known) => owner.post(`${path()}/invites`, { invites }),
      (owner: Known) => owner.delete(`${path()}/invites/${invite._id}`),
      (owner: Known) => owner.put(`${path()}/members`, { userId, role: 'guest' }),
      (owner: Known) => owner.delete(`${path()}/members`, { userId }),
    ];
    for (const request of requests) {
      const owner = await join('owner');
      expect(await statusOfDemoted(owner, 'moderator', () => request(owner))).toBe(403);
    }
    expect(await ok(at.ada.get(`${path()}/invites`))).toEqual({ users: [invite] });
    expect((await rolesIn(at.ada, path()))[userId]).toBe('moderator');
  });

  test('moderators who add, change and remove workspace members', async () => {
    const workspace = await aWorkspace(at.ada, at.team);
    const members = `${workspace.path}/members`;
    const [first, second] = [await join('moderator'), await join('moderator')];
    const third = await join('moderator');
    const { person } = await join('member');
    const { id: userId } = at.ada;
    const add = () => first.post(members, [{ email: person.email, role: 'editor' }]);
    const change = () => second.put(members, { userId, role: 'reader' });
    const remove = () => third.delete(members, { userId });
    expect(await statusOfDemoted(first, 'member', add)).toBe(403);
    expect(await statusOfDemoted(second, 'member', change)).toBe(403);
    expect(await statusOfDemoted(third, 'member', remove)).toBe(403);
    expect(await rolesIn(at.ada, workspace.path)).toEqual({ [at.ada.id]: 'editor' });
  });
});

describe('what was read before the membership lock is read again behind it', () => {
  test('If-Match of a team that is renamed meanwhile: 409', async () => {
    const { headers } = await at.ada.get(path());
    const { status } = await changedBehindLock(
      at,
      at.team,
      () => at.ada.put(path(), { description: 'New' }).set('if-match', String(headers.etag)),
      "UPDATE teams SET name = 'Renamed' WHERE slug = $1",
      [at.team],
    );
    expect(status).toBe(409);
  });

  test.each(['put', 'delete'] as const)(
    'If-Match of a workspace that is renamed meanwhile: 409 (%s)',
    async (method) => {
      const workspace = await aWorkspace(at.ada, at.team);
      const { headers } = await at.ada.get(workspace.path);
      const body = method === 'put' ? { description: 'New' } : undefined;
      const { status } = await changedBehindLock(
        at,
        at.team,
        () => at.ada[method](workspace.path, body).set('if-match', String(headers.etag)),
        "UPDATE workspaces SET name = 'Renamed' WHERE id = $1",
        [workspace.id],
      );
      expect(status).toBe(409);
    },
  );

  test('a reader gives up the role, and all members may write meanwhile: 403', async () => {
    const reader = await join('member');
    const workspace = await aWorkspace(at.ada, at.team, { defaultAccess: 'read-only' });
    await giveRole(at, workspace.id, reader, 'reader');
    const { status } = await changedBehindLock(
      at,
      at.team,
      () => reader.delete(`${workspace.path}/members`, { userId: reader.id }),
      "UPDATE workspaces SET default_access = 'full' WHERE id = $1",
      [workspace.id],
    );
    expect(status).toBe(403);
    expect((await rolesIn(at.ada, workspace.path))[reader.id]).toBe('reader');
  });
});

describe('what opens a team is asked for again behind the membership lock', () => {
  test('a code that is renewed meanwhile: 404', async () => {
    const bob = await someone(at, 'Bob');
    const inviteCode = await codeOf(at.ada, at.team);
    const { status } = await changedBehindLock(
      at,
      at.team,
      () => bob.post('/teams/join', { inviteCode }),
      'UPDATE teams SET invite_code = $2 WHERE slug = $1',
      [at.team, 'another-code-of-the-team'],
    );
    expect(status).toBe(404);
    await bob.get(path()).expect(403);
  });

  test.each(['accept', 'decline'])(
    'an invite that is revoked meanwhile: 404 (%s)',
    async (what) => {
      const bob = await someone(at, 'Bob');
      const invite = await anInvite(at.ada, at.team, bob.person.email);
      const { status } = await changedBehindLock(
        at,
        at.team,
        () => bob.post(`/invites/${invite._id}/${what}`),
        "UPDATE team_invites SET state = 'revoked' WHERE id = $1",
        [invite._id],
      );
      expect(status).toBe(404);
      await bob.get(path()).expect(403);
    },
  );
});

describe('what somebody who is sent away leaves behind is decided in the order of the lock', () => {
  /** The statuses of two requests; the second one waits for the lock behind the first one. */
  async function inOrder(first: () => Answer, second: () => Answer): Promise<number[]> {
    const lock = await holdTeam(at.databaseUrl, at.team);
    const before = Promise.resolve(first());
    await lock.waiting(1);
    const after = Promise.resolve(second());
    await lock.waiting(2);
    await lock.release();
    return [(await before).status, (await after).status];
  }

  /** A moderator, and somebody with an invite of theirs. */
  async function inviting() {
    const moderator = await join('moderator');
    const bob = await someone(at, 'Bob');
    const { _id } = await anInvite(moderator, at.team, bob.person.email);
    const members = `${path()}/members`;
    return {
      moderator,
      bob,
      accept: () => bob.post(`/invites/${_id}/accept`),
      away: {
        removed: () => at.ada.delete(members, { userId: moderator.id }),
        demoted: () => at.ada.put(members, { userId: moderator.id, role: 'guest' }),
      },
    };
  }

  test.each(['removed', 'demoted'] as const)(
    'the sender is %s, then the invite: 404',
    async (how) => {
      const { bob, accept, away } = await inviting();
      expect(await inOrder(away[how], accept)).toEqual([200, 404]);
      expect((await rolesIn(at.ada, path()))[bob.id]).toBeUndefined();
    },
  );

  test.each(['removed', 'demoted'] as const)(
    'the invite, then the sender is %s: both 200',
    async (how) => {
      const { bob, accept, away } = await inviting();
      expect(await inOrder(accept, away[how])).toEqual([200, 200]);
      expect((await rolesIn(at.ada, path()))[bob.id]).toBe('member');
    },
  );

  test.each(['removed', 'demoted'] as const)('the sender is %s, then sends: 403', async (how) => {
    const { moderator, away } = await inviting();
    const invites = [{ email: 'eve@example.com', role: 'guest' }];
    const send = () => moderator.post(`${path()}/invites`, { invites });
    expect(await inOrder(away[how], send)).toEqual([200, 403]);
    expect(await ok(at.ada.get(`${path()}/invites`))).toEqual({ users: [] });
  });

  test('somebody sends, and is removed: nothing is pending', async () => {
    const { moderator, away } = await inviting();
    const invites = [{ email: 'eve@example.com', role: 'guest' }];
    const send = () => moderator.post(`${path()}/invites`, { invites });
    expect(await inOrder(send, away.removed)).toEqual([200, 200]);
    expect(await ok(at.ada.get(`${path()}/invites`))).toEqual({ users: [] });
  });

  test('somebody is removed, then joins by the code that they know: 404', async () => {
    const member = await join('member');
    const inviteCode = await codeOf(at.ada, at.team);
    const leave = () => at.ada.delete(`${path()}/members`, { userId: member.id });
    const back = () => member.post('/teams/join', { inviteCode });
    expect(await inOrder(leave, back)).toEqual([200, 404]);
  });
});
