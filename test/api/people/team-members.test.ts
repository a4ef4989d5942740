import type { Caller } from '../../support/app.js';
import { aTeam, aWorkspace, ok, type TeamBody } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import {
  aMember,
  anInvite,
  claiming,
  codeOf,
  giveRole,
  type Known,
  type MemberBody,
  rolesIn,
  someone,
  type TeamRole,
} from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ verify: true });

/** 150 people more in a team and in its workspace, and as many invites. */
async function addManyPeople(slug: string): Promise<void> {
  const [team] = await sql<{ id: string; workspace: string; owner: string }>(
    at.databaseUrl,
    `SELECT t.id, w.id AS workspace, m.user_id AS owner FROM teams t
     JOIN workspaces w ON w.team_id = t.id
     JOIN team_members m ON m.team_id = t.id AND m.role = 'owner'
     WHERE t.slug = $1`,
    [slug],
  );
  const { id, workspace, owner } = team as { id: string; workspace: string; owner: string };
  const add = (text: string, ...values: string[]) => sql(at.databaseUrl, text, [id, ...values]);
  // A distributed database writes tables of different kinds by statements of their own.
  await add(
    `INSERT INTO users (id, issuer, subject, email, name)
     SELECT gen_random_uuid(), $1::text, n, n || '-' || $1::text || '@many.example', 'Someone'
     FROM generate_series(1, 150) AS n`,
  );
  await add(
    `INSERT INTO team_members (team_id, user_id, role)
     SELECT $1::uuid, id, 'guest' FROM users WHERE issuer = $1::text`,
  );
  await add(
    `INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
     SELECT $1::uuid, $2::uuid, id, 'reader' FROM users WHERE issuer = $1::text`,
    workspace,
  );
  await add(
    `INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
     SELECT gen_random_uuid(), $1::uuid, n || '@invites.example', 'guest', $2::uuid, now() + '1 day'
     FROM generate_series(1, 150) AS n`,
    owner,
  );
  await add('UPDATE team_usage SET users = users + 150 WHERE team_id = $1');
}

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

describe('leaving and removing', () => {
  const path = () => `/teams/${at.team}`;

  const join = (role: TeamRole) => aMember(at, at.team, role);
  const remove = (by: Known, whom: Known) => by.delete(`${path()}/members`, { userId: whom.id });

  describe('DELETE /teams/{team_slug}/members', () => {
    at.eachTest('team');

    test('200: gone with all workspace roles, shut out on the very next request', async () => {
      const member = await join('member');
      const open = await aWorkspace(at.ada, at.team);
      const secret = await aWorkspace(at.ada, at.team, { visibility: 'private' });
      const { email } = member.person;
      for (const workspace of [open, secret]) {
        await ok(at.ada.post(`${workspace.path}/members`, [{ email, role: 'editor' }]));
        await ok(member.post(`/collections${workspace.query}`, { name: 'mine' }));
      }
      await remove(at.ada, member).expect(200, {
        message: 'The member was removed from the team.',
      });
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
      const [leaver, third, second] = [
        await join('member'),
        await join('owner'),
        await join('guest'),
      ];
      const secret = await aWorkspace(leaver, at.team, { visibility: 'private' });
      // Longer in the workspace, not in the team.
      for (const { person } of [second, third]) {
        const body = [{ email: person.email, role: 'reader' }];
        await ok(leaver.post(`${secret.path}/members`, body));
      }
      // Another role does not make somebody newer.
      for (const role of ['editor', 'reader']) {
        await ok(leaver.put(`${secret.path}/members`, { userId: second.id, role }));
      }
      await ok(remove(leaver, leaver));
      expect(await rolesIn(second, secret.path)).toEqual({
        [second.id]: 'editor',
        [third.id]: 'reader',
      });
      await at.ada.get(secret.path).expect(404);
    });

    test('a private workspace with another editor stays as it is', async () => {
      const people = [await join('member'), await join('member'), await join('member')] as const;
      const [leaver, reader, editor] = people;
      const { id, path: secret } = await aWorkspace(leaver, at.team, { visibility: 'private' });
      await giveRole(at, id, reader, 'reader');
      await giveRole(at, id, editor, 'editor');
      await ok(remove(leaver, leaver));
      expect(await rolesIn(editor, secret)).toEqual({
        [reader.id]: 'reader',
        [editor.id]: 'editor',
      });
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
      const late = await someone(at, 'Late');
      const next = await join('owner');
      const inviteCode = await codeOf(at.ada, at.team);
      await ok(late.post('/teams/join', { inviteCode }));
      await ok(at.ada.put(`${path()}/members`, { userId: late.id, role: 'owner' }));
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
});

describe('lists of people come in pages', () => {
  at.eachTest('team');

  interface Shown {
    ids: string[];
    /** Path and query of the next page. */
    next: string | undefined;
  }

  async function page(caller: Caller, path: string): Promise<Shown> {
    const { body, headers } = await caller.get(path).expect(200);
    const link = /^<http:\/\/localhost:3000(\/[^>]*)>; rel="next"$/.exec(headers.link ?? '');
    expect(link === null).toBe(headers.link === undefined);
    const ids = (body.users as { _id: string }[]).map(({ _id }) => _id);
    return { ids, next: link?.[1] };
  }

  /** The pages of a list, to its end. */
  async function pages(caller: Caller, path: string): Promise<string[][]> {
    const found: string[][] = [];
    for (let next: string | undefined = path; next !== undefined; ) {
      const shown: Shown = await page(caller, next);
      found.push(shown.ids);
      next = shown.next;
    }
    return found;
  }

  /** Lists of three, and who reads them. */
  async function lists(): Promise<[name: string, caller: Caller, path: string][]> {
    const { path } = await aWorkspace(at.ada, at.team);
    const people = [await aMember(at, at.team, 'member'), await aMember(at, at.team, 'guest')];
    const body = people.map(({ person }) => ({ email: person.email, role: 'reader' }));
    await ok(at.ada.post(`${path}/members`, body));
    const bob = await someone(at, 'Bob');
    const elsewhere = [at.team, await aTeam(at.ada), await aTeam(at.ada)];
    for (const slug of elsewhere) await anInvite(at.ada, slug, bob.person.email);
    const invites = [1, 2].map((i) => ({ email: `${i}-${at.team}@example.com`, role: 'guest' }));
    await ok(at.ada.post(`/teams/${at.team}/invites`, { invites }));
    return [
      ['getTeamMembers', at.ada, `/teams/${at.team}/members`],
      ['getTeamInvites', at.ada, `/teams/${at.team}/invites`],
      ['getWorkspaceMembers', at.ada, `${path}/members`],
      ['getMyInvites', bob, '/invites'],
    ];
  }

  test('200: with limit a list comes in pages, in its order; without it is complete', async () => {
    for (const [name, caller, path] of await lists()) {
      const [all = []] = await pages(caller, path);
      expect([name, all.length]).toEqual([name, 3]);
      expect(await pages(caller, `${path}?limit=2`)).toEqual([all.slice(0, 2), all.slice(2)]);
      expect(await pages(caller, `${path}?limit=3`)).toEqual([all]);
      expect(await pages(caller, `${path}?limit=1000`)).toEqual([all]);
    }
  });

  test('200: a list of more than 100 is complete and in its order, too', async () => {
    const all = await lists();
    await addManyPeople(at.team);
    for (const [name, caller, path] of all.filter(([name]) => name !== 'getMyInvites')) {
      const [whole = []] = await pages(caller, path);
      expect([name, whole.length]).toEqual([name, 153]);
      for (const limit of [1000, 153, 152, 100, 99]) {
        const parts = await pages(caller, `${path}?limit=${limit}`);
        expect(parts).toEqual(
          [whole.slice(0, limit), whole.slice(limit)].filter((part) => part[0]),
        );
      }
    }
  });

  test('200: a page goes on behind the same place when its last element is gone', async () => {
    const path = `/teams/${at.team}/members`;
    const people = [at.ada];
    for (let i = 0; i < 2; i++) people.push(await aMember(at, at.team, 'member'));
    const ids = people.map(({ id }) => id);
    const first = await page(at.ada, `${path}?limit=2`);
    expect(first.ids).toEqual(ids.slice(0, 2));
    await ok(at.ada.delete(path, { userId: ids[1] }));
    expect((await page(at.ada, first.next as string)).ids).toEqual(ids.slice(2));
  });

  test('200: nobody is left out or shown twice who joined in the same moment', async () => {
    for (let i = 0; i < 5; i++) await aMember(at, at.team, 'guest');
    await sql(at.databaseUrl, 'UPDATE team_members SET joined_at = now()');
    const path = `/teams/${at.team}/members`;
    const [all] = await pages(at.ada, path);
    expect((await pages(at.ada, `${path}?limit=2`)).flat()).toEqual(all);
  });

  test('200: the link keeps the rest of the query', async () => {
    const { body } = await at.ada.get(`/teams/${at.team}`);
    await aMember(at, at.team, 'member');
    const { next } = await page(at.ada, `/teams/${at.team}/members?limit=1&teamId=${body._id}`);
    expect(next).toMatch(
      new RegExp(`^/teams/${at.team}/members\\?limit=1&teamId=${body._id}&cursor=`),
    );
  });

  test('400 for a bad limit or cursor', async () => {
    const wrong = await offenders(
      [
        ['limit=0', 'limit must be a whole number from 1 to 1000'],
        ['limit=1001', 'limit must be a whole number from 1 to 1000'],
        ['limit=x', 'limit must be a whole number from 1 to 1000'],
        ['limit=1&limit=2', 'limit must be given once'],
        ['cursor=', 'cursor must be at least 1 character'],
        ['cursor=nonsense', 'cursor must come from a Link header'],
        [
          `cursor=${Buffer.from('1 x').toString('base64url')}`,
          'cursor must come from a Link header',
        ],
      ],
      async ([query, says]) => {
        const { path } = await aWorkspace(at.ada, at.team);
        const paths = [
          `/teams/${at.team}/members`,
          `/teams/${at.team}/invites`,
          `${path}/members`,
          '/invites',
        ];
        for (const list of paths) {
          const { status, body } = await at.ada.get(`${list}?${query}`);
          expect([status, body]).toEqual([400, error('bad_request', says)]);
        }
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('what is recorded of people', () => {
  const at = scene({ once: 'team' });
  let bob: Known;
  beforeAll(async () => {
    bob = await aMember(at, at.team, 'member');
  });

  /** Bob sends a request with these claims; answers what he and the others then see of him. */
  async function seenWith(claims: object): Promise<[MemberBody, MemberBody | undefined]> {
    const me = await ok<MemberBody>(claiming(at, bob.person, claims).get('/me'));
    const { users } = await ok<{ users: MemberBody[] }>(at.ada.get(`/teams/${at.team}/members`));
    return [me, users.find(({ _id }) => _id === bob.id)];
  }

  test('whatever changes in a token, others see with the next request of its bearer', async () => {
    const changes: { name?: string; email?: string; picture?: string }[] = [
      { picture: 'https://example.com/first.png' },
      { picture: 'https://example.com/second.png' },
      {},
      { name: 'Robert' },
      { name: 'Robert', email: `robert-${bob.person.email}` },
      { name: 'Robert', email: `robert-${bob.person.email}`, picture: 'http://example.com/r.png' },
    ];
    const stale: object[] = [];
    for (const { picture, ...claims } of changes) {
      const [, seen] = await seenWith({ ...claims, picture });
      const { name, email } = { ...bob.person, ...claims };
      if (seen?.name !== name || seen.email !== email || seen.image !== picture) {
        stale.push({ sent: { ...claims, picture }, seen });
      }
    }
    expect(stale).toEqual([]);
  });

  test('the same subject at another issuer is somebody else', async () => {
    const idAt = async (iss: string) =>
      (await ok<MemberBody>(claiming(at, bob.person, { iss }).get('/me')))._id;
    const issuers = ['https://one.example', 'https://two.example'];
    const ids = [await idAt(issuers[0] as string), await idAt(issuers[1] as string)];
    expect(new Set([...ids, bob.id]).size).toBe(3);
    expect([await idAt(issuers[0] as string), await idAt(issuers[1] as string)]).toEqual(ids);
    expect((await ok<MemberBody>(bob.get('/me')))._id).toBe(bob.id);
  });

  test('a picture is a web address; anything else in its place is shown to nobody', async () => {
    const refused = [
      'javascript:alert(1)',
      'JavaScript:alert(1)//https://example.com',
      'data:image/svg+xml,<svg onload="alert(1)"/>',
      'file:///etc/passwd',
      'ftp://example.com/a.png',
      '//example.com/a.png',
      'https://',
      'http',
      'a.png',
    ];
    const shown: object[] = [];
    for (const picture of refused) {
      for (const { image } of (await seenWith({ picture })) as MemberBody[]) {
        if (image !== undefined) shown.push({ picture, image });
      }
    }
    expect(shown).toEqual([]);
  });
});

describe('prepared statements', () => {
  const SIZES = 300;

  const at = scene({ env: { PLAN_LIMITS: '{"free":{"users":0}}' }, once: 'team', proxied: true });

  /** Each named statement stays in the memory of each connection that has used it. */
  test('lists of any length add no prepared statements', async () => {
    for (let n = 0; n < 40; n++) await aMember(at, at.team, 'member');
    const named = () => {
      const names = [...at.proxy.seen.values()].map(({ name }) => name);
      return new Set(names.filter((name) => name !== '')).size;
    };
    const list = (limit: number) => ok(at.ada.get(`/teams/${at.team}/members?limit=${limit}`));
    const invite = (count: number, from: number) => {
      const emails = Array.from({ length: count }, (_, n) => `p${from + n}@example.com`);
      const invites = emails.map((email) => ({ email, role: 'member' }));
      return ok(at.ada.post(`/teams/${at.team}/invites`, { invites }));
    };
    await list(1);
    await invite(1, 0);
    const before = named();
    for (let limit = 1; limit <= SIZES; limit++) await list(limit);
    for (let count = 2; count <= 20; count++) await invite(count, 100 * count);
    expect(named() - before).toBeLessThan(5);
  });
});
