import fc from 'fast-check';
import { somebody } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { error } from '../../support/errors.js';
import { testInside } from '../../support/inside.js';
import { aMember, bytes, giveRole, type Known, type TeamRole } from '../../support/members.js';
import { offenders } from '../../support/offenders.js';
import { runs } from '../../support/runs.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';
import { everyItem } from '../../support/tree.js';

const at = scene({
  env: {
    PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
    RATE_LIMIT_PER_MINUTE: '100000',
  },
  each: 'workspace',
});

interface Hit extends ItemBody {
  team: string;
  workspace: string;
  ancestors: { id: string; name: string; slug: string }[];
  workspaceMeta: { title: string; slug: string };
}

const queryOf = (q: string, more = '') => `q=${encodeURIComponent(q)}${more}`;
/** What a caller finds in this test's workspace, and in the team. */
const search = (q: string, more = '', caller = at.ada) =>
  ok<Hit[]>(caller.get(`/collections/search${at.query}&${queryOf(q, more)}`));
const searchTeam = (q: string, more = '', caller = at.ada) =>
  ok<Hit[]>(caller.get(`/teams/${at.team}/search?${queryOf(q, more)}`));
const namesOf = (hits: readonly ItemBody[]) => hits.map(({ name }) => name);
const pages = (...names: string[]) =>
  ok<ItemBody[]>(
    at.ada.post(`/collections/batch${at.query}`, {
      items: names.map((name) => ({ name, object: 'item' })),
    }),
  );

describe('GET /collections/search', () => {
  test('200 with records as lists show them, their ancestors and their workspace', async () => {
    const guides = await anItem(at.ada, at.query, { name: 'Guides' });
    const inner = await anItem(at.ada, at.query, { name: 'Inner "1"', parent: guides.id });
    const content = { text: 'x' };
    await anItem(at.ada, at.query, {
      name: 'First day',
      object: 'item',
      parent: inner.id,
      content,
    });
    const [hit, ...others] = await search('first');
    expect(others).toEqual([]);
    const tree = await ok<ItemBody[]>(at.ada.get(`/collections${at.query}`));
    const listed = everyItem(tree).find(({ name }) => name === 'First day');
    const refOf = ({ id, name, meta }: ItemBody) => ({ id, name, slug: meta.slug });
    expect(hit).toEqual({
      ...listed,
      ancestors: [refOf(guides), refOf(inner)],
      workspaceMeta: { title: 'Workspace', slug: at.workspace.slug },
    });
    const [collection] = await search('guides');
    expect(collection).toMatchObject({ id: guides.id, object: 'collection', ancestors: [] });
    expect(collection).not.toHaveProperty('children');
    expect(collection).not.toHaveProperty('content');
    const long = `${at.workspace.path}/collections/search?q=first`;
    expect(await ok(at.ada.get(long))).toEqual([hit]);
  });

  test('200 and [] for nothing', async () => {
    expect(await search('anything')).toEqual([]);
    await pages('Something');
    expect(await search('anything')).toEqual([]);
  });

  test('200 in order: equal, begins with it, has a word that begins with it, others; shorter ones first', async () => {
    const inOrder = ['Plan', 'plan', 'Plan B', 'planet', 'Plan for 2027'];
    const after = ['A plan', 'The planet', 'airplane', 'Airplanes', 'esplanade'];
    await pages(...[...inOrder, ...after].reverse());
    expect(namesOf(await search('plan'))).toEqual([...inOrder, ...after]);
    // White space at the ends is not looked for.
    for (const q of ['plan', '\uFEFF plan\u3000']) {
      expect(namesOf(await search(q, '&limit=3'))).toEqual(inOrder.slice(0, 3));
    }
    expect(namesOf(await search('PLAN b'))).toEqual(['Plan B']);
  });

  test('200 with equal names in the order of their ids, the same each time', async () => {
    const made = await pages(...Array.from({ length: 30 }, () => 'Same'));
    const ids = made.map(({ id }) => id).sort();
    for (const limit of [5, 30, 100]) {
      const hits = await search('same', `&limit=${limit}`);
      expect(hits.map(({ id }) => id)).toEqual(ids.slice(0, limit));
    }
    expect(await search('same')).toHaveLength(20);
  });

  test('200 with each word somewhere in the name, in any order', async () => {
    await pages('Release notes 2027', 'Notes on a release', 'Release plan', 'Unreleased notes');
    expect(namesOf(await search('notes release'))).toEqual([
      'Unreleased notes',
      'Notes on a release',
      'Release notes 2027',
    ]);
    expect(await search('release notes plan')).toEqual([]);
    expect(namesOf(await search('  release \t plan\u3000'))).toEqual(['Release plan']);
    for (const space of ['\uFEFF', '\u0085', '\u2028']) {
      expect(namesOf(await search(`plan${space}release`))).toEqual(['Release plan']);
    }
  });

  test('200 with the item whose slug it is, once, and first', async () => {
    const { id, meta } = await anItem(at.ada, at.query, { name: 'First day' });
    await ok(at.ada.put(`/collections/${id}`, { name: 'Renamed' }));
    expect(meta.slug).toBe('first-day');
    await pages('first-day', 'first-day two');
    expect(namesOf(await search('first-day'))).toEqual(['Renamed', 'first-day', 'first-day two']);
    expect(namesOf(await search('First-day'))).toEqual(['first-day', 'first-day two']);
    expect(await search('first-da', '&object=collection')).toEqual([]);
    const { meta: own } = await anItem(at.ada, at.query, { name: 'Own' });
    expect(await search(own.slug)).toHaveLength(1);
  });

  test('200 with collections or pages only', async () => {
    await anItem(at.ada, at.query, { name: 'Plans' });
    await pages('Plan');
    expect(namesOf(await search('plan'))).toEqual(['Plan', 'Plans']);
    expect(namesOf(await search('plan', '&object=collection'))).toEqual(['Plans']);
    expect(namesOf(await search('plan', '&object=item'))).toEqual(['Plan']);
    expect(await search('plans', '&object=item')).toEqual([]);
  });

  test('200 with what a name is now; neither what is in the trash nor what is purged', async () => {
    const shelf = await anItem(at.ada, at.query, { name: 'Shelf' });
    const book = await anItem(at.ada, at.query, { name: 'Book', object: 'item', parent: shelf.id });
    await ok(at.ada.put(`/collections/${book.id}`, { name: 'Tome' }));
    expect(namesOf(await search('tome'))).toEqual(['Tome']);
    // By its slug only.
    expect(namesOf(await search('book'))).toEqual(['Tome']);
    expect(await search('boo')).toEqual([]);
    await ok(at.ada.delete(`/collections/${shelf.id}`));
    for (const q of ['tome', 'book', 'shelf']) expect(await search(q)).toEqual([]);
    await ok(at.ada.post(`/collections/trash/${shelf.id}/restore`, {}));
    expect(await search('tome')).toMatchObject([{ id: book.id, ancestors: [{ id: shelf.id }] }]);
    await ok(at.ada.delete(`/collections/${shelf.id}?permanent=true`));
    expect(await search('tome')).toEqual([]);
  });

  test('400 for a query that is wrong', async () => {
    const wrong = await offenders(
      [
        ['', 'q is required'],
        ['q=', 'q must be 1 to 100 characters'],
        ['q=%20%E3%80%80', 'q must not be blank'],
        [`q=${'x'.repeat(101)}`, 'q must be 1 to 100 characters'],
        ['q=%00', 'q must not contain the character NUL'],
        ['q=a&q=b', 'q must be given once'],
        ['q=a&limit=0', 'limit must be a whole number from 1 to 100'],
        ['q=a&limit=101', 'limit must be a whole number from 1 to 100'],
        ['q=a&object=page', 'object must be one of collection, item'],
        ['q=a&team_slug=other', 'team_slug'],
      ],
      async ([query, says]) => {
        const answer = await at.ada.get(`/collections/search${at.query}&${query}`);
        expect([answer.status, answer.body]).toEqual([400, error('bad_request', says)]);
      },
    );
    expect(wrong).toEqual([]);
    const nowhere = await at.ada.get('/collections/search?q=a');
    expect(nowhere.body).toEqual(error('bad_request', 'workspace_slug must be given'));
  });

  test('401 without a token, 403 for someone outside the team', async () => {
    const path = `/collections/search${at.query}&q=a`;
    expect((await at.with(null).get(path)).status).toBe(401);
    expect((await at.as(somebody()).get(path)).body).toEqual(error('forbidden', 'not a member'));
  });

  test('404 for a hidden workspace, as for one that does not exist', async () => {
    const member = await aMember(at, at.team, 'member');
    const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    await anItem(at.ada, hidden.query, { name: 'Secret' });
    const responses: string[] = [];
    for (const slug of [hidden.slug, 'nowhere']) {
      const query = `?team_slug=${at.team}&workspace_slug=${slug}&q=secret`;
      responses.push(bytes(await member.get(`/collections/search${query}`)));
    }
    expect(responses[0]).toContain('404');
    expect(responses[0]).toBe(responses[1]);
  });
});

describe('GET /teams/{team_slug}/search', () => {
  test('200 with hits of all workspaces, the best first, each with its own', async () => {
    const other = await aWorkspace(at.ada, at.team, { name: 'Other' });
    const parent = await anItem(at.ada, other.query, { name: 'Outer' });
    await anItem(at.ada, other.query, { name: 'Plan', parent: parent.id });
    await pages('Plan B');
    const elsewhere = await aWorkspace(at.ada, await aTeam(at.ada));
    await anItem(at.ada, elsewhere.query, { name: 'Plan' });
    const hits = await searchTeam('plan');
    expect(hits).toMatchObject([
      {
        name: 'Plan',
        workspace: other.id,
        workspaceMeta: { title: 'Other', slug: other.slug },
        ancestors: [{ name: 'Outer' }],
      },
      { name: 'Plan B', workspace: at.workspace.id, ancestors: [] },
    ]);
    expect(await searchTeam('plan', '&limit=1')).toEqual(hits.slice(0, 1));
    // Both workspaces have an item of this slug.
    await anItem(at.ada, at.query, { name: 'Outer' });
    expect(await searchTeam('outer')).toHaveLength(2);
    await ok(at.ada.delete(other.path));
    expect(namesOf(await searchTeam('plan'))).toEqual(['Plan B']);
  });

  test('200 and [] in a team without workspaces', async () => {
    const team = await aTeam(at.ada);
    expect(await ok(at.ada.get(`/teams/${team}/search?q=a`))).toEqual([]);
  });

  test('400 without q, 401 without a token, 403 for someone outside, 404 for no team', async () => {
    const statusOf = async (path: string, caller = at.ada as Parameters<typeof search>[2]) =>
      (await (caller ?? at.ada).get(path)).status;
    expect(await statusOf(`/teams/${at.team}/search`)).toBe(400);
    expect((await at.with(null).get(`/teams/${at.team}/search?q=a`)).status).toBe(401);
    expect((await at.as(somebody()).get(`/teams/${at.team}/search?q=a`)).status).toBe(403);
    expect(await statusOf('/teams/nobody-has-this/search?q=a')).toBe(404);
  });

  test('each role finds what it may read, and nothing else', async () => {
    const kinds = {
      open: { visibility: 'public', defaultAccess: 'full' },
      readable: { visibility: 'public', defaultAccess: 'read-only' },
      secret: { visibility: 'private' },
      trashed: { visibility: 'public' },
    };
    const people: [TeamRole, 'editor' | 'reader' | null, string[]][] = [
      ['guest', null, []],
      ['guest', 'reader', ['open', 'readable', 'secret']],
      ['member', null, ['open', 'readable']],
      ['member', 'editor', ['open', 'readable', 'secret']],
      ['moderator', null, ['open', 'readable']],
      ['owner', null, ['open', 'readable']],
      ['owner', 'reader', ['open', 'readable', 'secret']],
    ];
    const places: Record<string, Awaited<ReturnType<typeof aWorkspace>>> = {};
    for (const [name, settings] of Object.entries(kinds)) {
      const place = await aWorkspace(at.ada, at.team, settings);
      places[name] = place;
      await anItem(at.ada, place.query, { name: `Page ${name}`, object: 'item' });
      const gone = await anItem(at.ada, place.query, { name: `Page ${name} gone`, object: 'item' });
      await ok(at.ada.delete(`/collections/${gone.id}`));
    }
    const callers: Known[] = [];
    for (const [teamRole, role] of people) {
      const caller = await aMember(at, at.team, teamRole);
      callers.push(caller);
      for (const { id } of Object.values(places)) if (role) await giveRole(at, id, caller, role);
    }
    await ok(at.ada.delete(`${places.trashed?.path}`));
    const wrong = await offenders([...people.entries()], async ([n, [, , readable]]) => {
      const caller = callers[n] as Known;
      const expected = readable.map((name) => `Page ${name}`).sort();
      expect(namesOf(await searchTeam('page', '', caller)).sort()).toEqual(expected);
      for (const [name, { query }] of Object.entries(places)) {
        const { status } = await caller.get(`/collections/search${query}&q=page`);
        expect([name, status]).toEqual([name, readable.includes(name) ? 200 : 404]);
      }
    });
    expect(wrong).toEqual([]);
  });

  // The rate limit of one process.
  testInside('a hidden hit leaves no trace in the response', async () => {
    const team = await aTeam(at.ada);
    const open = await aWorkspace(at.ada, team);
    const hidden = await aWorkspace(at.ada, team, { visibility: 'private' });
    await anItem(at.ada, open.query, { name: 'Open plan' });
    const callers = [await aMember(at, team, 'owner'), await aMember(at, team, 'guest')];
    const seen = async (caller: Known) => {
      const { status, text, headers } = await caller.get(`/teams/${team}/search?q=plan`);
      // What differs from one request to the next.
      const { date, ratelimit, 'x-request-id': id, ...others } = headers;
      expect([date, ratelimit, id].every((header) => header !== undefined)).toBe(true);
      const left = Number(/r=(\d+)/.exec(String(ratelimit))?.[1]);
      return { shown: { status, text, headers: others }, left };
    };
    for (const caller of callers) {
      const before = await seen(caller);
      const names = Array.from({ length: 50 }, (_, n) => ({ name: `Secret plan ${n}` }));
      await ok(at.ada.post(`/collections/batch${hidden.query}`, { items: names }));
      const after = await seen(caller);
      expect(after.shown).toEqual(before.shown);
      expect(after.left).toBe(before.left - 1);
    }
  });
});

describe('words', () => {
  /** Each finds the name, and nothing of the others. */
  const FOUND: [name: string, ...texts: string[]][] = [
    ['100% sure', '100%', '%', '% sure'],
    ['snake_case', 'snake_', '_', 'e_c'],
    ['back\\slash', 'back\\', '\\', '\\s'],
    [`it's "quoted"`, `'`, '"', `"quoted"`, "it's"],
    ['Party 🎉👩‍👩‍👧', '🎉', '👩‍👩‍👧', '🎉👩'],
    ['Résumé', 'RÉSUMÉ', 're\u0301sume\u0301', 'sumé'],
    ['Ame\u0301lie', 'amélie', 'AMÉLIE', 'e\u0301lie'],
    ['שלום עולם', 'עולם', 'לום'],
    ['مرحبا بالعالم', 'بالعالم'],
    ['議事録', '議', '事録', '議事録'],
    ['会議', '会', '会議'],
    ['İstanbul', 'istanbul', 'ISTANBUL', 'İSTANBUL', 'ıstanbul', 'i\u0307stan'],
    ['Straße', 'strasse', 'STRASSE', 'STRAẞE', 'straße', 'aß'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ', 'ΟΔΟ', 'ς'],
    ['ﬁnance', 'finance', 'FINANCE', 'ﬁ'],
    ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full width', 'FULL'],
    ['tab\tand\nline', 'tab and', 'and line', 'line'],
    ['x²', 'x2'],
    ['㎒ band', 'mhz', 'MHz b'],
    ['ẖ', 'H\u0331'],
  ];

  test('mean themselves, whatever case, form and script they have', async () => {
    await pages(...FOUND.map(([name]) => name));
    const rows = FOUND.flatMap(([name, ...texts]) => texts.map((text) => [name, text] as const));
    const wrong = await offenders(rows, async ([name, text]) => {
      const names = namesOf(await search(text));
      expect(names).toContain(name);
      // One letter of Istanbul and finance occurs in others.
      expect(names.length).toBeLessThanOrEqual(text.length > 2 ? 1 : 3);
    });
    expect(wrong).toEqual([]);
  });

  test('one letter, 30 words, 100 characters', async () => {
    const name = 'abcdefghijklmnopqrstuvwxyz 01234';
    await pages(name, 'other');
    expect(namesOf(await search('q'))).toEqual([name]);
    expect(namesOf(await search([...name.replace(' ', '')].slice(0, 30).join(' ')))).toEqual([
      name,
    ]);
    expect(await search([...'abcdefghijklmnopqrstuvwxyz0123!'].join(' '))).toEqual([]);
    expect(await search('x'.repeat(100))).toEqual([]);
    expect(await search('😀'.repeat(100))).toEqual([]);
    expect(await search('ﷺ'.repeat(100))).toEqual([]);
    const longest = 'ﷺ'.repeat(32);
    await pages(longest);
    expect(namesOf(await search('ﷺ'))).toEqual([longest]);
  });

  /** As docs/search.md says. */
  const folded = (text: string): string =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .toUpperCase()
      .normalize('NFKC')
      .replaceAll('İ', 'I')
      .replace(/[\t-\r\u0085\u1680\u2028\u2029\uFEFF]/g, ' ');

  const byCodePoint = (a: string, b: string): number =>
    Buffer.compare(Buffer.from(a), Buffer.from(b));

  function expected(items: readonly ItemBody[], q: string, limit: number): string[] {
    const text = q.replace(/^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu, '');
    const words = text.split(/[\p{White_Space}\uFEFF]+/u).map(folded);
    const rankOf = ({ name, meta }: ItemBody): number => {
      const known = folded(name);
      if (known === folded(text) || meta.slug === text) return 0;
      if (!words.every((word) => known.includes(word))) return 4;
      if (known.startsWith(folded(text))) return 1;
      return known.includes(` ${folded(text)}`) ? 2 : 3;
    };
    return items
      .map((item) => ({ ...item, rank: rankOf(item) }))
      .filter(({ rank }) => rank < 4)
      .sort(
        (a, b) =>
          a.rank - b.rank ||
          [...a.name].length - [...b.name].length ||
          byCodePoint(a.name, b.name) ||
          byCodePoint(a.id, b.id),
      )
      .slice(0, limit)
      .map(({ id }) => id);
  }

  test('1,000 random names are found as a naive model finds them', async () => {
    const letters = fc.constantFrom(
      ...'aAbBiIıİsSßẞeEéÉσςΣ%_\\\'" \t\u3000\u0301\u0307e議事Ａﬁ😀ש-1',
    );
    const name = fc
      .array(letters, { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join(''))
      .filter((text) => text.trim() !== '');
    const names = fc.sample(name, { numRuns: 1000, seed: 37 });
    const items: ItemBody[] = [];
    for (let n = 0; n < names.length; n += 500)
      items.push(...(await pages(...names.slice(n, n + 500))));
    const text = fc.oneof(
      fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
      fc.constantFrom(...names),
      fc.constantFrom(...items.map(({ meta }) => meta.slug)),
      fc
        .tuple(fc.constantFrom(...names), fc.constantFrom(...names))
        .map(([a, b]) => `${a[0]} ${b[0]}`),
    );
    await fc.assert(
      fc.asyncProperty(
        text.filter((q) => q.isWellFormed() && q.trim() !== ''),
        fc.constantFrom(1, 20, 100),
        async (q, limit) => {
          const hits = await search(q, `&limit=${limit}`);
          expect(hits.map(({ id }) => id)).toEqual(expected(items, q, limit));
        },
      ),
      { numRuns: runs(100, 2000) },
    );
  });
});

describe('cost', () => {
  const left = ({ headers }: { headers: Record<string, string> }): number =>
    Number(/r=(\d+)/.exec(`${headers.ratelimit}`)?.[1]);

  /** Puts so many pages into a workspace by SQL. */
  async function fill(workspaceId: string, count: number): Promise<void> {
    await sql(
      at.databaseUrl,
      `INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position, content)
       SELECT team_id, id, gen_random_uuid(), 'item', 'Row ' || n, 'row-' || n,
         'a' || lpad(n::text, 6, '0'), '{}'
       FROM workspaces, generate_series(1, $2::int) n WHERE id = $1`,
      [workspaceId, count],
    );
  }

  testInside('one point, and one more for each 10,000 names of readable workspaces', async () => {
    const { id } = at.workspace;
    await fill(id, 9_999);
    const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    await fill(hidden.id, 20_000);
    const member = await aMember(at, at.team, 'member');
    const costOf = async (path: string): Promise<number> => {
      const before = left(await member.get('/me'));
      return before - left(await member.get(path));
    };
    const workspace = `/collections/search${at.query}&q=row`;
    const team = `/teams/${at.team}/search?q=row`;
    expect(await costOf(workspace)).toBe(1);
    expect(await costOf(team)).toBe(1);
    await pages('One more');
    expect(await costOf(workspace)).toBe(2);
    expect(await costOf(team)).toBe(2);
    await giveRole(at, hidden.id, member, 'reader');
    expect(await costOf(workspace)).toBe(2);
    expect(await costOf(team)).toBe(4);
  });

  test('in a team of more than 1,000,000 pages, only names that begin with it, and the slug', async () => {
    await pages('Plan', 'plan B', 'A plan', 'airplane');
    const { id } = await anItem(at.ada, at.query, { name: 'Planned' });
    await ok(at.ada.put(`/collections/${id}`, { name: 'Other' }));
    const count = (number: number) =>
      sql(
        at.databaseUrl,
        'UPDATE team_usage SET pages = $2 WHERE team_id = (SELECT id FROM teams WHERE slug = $1)',
        [at.team, number],
      );
    await count(1_000_000);
    expect(await search('plan')).toHaveLength(4);
    await count(1_000_001);
    for (const find of [search, searchTeam]) {
      expect(namesOf(await find('PLAN'))).toEqual(['Plan', 'plan B']);
      expect(namesOf(await find('plan b'))).toEqual(['plan B']);
      expect(namesOf(await find('planned'))).toEqual(['Other']);
      expect(namesOf(await find('plan', '&limit=1'))).toEqual(['Plan']);
      expect(await find('b plan')).toEqual([]);
    }
    await count(4);
  });
});
