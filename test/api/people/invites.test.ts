import { type Caller, type Person, somebody } from '../../support/app.js';
import { aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import {
  aMember,
  anInvite,
  claiming,
  codeOf,
  type InviteBody,
  type Known,
  rolesIn,
  someone,
} from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

describe('invites of a team', () => {
  const DAYS_14 = 14 * 24 * 3600 * 1000;

  const at = scene({
    env: { PLAN_LIMITS: '{"free":{"users":100},"pro":{"users":3}}' },
    each: 'team',
  });
  const path = () => `/teams/${at.team}/invites`;

  const listed = async () =>
    (await ok<{ users: InviteBody[] }>(at.ada.get(path()))).users as InviteBody[];
  const send = (by: Known, ...invites: object[]) => by.post(path(), { invites });
  const emailOf = ({ email }: Person) => email;

  describe('POST /teams/{team_slug}/invites', () => {
    test('200: those sent, in the order given; pending ones are no users', async () => {
      const emails = ['b@example.com', 'A@example.com', 'ç.é@exämple.com'];
      const { body } = await send(
        at.ada,
        ...emails.map((email) => ({ email, role: 'guest' })),
      ).expect(200);
      expect(body.users.map((user: InviteBody) => user.email)).toEqual(emails);
      for (const invite of body.users as InviteBody[]) {
        expect(Object.keys(invite).sort()).toEqual([
          '_id',
          'createdAt',
          'email',
          'expires',
          'role',
        ]);
        expect(Date.parse(invite.expires) - Date.parse(invite.createdAt)).toBe(DAYS_14);
      }
      const { body: read } = await at.ada.get(`/teams/${at.team}`);
      expect(read).toMatchObject({ membersCount: 1, usage: { users: 1 } });
    });

    test('200: a pending or expired one is renewed, whatever the letter case', async () => {
      const first = await anInvite(at.ada, at.team, 'bob@example.com', 'guest');
      await sql(at.databaseUrl, "UPDATE team_invites SET expires_at = now() - interval '1 day'");
      const again = await anInvite(at.ada, at.team, 'BOB@example.com', 'member');
      const { _id, createdAt } = first;
      expect(again).toMatchObject({ _id, createdAt, role: 'member', email: 'BOB@example.com' });
      expect(Date.parse(again.expires)).toBeGreaterThan(Date.now());
      expect(await listed()).toEqual([again]);
      await sql(at.databaseUrl, "UPDATE team_invites SET expires_at = now() + interval '1 day'");
      const { expires } = await anInvite(at.ada, at.team, 'bob@example.com', 'guest');
      expect(Date.parse(expires)).toBeGreaterThanOrEqual(Date.parse(again.expires));
    });

    test('200: after a revoked or declined one there is a new one', async () => {
      const bob = await someone(at, 'Bob');
      const first = await anInvite(at.ada, at.team, bob.person.email);
      await ok(bob.post(`/invites/${first._id}/decline`));
      const second = await anInvite(at.ada, at.team, bob.person.email);
      expect(second._id).not.toBe(first._id);
      await ok(bob.post(`/invites/${second._id}/accept`));
    });

    test('400: the count, each field, twice the same email', async () => {
      const message = async (invites: unknown) =>
        (await at.ada.post(path(), { invites }).expect(400)).body.error.message as string;
      const bob = { email: 'bob@example.com', role: 'guest' };
      const count = 'invites must be a list of 1 to 100 objects';
      expect(await message([])).toBe(count);
      expect(await message(bob)).toBe(count);
      expect(await message(Array(101).fill(bob))).toBe(count);
      expect(await message(undefined)).toBe('invites is required');
      expect(await message([bob, null])).toBe('invites[1] must be a JSON object');
      expect(await message([{ role: 'guest' }])).toBe('invites[0].email is required');
      expect(await message([{ ...bob, role: 'editor' }])).toMatch(
        /^invites\[0\]\.role must be one/,
      );
      expect(await message([{ ...bob, Role: 'guest' }])).toBe(
        'invites[0].Role is not a known property, did you mean role?',
      );
      expect(await message([bob, { ...bob, email: 'BOB@EXAMPLE.com' }])).toBe(
        'invites[1].email is already in the list: name each once',
      );
      for (const email of ['', 'bob', 'a@b@c', 'a b@c', 'a@b\r\nBcc: x@y', 'a@b,c@d', 1, null]) {
        expect(await message([{ ...bob, email }])).toMatch(/^invites\[0\]\.email must be/);
      }
      expect(await listed()).toEqual([]);
    });

    test('200 for a hundred, all or none', async () => {
      const invites = Array.from({ length: 100 }, (_, i) => ({
        email: `p${i}@example.com`,
        role: 'member',
      }));
      const member = await aMember(at, at.team, 'member');
      const { email } = member.person;
      await send(at.ada, ...invites.slice(1), { email, role: 'guest' }).expect(409);
      expect(await listed()).toEqual([]);
      await send(at.ada, ...invites).expect(200);
      expect(await listed()).toHaveLength(100);
    });

    describe('as many are pending as the plan allows users', () => {
      const plan = (name: string) =>
        sql(at.databaseUrl, 'UPDATE teams SET plan = $2 WHERE slug = $1', [at.team, name]);
      beforeEach(() => plan('pro'));
      const entries = (...names: string[]) =>
        names.map((name) => ({ email: `${name}@example.com`, role: 'guest' }));
      const expire = (name: string, age: string) =>
        sql(
          at.databaseUrl,
          `UPDATE team_invites SET expires_at = now() - $3::interval
         WHERE email = $1 AND team_id = (SELECT id FROM teams WHERE slug = $2)`,
          [`${name}@example.com`, at.team, age],
        );
      const names = async () =>
        (await listed()).map(({ email }) => email.replace(/@.*/, '')).sort();

      test('403 past it, for the whole batch, with the bound in the message', async () => {
        await send(at.ada, ...entries('a', 'b')).expect(200);
        const { body } = await send(at.ada, ...entries('b', 'c', 'd')).expect(403);
        expect(body.error.message).toBe(
          'a team on the pro plan can have at most 3 pending invites: revoke some, or wait until they are answered',
        );
        expect(await names()).toEqual(['a', 'b']);
        await send(at.ada, ...entries('b', 'c')).expect(200);
        await send(at.ada, ...entries('d')).expect(403);
      });

      test('200: what is renewed is no growth, what is revoked makes room', async () => {
        await send(at.ada, ...entries('a', 'b', 'c')).expect(200);
        await send(at.ada, ...entries('a', 'b', 'c')).expect(200);
        const [first] = await listed();
        await ok(at.ada.delete(`${path()}/${first?._id}`));
        await send(at.ada, ...entries('d')).expect(200);
      });

      test('200: expired ones give way, the oldest first, and no more than needed', async () => {
        await send(at.ada, ...entries('a', 'b', 'c')).expect(200);
        await expire('a', '1 day');
        await expire('b', '2 days');
        await send(at.ada, ...entries('d')).expect(200);
        expect(await names()).toEqual(['a', 'c', 'd']);
        await send(at.ada, ...entries('e', 'f')).expect(403);
        expect(await names()).toEqual(['a', 'c', 'd']);
        await send(at.ada, ...entries('a')).expect(200);
        await send(at.ada, ...entries('e')).expect(403);
      });

      test('a limit that has fallen blocks growth and takes nothing away', async () => {
        await plan('free');
        await send(at.ada, ...entries('a', 'b', 'c', 'd')).expect(200);
        await plan('pro');
        await send(at.ada, ...entries('a', 'd')).expect(200);
        await send(at.ada, ...entries('e')).expect(403);
        await expire('d', '1 day');
        await send(at.ada, ...entries('d')).expect(403);
        expect(await names()).toEqual(['a', 'b', 'c', 'd']);
      });

      test('2,000 where the plan allows any number of users', async () => {
        await plan('enterprise');
        await sql(
          at.databaseUrl,
          `INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
         SELECT gen_random_uuid(), t.id, n || '@example.com', 'guest', $2, now() + interval '1 day'
         FROM teams t, generate_series(1, 1999) AS n WHERE t.slug = $1`,
          [at.team, at.ada.id],
        );
        await send(at.ada, ...entries('a', 'b')).expect(403);
        await send(at.ada, ...entries('a')).expect(200);
        const { body } = await send(at.ada, ...entries('b')).expect(403);
        expect(body.error.message).toMatch('at most 2000 pending invites');
      });
    });

    test('403 for members and guests, and for roles above the moderator', async () => {
      const bob = emailOf(somebody('Bob'));
      for (const role of ['member', 'guest'] as const) {
        await send(await aMember(at, at.team, role), { email: bob, role }).expect(403);
      }
      const moderator = await aMember(at, at.team, 'moderator');
      await send(moderator, { email: bob, role: 'member' }).expect(200);
      await send(moderator, { email: bob, role: 'moderator' }).expect(403);
      await send(moderator, { email: bob, role: 'owner' }).expect(403);
    });

    test('403: a moderator renews no invite to a role from moderator up', async () => {
      const moderator = await aMember(at, at.team, 'moderator');
      const invite = await anInvite(at.ada, at.team, 'bob@example.com', 'owner');
      await send(moderator, { email: 'Bob@example.com', role: 'guest' }).expect(403);
      expect(await listed()).toEqual([invite]);
    });

    test('404 where there is no such team, 403 for those who are not in it', async () => {
      const invites = [{ email: 'bob@example.com', role: 'guest' }];
      await at.ada.post('/teams/no-such-team/invites', { invites }).expect(404);
      await (await someone(at)).post(path(), { invites }).expect(403);
    });

    test('409 names the member, in whatever letter case', async () => {
      const member = await aMember(at, at.team, 'member');
      const email = member.person.email.toUpperCase();
      const { body } = await send(at.ada, { email, role: 'guest' }).expect(409);
      expect(body.error.message).toBe(
        `invites must leave out who is already in the team: ${email}`,
      );
    });
  });

  describe('GET /teams/{team_slug}/invites', () => {
    test('200: those that wait, expired ones too', async () => {
      const [a, b, c] = [
        await anInvite(at.ada, at.team, 'a@example.com'),
        await anInvite(at.ada, at.team, 'b@example.com'),
        await anInvite(at.ada, at.team, 'c@example.com'),
      ];
      await ok(at.ada.delete(`${path()}/${b._id}`));
      await sql(at.databaseUrl, 'UPDATE team_invites SET expires_at = now() WHERE id = $1', [
        c._id,
      ]);
      expect((await listed()).map(({ _id }) => _id)).toEqual([a._id, c._id]);
      await ok(at.ada.delete(`${path()}/${c._id}`));
      expect((await listed()).map(({ _id }) => _id)).toEqual([a._id]);
    });

    test('403 below moderator', async () => {
      const member = await aMember(at, at.team, 'member');
      await member.get(path()).expect(403);
    });
  });

  describe('DELETE /teams/{team_slug}/invites/{invite_id}', () => {
    test('200, and then it is not there', async () => {
      const bob = await someone(at, 'Bob');
      const invite = await anInvite(at.ada, at.team, bob.person.email);
      await at.ada
        .delete(`${path()}/${invite._id}`)
        .expect(200, { message: 'The invite was revoked.' });
      await at.ada.delete(`${path()}/${invite._id}`).expect(404);
      await bob.post(`/invites/${invite._id}/accept`).expect(404);
    });

    test('403: a moderator takes back no invite from moderator up', async () => {
      const moderator = await aMember(at, at.team, 'moderator');
      for (const role of ['moderator', 'owner']) {
        const { _id } = await anInvite(at.ada, at.team, `${role}@example.com`, role);
        await moderator.delete(`${path()}/${_id}`).expect(403);
      }
      const { _id } = await anInvite(at.ada, at.team, 'm@example.com');
      await moderator.delete(`${path()}/${_id}`).expect(200);
    });

    test("404 for another team's, and for what is no id", async () => {
      const { _id } = await anInvite(at.ada, await aTeam(at.ada), 'x@example.com');
      await at.ada.delete(`${path()}/${_id}`).expect(404);
      await at.ada.delete(`${path()}/nothing`).expect(404);
    });

    test('409 when it was accepted', async () => {
      const bob = await someone(at, 'Bob');
      const { _id } = await anInvite(at.ada, at.team, bob.person.email);
      await ok(bob.post(`/invites/${_id}/accept`));
      await at.ada.delete(`${path()}/${_id}`).expect(409);
    });
  });
});

describe('invites of the caller', () => {
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
      // Later, too: they do not expire any more.
      await sql(at.databaseUrl, 'UPDATE team_invites SET expires_at = now()');
      for (const one of [invite, second]) {
        await answer(bob, one).expect(404);
        await answer(bob, one, 'decline').expect(404);
      }
      await answer(bob, { _id: at.ada.id }).expect(404);
      await answer(bob, { _id: 'nothing' }).expect(404);
    });

    test('409: accepted already, also after having left', async () => {
      const invite = await invited();
      await ok(answer(bob, invite));
      await answer(bob, invite).expect(409);
      await ok(bob.delete(`/teams/${at.team}/members`, { userId: bob.id }));
      await answer(bob, invite).expect(409);
      await expire(invite);
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
      const before = await ok<TeamBody>(at.ada.get(`/teams/${at.team}`));
      const renewed = await ok<TeamBody>(at.ada.post(`/teams/${at.team}/invite-code`));
      expect(Date.parse(renewed.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
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
});

describe('letter case of emails', () => {
  const KELVIN = '\u212a';
  const DOTTED_I = '\u0130';

  /** New addresses that look like another one to the case rules of Unicode, or of a locale. */
  function lookalikes(): [given: string, claimed: string][] {
    const tag = freshSlug();
    return [
      [`kate+${tag}@example.com`, `${KELVIN}ate+${tag}@example.com`],
      [`iris+${tag}@example.com`, `${DOTTED_I}ris+${tag}@example.com`],
      [`bob+${tag}@kiosk.example`, `bob+${tag}@${KELVIN}iosk.example`],
      [`élan+${tag}@example.com`, `Élan+${tag}@example.com`],
    ];
  }

  const at = scene({ each: 'team' });

  /** The same address. */
  const upper = (email: string) => email.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

  /** Somebody whose verified email is this one. */
  async function known(email: string): Promise<Known> {
    const { person } = await someone(at, 'Mallory');
    const caller = claiming(at, person, { email, email_verified: true });
    const { _id } = await ok<{ _id: string }>(caller.get('/me'));
    return { ...caller, person: { ...person, email }, id: _id };
  }

  const mine = async (caller: Known) =>
    (await ok<{ users: InviteBody[] }>(caller.get('/invites'))).users;

  describe('an email is compared by ASCII letters', () => {
    test('the invite of the one is 404 for the other, and in no list of theirs', async () => {
      const wrong = await offenders(lookalikes(), async ([given, claimed]) => {
        const team = await aTeam(at.ada);
        const invite = await anInvite(at.ada, team, given, 'owner');
        const mallory = await known(claimed);
        expect(await mine(mallory)).toEqual([]);
        await mallory.post(`/invites/${invite._id}/accept`).expect(404);
        await mallory.post(`/invites/${invite._id}/decline`).expect(404);
        const invited = await known(upper(given));
        expect(await mine(invited)).toEqual([invite]);
        await ok(invited.post(`/invites/${invite._id}/accept`));
      });
      expect(wrong).toEqual([]);
    });

    test('both can be invited at once, and the one does not renew the invite of the other', async () => {
      const wrong = await offenders(lookalikes(), async ([given, claimed]) => {
        const team = await aTeam(at.ada);
        const [first, second] = [given, claimed].map((email) => ({ email, role: 'guest' }));
        const { users } = await ok<{ users: InviteBody[] }>(
          at.ada.post(`/teams/${team}/invites`, { invites: [first, second] }),
        );
        const again = await anInvite(at.ada, team, claimed, 'member');
        expect(again._id).toBe(users[1]?._id);
        expect(await ok(at.ada.get(`/teams/${team}/invites`))).toEqual({
          users: [users[0], again],
        });
      });
      expect(wrong).toEqual([]);
    });

    test('a member with the one does not stand for the other', async () => {
      const wrong = await offenders(lookalikes(), async ([given, claimed]) => {
        const team = await aTeam(at.ada);
        const inviteCode = await codeOf(at.ada, team);
        const mallory = await known(claimed);
        await ok(mallory.post('/teams/join', { inviteCode }));
        await anInvite(at.ada, team, given);
        const { path } = await aWorkspace(at.ada, team);
        const add = (email: string) => at.ada.post(`${path}/members`, [{ email, role: 'editor' }]);
        await add(given).expect(422);
        expect(await rolesIn(at.ada, path)).toEqual({ [at.ada.id]: 'editor' });
        await add(claimed).expect(200);
        await at.ada
          .post(`/teams/${team}/invites`, { invites: [{ email: claimed, role: 'guest' }] })
          .expect(409);
      });
      expect(wrong).toEqual([]);
    });

    test('erasing the one leaves the invites of the other', async () => {
      const wrong = await offenders(lookalikes(), async ([given, claimed]) => {
        const team = await aTeam(at.ada);
        const kept = await anInvite(at.ada, team, claimed);
        await anInvite(at.ada, team, given);
        const erased = await runCommand(['erase', '--email', upper(given)], {
          DATABASE_URL: at.databaseUrl,
        });
        expect(erased.output).toMatch(/^Erased \d+ invites? to this address/);
        expect(await ok(at.ada.get(`/teams/${team}/invites`))).toEqual({ users: [kept] });
      });
      expect(wrong).toEqual([]);
    });
  });

  test('ASCII letters are folded everywhere', async () => {
    const member = await aMember(at, at.team, 'member');
    const { path } = await aWorkspace(at.ada, at.team);
    const email = member.person.email.toUpperCase();
    await ok(at.ada.post(`${path}/members`, [{ email, role: 'reader' }]));
    expect(await rolesIn(at.ada, path)).toMatchObject({ [member.id]: 'reader' });
  });
});
