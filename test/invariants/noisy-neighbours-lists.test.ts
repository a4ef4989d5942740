import { type Caller, somebody } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { describeAlone } from '../support/inside.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

/** One more than a short list has. */
const MANY = 101;

describeAlone('long lists of one caller', () => {
  const at = scene({
    env: {
      PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
      TEAMS_PER_OWNER: '0',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    once: 'workspace',
    proxied: true,
  });
  let bob: Caller;
  let quiet: string;
  let page: string;

  beforeAll(async () => {
    bob = at.as(somebody('Bob'));
    quiet = await aTeam(bob);
    page = (await anItem(bob, (await aWorkspace(bob, quiet)).query, { object: 'item' })).id;
    const { _id: id, email } = await ok<{ _id: string; email: string }>(at.ada.get('/me'));
    const insert = (text: string, values: unknown[]) =>
      sql(at.databaseUrl, text.replaceAll('numbers', `generate_series(1, ${MANY})`), values);
    await insert(
      `WITH added AS (
         INSERT INTO teams (id, slug, name, invite_code)
         SELECT gen_random_uuid(), 'long-' || n, 'T', 'long-' || n FROM numbers n RETURNING id
       ), counted AS (INSERT INTO team_usage (team_id, users) SELECT id, 1 FROM added), invited AS (
         INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
         SELECT gen_random_uuid(), id, $2, 'member', $1, now() + interval '1 day' FROM added
       )
       INSERT INTO team_members (team_id, user_id, role) SELECT id, $1, 'owner' FROM added`,
      [id, email],
    );
    await insert(
      `INSERT INTO workspaces (team_id, id, slug, name)
       SELECT t.id, gen_random_uuid(), 'long-' || n, 'W' FROM teams t, numbers n WHERE t.slug = $1`,
      [at.team],
    );
    await insert(
      `WITH added AS (
         INSERT INTO users (id, issuer, subject, email, name)
         SELECT gen_random_uuid(), 'long', n::text, 'long' || n || '@example.com', 'L' FROM numbers n
         RETURNING id
       )
       INSERT INTO team_members (team_id, user_id, role)
       SELECT t.id, u.id, 'member' FROM added u, teams t WHERE t.slug = $1`,
      [at.team],
    );
  });

  /** What bob does, on each of the connections that point reads share: everything answers 200. */
  async function bobReads(): Promise<void> {
    for (let n = 0; n < 4; n++) {
      await ok(bob.get(`/collections/${page}`));
      await ok(bob.get(`/teams/${quiet}`));
      await ok(bob.get(`/teams/${quiet}/workspaces`));
      await ok(bob.get('/teams'));
    }
  }

  const lists: [statement: string, path: () => string][] = [
    ['teams.list', () => '/teams'],
    ['teams.list', () => '/teams?limit=10'],
    ['workspaces.list', () => `/teams/${at.team}/workspaces`],
    ['search.workspaces', () => `/teams/${at.team}/search?q=page`],
    ['teams.members', () => `/teams/${at.team}/members`],
    ['teams.members', () => `/teams/${at.team}/members?limit=10`],
    ['invites.list', () => '/invites'],
  ];

  test.each(lists)(
    '%s, %#: is read aside, and leaves point reads and short lists to others',
    async (statement, path) => {
      const held = at.proxy.holdResponse(statement);
      let answered = 0;
      const requests = [1, 2, 3, 4].map(async () => {
        const { status } = await at.ada.get(path());
        answered++;
        return status;
      });
      await held.arrived;
      await bobReads();
      // The one whose response is held.
      expect(answered).toBeLessThan(4);
      held.release();
      expect(await Promise.all(requests)).toEqual([200, 200, 200, 200]);
    },
    60_000,
  );

  test('one caller with many long lists leaves connections for the long lists of others', async () => {
    const eve = at.as(somebody('Eve'));
    const { inviteCode } = await ok<{ inviteCode: string }>(at.ada.get(`/teams/${at.team}`));
    await ok(eve.post('/teams/join', { inviteCode }));
    // As many as there are connections: ada may hold two of them at a time.
    const held = Array.from({ length: 5 }, () => at.proxy.holdResponse('teams.list'));
    const requests = Array.from({ length: 8 }, () => at.ada.get('/teams').then((r) => r.status));
    await Promise.all(held.slice(0, 2).map(({ arrived }) => arrived));
    await ok(eve.get(`/teams/${at.team}/members`));
    for (const { arrived, release } of held) void arrived.then(release);
    expect(await Promise.all(requests)).toEqual(Array(8).fill(200));
  }, 60_000);

  test('the pages of a long list are those of the whole, in its order', async () => {
    for (const path of ['/teams', `/teams/${at.team}/members`, '/invites']) {
      const elements = (body: unknown) =>
        (Array.isArray(body) ? body : (body as { users: unknown[] }).users) as { _id: string }[];
      const whole = elements((await at.ada.get(path).expect(200)).body);
      expect(whole.length).toBeGreaterThanOrEqual(MANY);
      const paged: { _id: string }[] = [];
      for (let next: string | undefined = `${path}?limit=40`; next; ) {
        const response: { body: unknown; headers: Record<string, string> } = await at.ada
          .get(next)
          .expect(200);
        paged.push(...elements(response.body));
        next = /<https?:\/\/[^/]+([^>]+)>/.exec(response.headers.link ?? '')?.[1];
      }
      expect(paged).toEqual(whole);
    }
  });

  test('a list of more than 5,000 is streamed, whole and in its order', async () => {
    const team = await aTeam(at.ada);
    await sql(
      at.databaseUrl,
      `INSERT INTO workspaces (team_id, id, slug, name, created_at)
       SELECT t.id, gen_random_uuid(), 'w-' || n, 'W ' || n, now() + n * interval '1 second'
       FROM teams t, generate_series(1, 5500) n WHERE t.slug = $1`,
      [team],
    );
    const body = await ok<{ name: string }[]>(at.ada.get(`/teams/${team}/workspaces`));
    expect(body.map(({ name }) => name)).toEqual(
      Array.from({ length: 5500 }, (_, n) => `W ${n + 1}`),
    );
    await at.as(somebody('Mallory')).get(`/teams/${team}/workspaces`).expect(403);
  });
});
