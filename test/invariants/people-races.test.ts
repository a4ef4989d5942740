import { aTeam, aWorkspace, ok, type TeamBody } from '../support/builders.js';
import { aMember, anInvite, codeOf, rolesIn, someone } from '../support/members.js';
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
