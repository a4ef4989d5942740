import { aTeam, aWorkspace, ok, type TeamBody } from '../support/builders.js';
import { changedBehindLock, holdTeam } from '../support/locks.js';
import {
  aMember,
  anInvite,
  codeOf,
  type Known,
  rolesIn,
  someone,
  type TeamRole,
} from '../support/members.js';
import { offenders } from '../support/offenders.js';
import { scene } from '../support/scene.js';

describe('requests at once', () => {
  const ROUNDS = [1, 2, 3, 4, 5];

  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"users":20,"workspaces":0}}' },
    verify: true,
  });

  /** Statuses, sorted, of requests that were sent at once. */
  async function statuses(requests: PromiseLike<{ status: number }>[]): Promise<number[]> {
    const answers = await Promise.all(requests);
    return answers.map(({ status }) => status).sort((a, b) => a - b);
  }

  test('two owners remove each other: one stays', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const other = await aMember(at, team, 'owner');
      const path = `/teams/${team}/members`;
      const answered = await statuses([
        at.ada.delete(path, { userId: other.id }),
        other.delete(path, { userId: at.ada.id }),
      ]);
      expect(answered).toEqual([200, 403]);
    });
    expect(wrong).toEqual([]);
  });

  test('two owners leave, or demote themselves: one stays', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const other = await aMember(at, team, 'owner');
      const path = `/teams/${team}/members`;
      const answered = await statuses([
        at.ada.delete(path, { userId: at.ada.id }),
        other.put(path, { userId: other.id, role: 'guest' }),
      ]);
      expect(answered).toEqual([200, 409]);
    });
    expect(wrong).toEqual([]);
  });

  test('a moderator is demoted while they invite and remove', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const moderator = await aMember(at, team, 'moderator');
      const member = await aMember(at, team, 'member');
      const path = `/teams/${team}/members`;
      const [demoted, promoted, removed] = await Promise.all([
        at.ada.put(path, { userId: moderator.id, role: 'guest' }),
        at.ada.put(path, { userId: member.id, role: 'owner' }),
        moderator.delete(path, { userId: member.id }),
      ]);
      expect(demoted.status).toBe(200);
      // Whoever was removed was not an owner at that moment.
      expect([promoted.status, removed.status]).toEqual(
        removed.status === 200 ? [404, 200] : [200, 403],
      );
    });
    expect(wrong).toEqual([]);
  });

  test('two editors of a private workspace leave it: one stays', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const other = await aMember(at, team, 'member');
      const { path } = await aWorkspace(at.ada, team, { visibility: 'private' });
      const { email } = other.person;
      await ok(at.ada.post(`${path}/members`, [{ email, role: 'editor' }]));
      const answered = await statuses([
        at.ada.delete(`${path}/members`, { userId: at.ada.id }),
        other.delete(`${path}/members`, { userId: other.id }),
      ]);
      expect(answered).toEqual([200, 409]);
    });
    expect(wrong).toEqual([]);
  });

  test('both editors leave the team, the workspace has one still', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const [a, b] = [await aMember(at, team, 'member'), await aMember(at, team, 'member')];
      const { path } = await aWorkspace(a, team, { visibility: 'private' });
      await ok(a.post(`${path}/members`, [{ email: b.person.email, role: 'editor' }]));
      const members = `/teams/${team}/members`;
      const answered = await statuses([
        a.delete(members, { userId: a.id }),
        b.delete(members, { userId: b.id }),
      ]);
      expect(answered).toEqual([200, 200]);
      expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor' });
    });
    expect(wrong).toEqual([]);
  });

  test('someone leaves while they make, hide and delete workspaces', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const member = await aMember(at, team, 'member');
      const [open, doomed] = [
        await aWorkspace(member, team),
        await aWorkspace(member, team, { visibility: 'private' }),
      ];
      const answered = await statuses([
        member.put(open.path, { visibility: 'private' }),
        member.delete(doomed.path),
        ...ROUNDS.map(() =>
          member.post(`/teams/${team}/workspaces`, { name: 'New', visibility: 'private' }),
        ),
        at.ada.delete(`/teams/${team}/members`, { userId: member.id }),
      ]);
      for (const status of answered) expect([200, 403, 404]).toContain(status);
    });
    expect(wrong).toEqual([]);
  });

  test('100 join at a limit of 20: exactly 20 are in', async () => {
    const team = await aTeam(at.ada);
    const inviteCode = await codeOf(at.ada, team);
    const people = await Promise.all(Array.from({ length: 100 }, () => someone(at)));
    const answered = await statuses(
      people.map((person) => person.post('/teams/join', { inviteCode })),
    );
    expect(answered).toEqual([...Array(19).fill(200), ...Array(81).fill(403)]);
    const { usage } = await ok<TeamBody>(at.ada.get(`/teams/${team}`));
    expect(usage.users).toBe(20);
  });

  test('the same invite accepted 20 times at once: once', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const bob = await someone(at, 'Bob');
      const { _id } = await anInvite(at.ada, team, bob.person.email);
      const answered = await statuses(
        Array.from({ length: 20 }, () => bob.post(`/invites/${_id}/accept`)),
      );
      expect(answered).toEqual([200, ...Array(19).fill(409)]);
    });
    expect(wrong).toEqual([]);
  });

  test('an invite is accepted, renewed and revoked at once', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const bob = await someone(at, 'Bob');
      const { email } = bob.person;
      const { _id } = await anInvite(at.ada, team, email, 'guest');
      const [accepted, renewed, revoked] = await Promise.all([
        bob.post(`/invites/${_id}/accept`),
        at.ada.post(`/teams/${team}/invites`, { invites: [{ email, role: 'owner' }] }),
        at.ada.delete(`/teams/${team}/invites/${_id}`),
      ]);
      expect([200, 404]).toContain(accepted.status);
      expect(revoked.status).toBe(accepted.status === 200 ? 409 : 200);
      expect([200, 409]).toContain(renewed.status);
      const roles = await rolesIn(at.ada, `/teams/${team}`);
      expect(roles[bob.id]).toBe(accepted.body.role);
    });
    expect(wrong).toEqual([]);
  });

  test('a member is removed while they write: nothing after that', async () => {
    const wrong = await offenders(ROUNDS, async () => {
      const team = await aTeam(at.ada);
      const member = await aMember(at, team, 'member');
      const { query } = await aWorkspace(member, team, { visibility: 'private' });
      let removed = false;
      const late: number[] = [];
      const write = async () => {
        for (let i = 0; i < 15; i++) {
          const startedAfter = removed;
          const { status } = await member.post(`/collections${query}`, { object: 'item' });
          if (startedAfter) late.push(status);
          else expect([200, 403, 404]).toContain(status);
        }
      };
      const remove = async () => {
        await new Promise((wake) => setTimeout(wake, 20));
        await ok(at.ada.delete(`/teams/${team}/members`, { userId: member.id }));
        removed = true;
      };
      await Promise.all([write(), write(), write(), remove()]);
      expect(late.length).toBeGreaterThan(0);
      expect(new Set(late)).toEqual(new Set([403]));
    });
    expect(wrong).toEqual([]);
  });
});

describe('the membership lock', () => {
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
});
