import pg from 'pg';
import { type InsideService, startStillService } from '../support/app.js';
import { aTeam, aWorkspace, type ItemBody, ok } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { describeAlone } from '../support/inside.js';
import { aMember, giveRole, type Known, someone } from '../support/members.js';
import { catchUp, placesIn, writerOf } from '../support/page-storm/index-hands.js';
import type { Workspace } from '../support/scene.js';
import { source } from '../support/sources.js';
import { sql } from '../support/sql.js';

describeAlone('a workspace that the caller may not read', () => {
  let service: InsideService;
  let proxy: DatabaseProxy;
  let databaseUrl: string;
  let drop: () => Promise<void>;
  let ada: Known;
  let team: string;
  let open: Workspace;
  let hidden: Workspace;
  /** An owner and a member of the team, and a guest who may read one workspace. */
  let others: Known[];
  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ url: databaseUrl, drop } = database);
    proxy = await startDatabaseProxy(databaseUrl);
    const env = {
      PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
      RATE_LIMIT_PER_MINUTE: '100000',
    };
    service = await startStillService(env, proxy.url);
    ada = await someone(service);
  });
  beforeEach(async () => {
    team = await aTeam(ada);
    open = await aWorkspace(ada, team);
    hidden = await aWorkspace(ada, team, { visibility: 'private' });
    const at = { ...service, databaseUrl };
    others = [await aMember(at, team, 'owner'), await aMember(at, team, 'member')];
    const guest = await aMember(at, team, 'guest');
    await giveRole(at, open.id, guest, 'reader');
    others.push(guest);
  });
  afterAll(async () => {
    await service.stop();
    await proxy.stop();
    await drop();
  });

  const content = (...texts: string[]) => ({
    type: 'doc',
    content: texts.map((text, n) => ({
      type: n === 0 ? 'heading' : 'paragraph',
      content: [{ type: 'text', text }],
    })),
  });
  const write = ({ query }: Workspace, count: number, ...texts: string[]) =>
    ok<ItemBody[]>(
      ada.post(`/collections/batch${query}`, {
        items: Array.from({ length: count }, (_, n) => ({
          ...{ name: `Page ${n}`, object: 'item', content: content(...texts) },
        })),
      }),
    );

  /** All that a caller can see of a search, and the statements that it took. */
  async function see(caller: Known, path: string) {
    let seen = { status: 0, text: '', headers: {} as Record<string, string>, left: 0 };
    const { statements } = await proxy.duringOne(async () => {
      const { status, text, headers } = await caller.get(path);
      // What differs from one request to the next.
      const { date, ratelimit, 'x-request-id': id, ...rest } = headers;
      expect([date, ratelimit, id].every((header) => header !== undefined)).toBe(true);
      seen = { status, text, headers: rest, left: Number(/r=(\d+)/.exec(`${ratelimit}`)?.[1]) };
    });
    const names = statements.map(({ name, text }) => name || text);
    // A connection does so once in a while.
    return { ...seen, statements: names.filter((name) => name !== 'DISCARD PLANS') };
  }

  const QUESTIONS = ['alpha', 'alp', '"alpha beta"', 'alpha gamma', '議事', 'nothing'];

  /** What all of them see of all questions, but for the points that are left; and the points that each cost. */
  async function seeAll() {
    const shown: object[] = [];
    for (const caller of others) {
      for (const q of QUESTIONS) {
        const query = `q=${encodeURIComponent(q)}&in=all`;
        for (const path of [
          `/teams/${team}/search?${query}`,
          `/collections/search${open.query}&${query}`,
          `/collections/search${hidden.query}&${query}`,
          `/collections/search${hidden.query.replace(hidden.slug, 'nowhere')}&${query}`,
        ]) {
          const before = await see(caller, '/me');
          const { left, ...seen } = await see(caller, path);
          shown.push({ q, ...seen, cost: before.left - left });
        }
      }
    }
    return shown;
  }

  /** What Ada sees, who may read it. */
  const seenByAda = (q: string) =>
    see(ada, `/teams/${team}/search?q=${encodeURIComponent(q)}&in=all&limit=100`);

  test('leaves no trace, whatever its index is', async () => {
    await write(open, 3, 'alpha heading', 'alpha beta', '議事録');
    await catchUp({ ...service, databaseUrl });
    // Somebody who has read it before: what they see is in no cache.
    await seeAll();
    const before = await seeAll();
    const expectSame = async () => expect(await seeAll()).toEqual(before);

    // Far behind: more changes and pages than a search looks at.
    await write(hidden, 400, 'alpha heading', 'alpha beta', '議事録');
    await expectSame();
    expect((await seenByAda('alpha')).headers).toHaveProperty('search-behind');

    // Its index is half written.
    const place = (await placesIn(databaseUrl)).find(({ id }) => id === hidden.id);
    if (!place) throw new Error('it is gone');
    const writer = writerOf(service);
    for (let n = 0; n < 2; n++) await writer.writePortion(place, null);
    await expectSame();

    await catchUp({ ...service, databaseUrl });
    await expectSame();
    const known = await seenByAda('alpha');
    expect(known.headers).not.toHaveProperty('search-behind');
    expect(JSON.parse(known.text)).toHaveLength(100);

    // It is loaded for the first time.
    await sql(
      databaseUrl,
      `UPDATE search_positions SET loaded_id = '00000000-0000-0000-0000-000000000000',
         since = now() - interval '1 hour' WHERE workspace_id = $1`,
      [hidden.id],
    );
    await expectSame();
    expect(Number((await seenByAda('alpha')).headers['search-behind'])).toBeGreaterThan(3000);
    await ok(ada.delete(hidden.path));
    await expectSame();
  });

  test('costs nothing, however many candidates it has', async () => {
    await write(open, 3, 'heading', 'beta alpha');
    for (let n = 0; n < 2; n++) await write(hidden, 1000, 'heading', 'beta alpha');
    await catchUp({ ...service, databaseUrl });
    const costOf = async (caller: Known): Promise<number> => {
      const path = `/teams/${team}/search?q=${encodeURIComponent('"alpha beta"')}&in=all`;
      const { left } = await see(caller, '/me');
      const found = await see(caller, path);
      expect([found.status, found.text]).toEqual([200, '[]']);
      return left - found.left;
    };
    for (const caller of others) expect(await costOf(caller)).toBe(1);
    expect(await costOf(ada)).toBe(3);
  });

  test('is neither read nor passed over: not a row or a block more, however large it is', async () => {
    await write(open, 30, 'alpha heading', 'alpha beta', '議事録');
    await write(hidden, 1, 'alpha heading', 'alpha beta', '議事録');
    await catchUp({ ...service, databaseUrl });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const small = await workOf(client, [open]);
      for (let n = 0; n < 3; n++)
        await write(hidden, 1000, 'alpha heading', 'alpha beta', '議事録');
      await catchUp({ ...service, databaseUrl });
      // And as many changes that its index does not have.
      for (let n = 0; n < 3; n++) await write(hidden, 1000, 'alpha heading', 'alpha beta');
      const large = await workOf(client, [open]);
      const both = await workOf(client, [open, hidden]);
      for (const [name, { rows, blocks }] of large.entries()) {
        expect([name, rows]).toEqual([name, small.get(name)?.rows]);
        // Shared indexes are a level or two deeper.
        expect(blocks - (small.get(name)?.blocks ?? 0)).toBeLessThan(12);
      }
      for (const name of ['in headings', 'anywhere', 'beginning'])
        expect((both.get(name)?.rows ?? 0) - (large.get(name)?.rows ?? 0)).toBeGreaterThan(1000);
    } finally {
      await client.end();
    }
  });

  interface Plan {
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    'Rows Removed by Index Recheck'?: number;
    'Shared Hit Blocks': number;
    'Shared Read Blocks': number;
    Plans?: Plan[];
  }

  const rowsOf = (plan: Plan): number =>
    plan['Actual Loops'] *
      (plan['Actual Rows'] +
        (plan['Rows Removed by Filter'] ?? 0) +
        (plan['Rows Removed by Index Recheck'] ?? 0)) +
    (plan.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0);

  /** Rows and blocks that the statements of a search in these workspaces look at. */
  async function workOf(client: pg.Client, workspaces: readonly Workspace[]) {
    const search = await source<
      typeof import('../../src/collections/search/page-search.repository.js')
    >('collections/search/page-search.repository.js');
    const { prefixOf, toTsquery } = await source<
      typeof import('../../src/collections/search/lexemes.js')
    >('collections/search/lexemes.js');
    await client.query('VACUUM ANALYZE');
    await client.query("SET plan_cache_mode = 'force_generic_plan'");
    const work = new Map<string, { rows: number; blocks: number }>();
    let asked = '';
    const query = async ({ text }: { text: string }, values: unknown[]) => {
      const name = `s${work.size}`;
      await client.query(`PREPARE ${name} AS ${text}`);
      const given = values.map((value) =>
        value === null
          ? 'NULL'
          : pg.escapeLiteral(
              Array.isArray(value)
                ? `{${value.map((each) => JSON.stringify(String(each))).join(',')}}`
                : String(value),
            ),
      );
      const execute = `EXECUTE ${name}(${given.join(', ')})`;
      // Once for the caches.
      const { rows } = await client.query(execute);
      const explained = await client.query(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${execute}`,
      );
      const plan = explained.rows[0]['QUERY PLAN'][0].Plan as Plan;
      const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      await client.query(`DEALLOCATE ${name}`);
      work.set(asked, { rows: rowsOf(plan), blocks });
      return rows;
    };
    const tx = { query } as unknown as Parameters<typeof search.findCandidates>[0];
    const ids = workspaces.map(({ id }) => id);
    const teams = await sql<{ id: string }>(databaseUrl, 'SELECT id FROM teams WHERE slug = $1', [
      team,
    ]);
    const teamId = teams[0]?.id as string;
    const terms = {
      'in headings': [{ word: 'alpha', isPrefix: false }],
      anywhere: [
        { word: 'beta', isPrefix: false },
        { word: 'alpha', isPrefix: true },
      ],
      beginning: [{ word: 'alp', isPrefix: true }],
    };
    for (const [name, words] of Object.entries(terms)) {
      asked = name;
      const queries = ids.map((workspaceId) => ({
        workspaceId,
        query: toTsquery(prefixOf(workspaceId), words, name === 'in headings'),
      }));
      await search.findCandidates(tx, teamId, queries, 10_000, null, false);
    }
    asked = 'behind';
    await search.findBehindAmong(tx, teamId, ids);
    asked = 'changed';
    const places = ids.map((workspaceId) => ({
      ...{ workspaceId, version: 0, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
      ...{ age: 0, newestAge: 0, isIncomplete: false },
    }));
    await search.findChangedPages(tx, teamId, places);
    return work;
  }
});
