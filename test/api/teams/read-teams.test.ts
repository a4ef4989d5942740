import { type Caller, somebody } from '../../support/app.js';
import { aTeam, aWorkspace, freshSlug, ok, type TeamBody } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { aMember } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene();

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
        ['cursor=nonsense', 'cursor must be one that a Link header gave'],
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
    await ok(at.ada.get(`/teams/${team}?teamId=${_id}`));
    const answer = await at.ada.get(`/teams/${team}?teamId=${other._id}`);
    expect([answer.status, answer.body]).toEqual([400, error('bad_request', 'teamId')]);
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
