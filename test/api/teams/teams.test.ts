import { type Caller, somebody } from '../../support/app.js';
import { aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { holdLock } from '../../support/locks.js';
import { aMember, anInvite, codeOf, type Known, someone } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene();

describe('POST /teams', () => {
  describe('200', () => {
    test('answers the whole record, with the caller as owner', async () => {
      const slug = freshSlug();
      const before = Date.now();
      const answer = await at.ada.post('/teams', { name: 'Acme', slug, description: 'Rockets' });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        _id: expect.any(String),
        name: 'Acme',
        logo: null,
        description: 'Rockets',
        role: 'owner',
        membersCount: 1,
        meta: { title: 'Acme', description: 'Rockets', slug },
        inviteCode: expect.stringMatching(/^[\w-]{24}$/),
        plan: 'free',
        billingCycleStart: expect.any(Number),
        usage: { pages: 0, users: 1, workspaces: 0 },
        limit: { pages: 1000, users: 20, workspaces: 10 },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      const { billingCycleStart, createdAt } = answer.body;
      expect(billingCycleStart).toBe(Date.parse(createdAt));
      expect(billingCycleStart).toBeGreaterThan(before - 60_000);
    });

    test('keeps names and descriptions exactly as sent', async () => {
      const wrong = await offenders(
        [
          ['a name of 1 character', { name: 'x' }],
          ['a name of 32 characters beyond the BMP', { name: '🚀'.repeat(32) }],
          ['white space around a name', { name: ' x ' }],
          ['a description of 120 characters', { description: 'é'.repeat(120) }],
          ['an empty description', { description: '' }],
        ],
        async ([, fields]) => {
          const body = { name: 'Acme', slug: freshSlug(), ...fields };
          expect(await ok(at.ada.post('/teams', body))).toMatchObject(fields);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('takes null for no description', async () => {
      const team = await ok(
        at.ada.post('/teams', { name: 'A', slug: freshSlug(), description: null }),
      );
      expect(team).toMatchObject({ description: null, meta: { description: '' } });
    });

    test('takes slugs of 3 and of 48 characters', async () => {
      const stem = freshSlug();
      const long = `${stem}-${'x'.repeat(47 - stem.length)}`;
      expect(long).toHaveLength(48);
      for (const slug of [`a${Math.random().toString(36).slice(2, 4)}`, long]) {
        const team = await ok<TeamBody>(at.ada.post('/teams', { name: 'A', slug }));
        expect(team.meta.slug).toBe(slug);
      }
    });
  });

  describe('400', () => {
    test('for a body that is wrong', async () => {
      const wrong = await offenders<[string, unknown, string]>(
        [
          ['no name', { slug: 'abc' }, 'name is required'],
          ['no slug', { name: 'A' }, 'slug is required'],
          ['an empty name', { name: '', slug: 'abc' }, 'name must be 1 to 32 characters'],
          ['a blank name', { name: ' \t\u3000', slug: 'abc' }, 'name must not be blank'],
          [
            '33 characters',
            { name: 'x'.repeat(33), slug: 'abc' },
            'name must be 1 to 32 characters',
          ],
          ['a number as name', { name: 1, slug: 'abc' }, 'name must be a string'],
          ['null as name', { name: null, slug: 'abc' }, 'name must be a string'],
          ['an object as name', { name: { a: 1 }, slug: 'abc' }, 'name must be a string'],
          ['NUL', { name: 'a\0b', slug: 'abc' }, 'NUL'],
          ['a lone surrogate', '{"name":"\\ud800","slug":"abc"}', 'well-formed'],
          ['a slug of 2', { name: 'A', slug: 'ab' }, 'slug must be 3 to 48 characters'],
          ['a slug of 49', { name: 'A', slug: 'a'.repeat(49) }, 'slug must be 3 to 48 characters'],
          ['capitals in a slug', { name: 'A', slug: 'Abc' }, 'slug must be lower-case'],
          ['a double hyphen', { name: 'A', slug: 'a--b' }, 'slug must be lower-case'],
          ['a hyphen at the end', { name: 'A', slug: 'abc-' }, 'slug must be lower-case'],
          ['a line feed in a slug', { name: 'A', slug: 'abc\n' }, 'slug must be lower-case'],
          [
            '121',
            { name: 'A', slug: 'abc', description: 'x'.repeat(121) },
            'at most 120 characters',
          ],
          ['an unknown property', { name: 'A', slug: 'abc', plan: 'pro' }, 'plan is not a known'],
          ['__proto__', '{"name":"A","slug":"abc","__proto__":{}}', '__proto__ is not a known'],
          ['an array', [], 'the body must be a JSON object'],
          ['null', 'null', 'the body must be a JSON object'],
          ['a string', '"x"', 'the body must be a JSON object'],
          ['malformed JSON', '{"name":', 'valid JSON'],
          ['nothing', undefined, 'valid JSON'],
        ],
        async ([, body, says]) => {
          const test = at.ada.post('/teams').set('content-type', 'application/json');
          const answer = await (body === undefined ? test : test.send(body as object));
          expect(answer.body).toEqual(error('bad_request', says));
          expect(answer.status).toBe(400);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('for 5,000 levels of nesting', async () => {
      const body = `{"name":${'['.repeat(5000)}${']'.repeat(5000)},"slug":"abc"}`;
      const answer = await at.ada.post('/teams').set('content-type', 'application/json').send(body);
      expect(answer.status).toBe(400);
    });
  });

  test('401 without a token', async () => {
    const answer = await at.with(null).post('/teams', { name: 'A', slug: 'abc' });
    expect(answer.status).toBe(401);
  });

  describe('409', () => {
    test('when the slug is taken, whoever asks', async () => {
      const slug = freshSlug();
      await ok(at.ada.post('/teams', { name: 'A', slug }));
      const answer = await at.as(somebody()).post('/teams', { name: 'B', slug });
      expect(answer.body).toEqual(error('conflict', slug));
      expect(answer.status).toBe(409);
    });

    test('for all but one of twenty who want the same slug at once', async () => {
      const slug = freshSlug();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => at.ada.post('/teams', { name: 'A', slug })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array<number>(19).fill(409)]);
    });
  });
});

describe('GET /teams', () => {
  test('200 and [] for somebody new', async () => {
    const answer = await at.as(somebody()).get('/teams');
    expect([answer.status, answer.body]).toEqual([200, []]);
  });

  test("200 with one's own teams only, oldest first", async () => {
    const bob = at.as(somebody());
    const slugs = [await aTeam(bob), await aTeam(bob)];
    await aTeam(at.ada);
    const teams = await ok<TeamBody[]>(bob.get('/teams'));
    expect(teams.map(({ meta }) => meta.slug)).toEqual(slugs);
  });

  test('200 with the records that each team shows by itself, invite codes and special characters included', async () => {
    const bob = at.as(somebody());
    const odd = { name: '"%s"\\ \u2028\t日😀', description: 'a\nb "%"' };
    const slugs = [await aTeam(bob), freshSlug()];
    await ok(bob.post('/teams', { ...odd, slug: slugs[1] }));
    await sql(
      at.databaseUrl,
      `UPDATE team_members SET role = 'member' FROM teams t
       WHERE t.id = team_id AND t.slug = $1`,
      [slugs[0]],
    );
    await sql(
      at.databaseUrl,
      "UPDATE teams SET logo = 'https://x.test/a\"b', plan = 'pro' WHERE slug = $1",
      [slugs[1]],
    );
    const singles = await Promise.all(slugs.map((slug) => ok<TeamBody>(bob.get(`/teams/${slug}`))));
    expect(await ok(bob.get('/teams'))).toEqual(singles);
    expect(singles.map(({ inviteCode }) => inviteCode.length)).toEqual([0, 24]);
  });

  test('200: with limit in pages that Link connects; without it complete', async () => {
    const bob = at.as(somebody());
    const slugs: string[] = [];
    for (let made = 0; made < 5; made++) slugs.push(await aTeam(bob));
    // Two of the same moment are neither left out nor shown twice.
    await sql(
      at.databaseUrl,
      `UPDATE teams SET created_at = (SELECT created_at FROM teams WHERE slug = $1)
       WHERE slug = $2`,
      [slugs[1], slugs[2]],
    );
    const pages: string[][] = [];
    for (let path: string | undefined = '/teams?limit=2'; path !== undefined; ) {
      const { body, headers }: { body: TeamBody[]; headers: Record<string, string> } = await bob
        .get(path)
        .expect(200);
      pages.push(body.map(({ meta }) => meta.slug));
      path = /^<http:\/\/localhost:3000(\/teams\?[^>]+)>; rel="next"$/.exec(
        headers.link ?? '',
      )?.[1];
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat().sort()).toEqual([...slugs].sort());
    const whole = await bob.get('/teams').expect(200);
    expect(whole.body.map(({ meta }: TeamBody) => meta.slug)).toEqual(pages.flat());
    expect(whole.headers.link).toBeUndefined();
    expect((await bob.get('/teams?limit=5')).headers.link).toBeUndefined();
  });

  test('400 for a bad limit or cursor', async () => {
    const wrong = await offenders(
      [
        ['limit=0', 'limit must be a whole number from 1 to 1000'],
        ['limit=1001', 'limit must be a whole number from 1 to 1000'],
        ['cursor=nonsense', 'cursor must come from a Link header'],
      ],
      async ([query, says]) => {
        const { status, body } = await at.ada.get(`/teams?${query}`);
        expect([status, body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  test('401 without a token', async () => {
    const answer = await at.with(null).get('/teams');
    expect(answer.body).toEqual(error('unauthorized'));
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });
});

describe('GET /teams/{team_slug}', () => {
  test('200 for every member, with their role and an invite code from moderator up', async () => {
    const team = await aTeam(at.ada);
    for (const role of ['guest', 'member', 'moderator', 'owner'] as const) {
      const member = await aMember(at, team, role);
      const record = await ok<TeamBody & { role: string }>(member.get(`/teams/${team}`));
      expect(record.role).toBe(role);
      expect(record.inviteCode.length).toBe(['guest', 'member'].includes(role) ? 0 : 24);
    }
    expect(await ok(at.ada.get(`/teams/${team}`))).toMatchObject({
      membersCount: 5,
      usage: { users: 5 },
    });
  });

  test('200 with a teamId that agrees, 400 with one that contradicts', async () => {
    const team = await aTeam(at.ada);
    const { _id } = await ok<TeamBody>(at.ada.get(`/teams/${team}`));
    const other = await ok<TeamBody>(at.ada.get(`/teams/${await aTeam(at.ada)}`));
    const { slug } = await aWorkspace(at.ada, team);
    for (const path of ['', '/members', '/workspaces', `/workspaces/${slug}`, '/trash']) {
      await ok(at.ada.get(`/teams/${team}${path}?teamId=${_id}`));
      const answer = await at.ada.get(`/teams/${team}${path}?teamId=${other._id}`);
      expect([answer.status, answer.body]).toEqual([400, error('bad_request', 'teamId')]);
    }
  });

  test('a slug names another team from the moment that it passes to one', async () => {
    const bob = at.as(somebody());
    const slug = await aTeam(at.ada);
    const { slug: workspace } = await aWorkspace(at.ada, slug);
    const paths = ['', '/workspaces', `/workspaces/${workspace}`];
    const statuses = async (caller: Caller) =>
      Promise.all(paths.map(async (path) => (await caller.get(`/teams/${slug}${path}`)).status));
    expect(await statuses(at.ada)).toEqual([200, 200, 200]);
    const moved = freshSlug();
    await ok(at.ada.put(`/teams/${slug}`, { slug: moved }));
    expect(await statuses(at.ada)).toEqual([404, 404, 404]);
    const theirs = await ok<TeamBody>(bob.post('/teams', { name: 'Bobs', slug }));
    expect(await statuses(at.ada)).toEqual([403, 403, 403]);
    expect(await statuses(bob)).toEqual([200, 200, 404]);
    expect((await ok<TeamBody>(bob.get(`/teams/${slug}`)))._id).toBe(theirs._id);
    // Also where the slug passed on behind this process's back, as by another instance.
    await sql(at.databaseUrl, 'UPDATE teams SET slug = $2 WHERE slug = $1', [slug, freshSlug()]);
    await sql(at.databaseUrl, 'UPDATE teams SET slug = $2 WHERE slug = $1', [moved, slug]);
    expect(await statuses(at.ada)).toEqual([200, 200, 200]);
    expect(await statuses(bob)).toEqual([403, 403, 403]);
  });

  test('403 for others: the existence of a team is no secret', async () => {
    const answer = await at.as(somebody()).get(`/teams/${await aTeam(at.ada)}`);
    expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'not a member')]);
  });

  test('404 or 400 for what can be no team', async () => {
    const wrong = await offenders(
      ['nobody', 'Not_A_Slug', '%00', '%ED%A0%80', 'x'.repeat(500)],
      async (slug) => {
        const answer = await at.ada.get(`/teams/${slug}`);
        expect([400, 404]).toContain(answer.status);
      },
    );
    expect(wrong).toEqual([]);
  });
});

describe('PUT /teams/{team_slug}', () => {
  at.eachTest('team');

  describe('200', () => {
    test('changes what is named and nothing else', async () => {
      await ok(at.ada.put(`/teams/${at.team}`, { description: 'Old' }));
      const changed = await ok(at.ada.put(`/teams/${at.team}`, { name: 'New' }));
      expect(changed).toMatchObject({ name: 'New', description: 'Old', meta: { title: 'New' } });
      expect(await ok(at.ada.get(`/teams/${at.team}`))).toEqual(changed);
    });

    test('clears the description with null', async () => {
      await ok(at.ada.put(`/teams/${at.team}`, { description: 'Old' }));
      const cleared = await ok(at.ada.put(`/teams/${at.team}`, { description: null }));
      expect(cleared).toMatchObject({ description: null, meta: { description: '' } });
    });

    test('changes nothing for {}', async () => {
      const before = await ok(at.ada.get(`/teams/${at.team}`));
      expect(await ok(at.ada.put(`/teams/${at.team}`, {}))).toEqual(before);
    });

    test('moves the team to a new slug', async () => {
      const slug = freshSlug();
      await ok(at.ada.put(`/teams/${at.team}`, { slug }));
      await ok(at.ada.get(`/teams/${slug}`));
      expect((await at.ada.get(`/teams/${at.team}`)).status).toBe(404);
    });

    test('lets a moderator send the slug that the team has', async () => {
      const moderator = await aMember(at, at.team, 'moderator');
      await ok(moderator.put(`/teams/${at.team}`, { name: 'New', slug: at.team }));
    });
  });

  test('400 for a body that is wrong', async () => {
    const wrong = await offenders(
      [
        [{ name: null }, 'name'],
        [{ slug: null }, 'slug'],
        [{ name: '' }, 'name'],
        [{ slug: 'ab' }, 'slug'],
        [{ Name: 'x' }, 'did you mean name?'],
      ],
      async ([body, says]) => {
        const answer = await at.ada.put(`/teams/${at.team}`, body);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
  });

  describe('403', () => {
    test('for guests and members', async () => {
      const wrong = await offenders(['guest', 'member'] as const, async (role) => {
        const person = await aMember(at, at.team, role);
        const answer = await person.put(`/teams/${at.team}`, { name: 'New' });
        expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'moderator')]);
      });
      expect(wrong).toEqual([]);
    });

    test('for a moderator who wants another slug', async () => {
      const moderator = await aMember(at, at.team, 'moderator');
      const answer = await moderator.put(`/teams/${at.team}`, { slug: freshSlug() });
      expect([answer.status, answer.body]).toEqual([403, error('forbidden', 'owner')]);
    });

    test('for others', async () => {
      const answer = await at.as(somebody()).put(`/teams/${at.team}`, { name: 'New' });
      expect(answer.status).toBe(403);
    });
  });

  test('404 for no team', async () => {
    const answer = await at.ada.put('/teams/nobody', { name: 'New' });
    expect([answer.status, answer.body]).toEqual([404, error('not_found', 'team not found')]);
  });

  test('409 when the slug is taken', async () => {
    const answer = await at.ada.put(`/teams/${at.team}`, { slug: await aTeam(at.ada) });
    expect([answer.status, answer.body]).toEqual([409, error('conflict', 'slug')]);
  });
});

describe('TEAMS_PER_OWNER', () => {
  const LIMIT = 3;
  const REACHED =
    'a person can own at most 3 teams: make someone else an owner of one and leave it';

  const at = scene({ env: { TEAMS_PER_OWNER: String(LIMIT) } });
  let ada: Known;
  let other: Known;
  beforeEach(async () => {
    ada = await someone(at);
    other = await someone(at, 'Other');
  });

  const create = () => ada.post('/teams', { name: 'Team', slug: freshSlug() });
  /** Teams that ada owns. */
  const owned = async (count: number): Promise<string[]> => {
    const slugs: string[] = [];
    while (slugs.length < count) slugs.push(await aTeam(ada));
    return slugs;
  };
  const ownedRows = async () =>
    (
      await sql(at.databaseUrl, "SELECT FROM team_members WHERE user_id = $1 AND role = 'owner'", [
        ada.id,
      ])
    ).length;
  const answer = ({ status, body }: { status: number; body: { error?: { message: string } } }) => [
    status,
    body.error?.message,
  ];

  /** Makes ada a member of a team of somebody else. @returns asks to make her an owner of it */
  async function promotion() {
    const team = await aTeam(other);
    const inviteCode = await codeOf(other, team);
    await ok(ada.post('/teams/join', { inviteCode }));
    return () => other.put(`/teams/${team}/members`, { userId: ada.id, role: 'owner' });
  }

  /** An invite that makes ada an owner. */
  async function invitation() {
    const invite = await anInvite(other, await aTeam(other), ada.person.email, 'owner');
    return () => ada.post(`/invites/${invite._id}/accept`);
  }

  test('403 for one team more than a person may own, with the bound in the message', async () => {
    await owned(LIMIT);
    expect(answer(await create())).toEqual([403, REACHED]);
    expect(await ownedRows()).toBe(LIMIT);
  });

  test('teams of others, in any role below owner, do not count', async () => {
    await owned(LIMIT - 1);
    await promotion();
    await create().expect(200);
  });

  test('403 for accepting an invite as owner; the invite stays, and room lets it in', async () => {
    const [first] = await owned(LIMIT);
    const accept = await invitation();
    expect(answer(await accept())).toEqual([403, REACHED]);
    const invite = await anInvite(ada, first as string, other.person.email, 'owner');
    await ok(other.post(`/invites/${invite._id}/accept`));
    await ok(ada.delete(`/teams/${first}/members`, { userId: ada.id }));
    await accept().expect(200);
  });

  test('403 for making somebody an owner who owns that many; an owner stays one', async () => {
    const [first] = await owned(LIMIT);
    const promote = await promotion();
    expect(answer(await promote())).toEqual([403, REACHED]);
    const same = { userId: ada.id, role: 'owner' };
    await ada.put(`/teams/${first}/members`, same).expect(200);
    expect(await ownedRows()).toBe(LIMIT);
  });

  test('404 for making somebody an owner who is not in the team', async () => {
    const team = await aTeam(other);
    for (const userId of [ada.id, 'nobody']) {
      await other.put(`/teams/${team}/members`, { userId, role: 'owner' }).expect(404);
    }
  });

  test.each(['create', 'accept', 'promote'])(
    'two ways at once to the last team: one of them, create and %s',
    async (way) => {
      await owned(LIMIT - 1);
      const ways = { create: async () => create, accept: invitation, promote: promotion };
      const second = await ways[way as keyof typeof ways]();
      const lock = await holdLock(at.databaseUrl, 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [
        ada.id,
      ]);
      const requests = [create(), second()].map((request) => Promise.resolve(request));
      await lock.waiting(2);
      await lock.release();
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 403]);
      expect(await ownedRows()).toBe(LIMIT);
    },
  );

  test('20 at once: exactly as many as may be', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(await ownedRows()).toBe(LIMIT);
  });
});
