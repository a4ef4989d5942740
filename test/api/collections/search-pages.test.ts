import type { PageIndexer } from '../../../src/collections/search/page-indexer.js';
import { type InsideService, startStillService } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, type ItemBody, ok } from '../../support/builders.js';
import { describeAlone } from '../../support/inside.js';
import { aMember, giveRole, type Known, someone } from '../../support/members.js';
import { scene, type Workspace } from '../../support/scene.js';
import { skipped } from '../../support/skipped.js';
import { sql } from '../../support/sql.js';

interface Hit extends ItemBody {
  snippet?: { text: string; match: boolean }[];
}

/** A page in the JSON of an editor. */
const doc = (text: string, heading = 'Introduction') => ({
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: heading }] },
    { type: 'paragraph', content: [{ type: 'text', text }] },
  ],
});

/** The status and the message of a response. */
const refusal = ({ status, body }: { status: number; body: { error: { message: string } } }) => [
  status,
  body.error.message,
];

const encoded = (q: string): string => encodeURIComponent(q);

describe('GET /collections/search?in=all', () => {
  const at = scene({
    env: {
      PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
      RATE_LIMIT_PER_MINUTE: '100000',
    },
    each: 'workspace',
  });
  const find = (q: string, more = '', caller = at.ada, query = at.query) =>
    ok<Hit[]>(caller.get(`/collections/search${query}&in=all&q=${encoded(q)}${more}`));
  const names = async (...given: Parameters<typeof find>) =>
    (await find(...given)).map(({ name }) => name);
  const page = (name: string, content: object, query = at.query) =>
    anItem(at.ada, query, { name, object: 'item', content });

  test('200 with the record of a list and an excerpt of the text', async () => {
    const { id } = await page('Holidays', doc('Ten days carry over to the next year.'));
    const [hit, ...others] = await find('carry');
    expect(others).toEqual([]);
    const { snippet = [], ...record } = hit as Hit;
    expect(record).toMatchObject({ id, name: 'Holidays', ancestors: [] });
    expect(record).not.toHaveProperty('content');
    expect(snippet.filter(({ match }) => match)).toEqual([{ text: 'carry', match: true }]);
    expect(snippet.map(({ text }) => text).join('')).toContain(
      'Ten days carry over to the next year.',
    );
  });

  test('names come first, then headings, then the newest change; each item once', async () => {
    await page('Old', doc('holiday'));
    await page('New', doc('holiday'));
    await page('Other', doc('nothing', 'The holiday rules'));
    await page('Holiday', doc('holiday'));
    await anItem(at.ada, at.query, { name: 'A holiday' });
    const all = ['Holiday', 'A holiday', 'Other', 'New', 'Old'];
    expect(await names('holiday')).toEqual(all);
    for (const limit of [1, 2, 3, 4]) {
      expect(await names('holiday', `&limit=${limit}`)).toEqual(all.slice(0, limit));
    }
    const hits = await find('holiday');
    expect(hits.map((hit) => 'snippet' in hit)).toEqual([false, false, true, true, true]);
    expect(await names('holiday', '&object=item')).toEqual(['Holiday', 'Other', 'New', 'Old']);
    expect(await names('holiday', '&object=collection')).toEqual(['A holiday']);
  });

  test('without `in`, or with `in=name`, by name only', async () => {
    await page('Page', doc('holiday'));
    for (const more of ['', '&in=name']) {
      expect(await ok(at.ada.get(`/collections/search${at.query}&q=holiday${more}`))).toEqual([]);
    }
  });

  test('all words, prefixes from three letters on, phrases, scripts without spaces', async () => {
    await page('Page', doc('The élan of Straße 知识库管理系统 and snake_case'));
    for (const q of ['elan', 'STRASSE', 'stra', 'elan snake', '库管', '管', 'snake_case', 'case']) {
      expect([q, await names(q)]).toEqual([q, ['Page']]);
    }
    expect(await names('"of strasse"')).toEqual(['Page']);
    for (const q of ['st', 'elan other', '库识', '"strasse of"']) {
      expect([q, await names(q)]).toEqual([q, []]);
    }
  });

  test('a page that has changed is found by what it says now, after every kind of write', async () => {
    const one = await page('One', doc('alpha'));
    expect(await names('alpha')).toEqual(['One']);
    await ok(at.ada.put(`/collections/${one.id}`, { content: doc('bravo') }));
    expect([await names('alpha'), await names('bravo')]).toEqual([[], ['One']]);
    const patch = [{ op: 'replace', path: '/content/1/content/0/text', value: 'charlie' }];
    await ok(at.ada.patch(`/collections/${one.id}/content`, patch));
    expect([await names('bravo'), await names('charlie')]).toEqual([[], ['One']]);
    const manifest = {
      items: [{ key: 'two', name: 'Two', object: 'item', content: doc('delta') }],
    };
    await ok(at.ada.put(`/collections/apply${at.query}`, manifest));
    const items = [{ name: 'Three', object: 'item', content: doc('echo') }];
    await ok(at.ada.post(`/collections/batch${at.query}`, { items }));
    expect([await names('delta'), await names('echo')]).toEqual([['Two'], ['Three']]);
    await ok(at.ada.delete(`/collections/${one.id}`));
    expect(await names('charlie')).toEqual([]);
    await ok(at.ada.post(`/collections/trash/${one.id}/restore`, {}));
    expect(await names('charlie')).toEqual(['One']);
    const other = await aWorkspace(at.ada, at.team);
    await ok(at.ada.post(`/collections/${one.id}/transfer`, { workspace_slug: other.slug }));
    expect([await names('charlie'), await names('charlie', '', at.ada, other.query)]).toEqual([
      [],
      ['One'],
    ]);
    const path = `/teams/${at.team}/search?in=all&q=charlie`;
    expect((await ok<Hit[]>(at.ada.get(path))).map(({ id }) => id)).toEqual([one.id]);
    await ok(at.ada.delete(`/collections/${one.id}?permanent=true`));
    expect(await ok(at.ada.get(path))).toEqual([]);
  });

  test('what a page of another workspace says is found by nobody who may not read it', async () => {
    const hidden = await aWorkspace(at.ada, at.team, { visibility: 'private' });
    const member = await aMember(at, at.team, 'owner');
    await page('Secret', doc('treasure'), hidden.query);
    const inTeam = (caller: Known) =>
      ok<Hit[]>(caller.get(`/teams/${at.team}/search?in=all&q=treasure`));
    expect(await inTeam(at.ada)).toHaveLength(1);
    expect(await inTeam(member)).toEqual([]);
    await giveRole(at, hidden.id, member, 'reader');
    expect(await inTeam(member)).toHaveLength(1);
  });

  test('400 for a ninth word and for another place; without any word, only names are searched', async () => {
    const nine = await at.ada.get(`/collections/search${at.query}&in=all&q=a+b+c+d+e+f+g+h+i`);
    expect(refusal(nine)).toEqual([400, 'q must have at most 8 words with in=all']);
    const other = await at.ada.get(`/collections/search${at.query}&in=text&q=a`);
    expect(refusal(other)).toEqual([400, 'in must be one of name, all']);
    await page('§', doc('§ and more'));
    await page('Page', doc('§'));
    expect(await names('§')).toEqual(['§']);
    await ok(at.ada.get(`/collections/search${at.query}&q=a+b+c+d+e+f+g+h+i`));
  });

  test('a text is found to its 512th kibibyte', async () => {
    const text = `${'x'.repeat(63)} `.repeat(8 * 1024);
    const [inside, beyond] = [text.length - 100, text.length].map((length) =>
      doc(`${text.slice(0, length)} findme`),
    );
    await page('Inside', inside as object);
    expect(await names('findme')).toEqual(['Inside']);
    await page('Beyond', beyond as object);
    expect(await names('findme')).not.toContain('Beyond');
  });
});

describeAlone('the index of words', () => {
  let service: InsideService;
  let ada: Known;
  let workspace: Workspace;
  beforeEach(async () => {
    service = await startStillService({
      PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}',
      RATE_LIMIT_PER_MINUTE: '100000',
    });
    ada = await someone(service);
    workspace = await aWorkspace(ada, await aTeam(ada));
  });
  afterEach(() => service.stop());

  const page = (text: string) =>
    anItem(ada, workspace.query, { object: 'item', content: doc(text) });
  const pages = (texts: string[]) =>
    ok<ItemBody[]>(
      ada.post(`/collections/batch${workspace.query}`, {
        items: texts.map((text) => ({ object: 'item', content: doc(text) })),
      }),
    );
  const save = (id: string, text: string) =>
    ok(ada.put(`/collections/${id}`, { content: doc(text) }));
  const round = () => service.provider<PageIndexer>('PageIndexer').runRound();
  /** As if this had happened a while ago. */
  const later = async () => {
    await service.advance(60_000);
    await run("UPDATE page_words SET indexed_at = '2000-01-01'");
  };
  const run = <Row extends object>(text: string, values: unknown[] = []) =>
    sql<Row>(service.databaseUrl, text, values);
  const search = async (q: string, more = '') => {
    const path = `/collections/search${workspace.query}&in=all&limit=100&q=${encoded(q)}${more}`;
    const response = await ada.get(path);
    const hits = await ok<Hit[]>(Promise.resolve(response));
    const behind = response.headers['search-behind'] as string | undefined;
    return { ids: hits.map(({ id }) => id), behind };
  };
  const found = async (q: string) => (await search(q)).ids;
  /** The words of a page, or of all, without what names the workspace. */
  const wordsOf = async (id: string | null = null): Promise<string[]> => {
    const rows = await run<{ word: string }>(
      `SELECT DISTINCT substr(word, 7) AS word
       FROM page_words, unnest(tsvector_to_array(words)) AS word WHERE $1::uuid IS NULL OR id = $1
       ORDER BY 1`,
      [id],
    );
    return rows.map(({ word }) => word);
  };
  const position = async () => {
    const rows = await run<{ version: string; end: boolean; loading: boolean }>(
      `SELECT version, id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' AS end, loaded_id IS NOT NULL AS loading
       FROM search_positions WHERE workspace_id = $1`,
      [workspace.id],
    );
    return rows[0];
  };

  test('has the words of a page, those of its title and headings twice', async () => {
    const { id } = await page('carry over');
    await round();
    const words = ['carry', 'introduction', 'over', 'untitled'];
    expect(await wordsOf(id)).toEqual(['#introduction', '#untitled', ...words]);
    expect(await position()).toEqual({ version: '1', end: true, loading: false });
  });

  test('adds the words of an edit, and is written again when most of them are gone', async () => {
    const { id } = await page('first');
    await round();
    for (let n = 0; n < 12; n++) {
      await later();
      await save(id, `word${n}`);
      await round();
      expect(await found(`word${n}`)).toEqual([id]);
      if (n > 0) expect(await found(`word${n - 1}`)).toEqual([]);
      expect(await wordsOf(id)).toContain(`word${n}`);
    }
    expect(await wordsOf(id)).not.toContain('first');
  });

  test('does not index a page again within ten seconds, and loses no other one for that', async () => {
    const one = await page('alpha');
    await round();
    await save(one.id, 'bravo');
    const two = await page('charlie');
    await round();
    expect(await wordsOf(one.id)).not.toContain('bravo');
    expect(await wordsOf(two.id)).toContain('charlie');
    expect((await position())?.version).toBe('1');
    expect([await found('bravo'), await found('charlie')]).toEqual([[one.id], [two.id]]);
    await later();
    await round();
    expect(await wordsOf(one.id)).toContain('bravo');
    expect((await position())?.version).toBe('3');
  });

  test('a search looks at the newest 50 pages that have changed, and says how far it is behind', async () => {
    const [first] = await pages(['alpha']);
    await run("UPDATE tree_changes SET created_at = now() - interval '100 seconds'");
    const others = await pages(Array.from({ length: 49 }, () => 'alpha'));
    expect(await search('alpha')).toMatchObject({ behind: undefined });
    expect(await found('alpha')).toHaveLength(50);
    const more = await pages(Array.from({ length: 3 }, () => 'alpha'));
    const { ids, behind } = await search('alpha');
    expect(ids).toHaveLength(50);
    expect(ids).toEqual(expect.arrayContaining(more.map(({ id }) => id)));
    expect(ids).not.toContain(first?.id);
    expect(Number(behind)).toBeGreaterThanOrEqual(100);
    await round();
    expect(await search('alpha')).toMatchObject({ behind: undefined });
    expect(await found('alpha')).toHaveLength(1 + others.length + more.length);
  });

  test('a search looks at 256 KiB of text that has changed, and at one page in any case', async () => {
    const long = 'word '.repeat(40_000);
    const texts = ['alpha', `${long} bravo`, `${long} charlie`];
    const made: ItemBody[] = [];
    for (const text of texts) made.push(await page(text));
    const [, two, three] = made.map(({ id }) => id);
    expect(await search('charlie')).toEqual({ ids: [three], behind: expect.any(String) });
    expect(await found('bravo')).toEqual([two]);
    expect(await found('alpha')).toEqual([]);
    await round();
    expect(await search('alpha')).toEqual({ ids: [made[0]?.id], behind: undefined });
  });

  test('words leave with their page: trash, deletion, transfer', async () => {
    const [one, two, three] = (await pages(['alpha', 'bravo', 'charlie'])).map(({ id }) => id);
    await round();
    await ok(ada.delete(`/collections/${one}`));
    await ok(ada.delete(`/collections/${two}?permanent=true`));
    const other = await aWorkspace(ada, workspace.path.split('/')[2] as string);
    await ok(ada.post(`/collections/${three}/transfer`, { workspace_slug: other.slug }));
    expect(await wordsOf()).toEqual([]);
    await round();
    expect(await wordsOf(three)).toContain('charlie');
    const rows = await run('SELECT DISTINCT workspace_id AS id FROM page_words');
    expect(rows).toEqual([{ id: other.id }]);
  });

  test('words leave with what 0.2.0 deletes, and with a workspace that it purges', async () => {
    const [one, two] = (await pages(['alpha', 'bravo'])).map(({ id }) => id);
    await round();
    // What 0.2.0 sends: it does not know the index.
    await run(
      `WITH w AS (UPDATE workspaces SET tree_version = tree_version + 1 WHERE id = $1 RETURNING *)
       INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp)
       SELECT team_id, id, tree_version, $2, tree_stamp FROM w`,
      [workspace.id, one],
    );
    await run('DELETE FROM collections WHERE id = $1', [one]);
    expect(await found('alpha')).toEqual([]);
    await round();
    expect([await wordsOf(one), (await wordsOf(two)).length > 0]).toEqual([[], true]);
    await run('DELETE FROM collections WHERE workspace_id = $1', [workspace.id]);
    await run('DELETE FROM tree_changes WHERE workspace_id = $1', [workspace.id]);
    await run('DELETE FROM workspaces WHERE id = $1', [workspace.id]);
    expect(await wordsOf()).toEqual([]);
  });

  test('the purge of versions writes the words of the page again before it responds', async () => {
    const { id } = await page('password');
    await round();
    await later();
    await save(id, 'nothing');
    await round();
    expect(await wordsOf(id)).toContain('password');
    await ok(ada.delete(`/collections/${id}/versions`));
    expect(await wordsOf(id)).not.toContain('password');
    expect(await found('nothing')).toEqual([id]);
  });

  test('is loaded, in portions, where the log does not have everything', async () => {
    const shelf = await anItem(ada, workspace.query, { name: 'Shelf' });
    const many = await pages(Array.from({ length: 450 }, (_, n) => `alpha n${n}`));
    await ok(
      ada.post(`/collections/batch${workspace.query}`, {
        parent: shelf.id,
        items: Array.from({ length: 450 }, () => ({ name: 'Empty shelf' })),
      }),
    );
    await run('DELETE FROM tree_changes');
    expect((await search('alpha')).behind).toEqual(expect.any(String));
    await round();
    expect(await position()).toMatchObject({ end: true, loading: false });
    expect(await search('alpha')).toMatchObject({ behind: undefined });
    expect(await found('n449')).toEqual([many[449]?.id]);
    // The log loses what the index has not followed: it begins again.
    await save(many[0]?.id as string, 'bravo');
    await save(many[1]?.id as string, 'charlie');
    await run('DELETE FROM tree_changes');
    await service.provider<PageIndexer>('PageIndexer').beforeApplicationShutdown();
    const next = await startStillService({}, service.databaseUrl);
    await next.provider<PageIndexer>('PageIndexer').runRound();
    await next.stop();
    expect(await found('bravo')).toEqual([many[0]?.id]);
    expect(await search('charlie')).toEqual({ ids: [many[1]?.id], behind: undefined });
  });

  test('is built again when its position is deleted, as the manual says', async () => {
    const { id } = await page('alpha');
    await round();
    await run('DELETE FROM search_positions WHERE workspace_id = $1', [workspace.id]);
    expect(await wordsOf()).toEqual([]);
    expect(await search('alpha')).toEqual({ ids: [id], behind: undefined });
    await service.provider<PageIndexer>('PageIndexer').beforeApplicationShutdown();
    const next = await startStillService({}, service.databaseUrl);
    await next.provider<PageIndexer>('PageIndexer').runRound();
    await next.stop();
    expect(await wordsOf(id)).toContain('alpha');
  });

  // A distributed table has no triggers.
  const testTrigger = process.env.TEST_DISTRIBUTED_URL ? skipped(test, 'it makes a trigger') : test;
  testTrigger('a page that it cannot take is set aside, and holds up no other one', async () => {
    const [one, two] = (await pages(['alpha', 'bravo'])).map(({ id }) => id);
    await run(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.count > 0 AND NEW.id = '${one}' THEN
          RAISE EXCEPTION 'string is too long for tsvector' USING ERRCODE = 'program_limit_exceeded';
        END IF;
        RETURN NEW;
      END $$`);
    await run(
      'CREATE TRIGGER refuse BEFORE INSERT ON page_words FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    await round();
    expect(await search('alpha')).toEqual({ ids: [], behind: undefined });
    expect(await found('bravo')).toEqual([two]);
    expect(await run('SELECT id FROM page_words WHERE is_set_aside')).toEqual([{ id: one }]);
    await run('DROP TRIGGER refuse ON page_words');
    await later();
    await save(one as string, 'alpha');
    await round();
    expect(await found('alpha')).toEqual([one]);
  });

  test('a page of many words is in several rows, and its words are found together', async () => {
    const signs = Array.from({ length: 40_000 }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    ).join('');
    const { id } = await page(`alpha ${signs} omega`);
    await round();
    const [{ rows } = { rows: 0 }] = await run<{ rows: number }>(
      'SELECT count(*)::int AS rows FROM page_words',
    );
    expect(rows).toBeGreaterThan(1);
    expect(await found(`alpha omega ${signs.slice(20_000, 20_003)}`)).toEqual([id]);
    await later();
    await save(id, `alpha ${signs} omega and psi`);
    await round();
    expect(await found('alpha psi omega')).toEqual([id]);
  });

  test('is followed by one instance at a time, which is succeeded when it stops', async () => {
    const other = await startStillService({}, service.databaseUrl);
    const rounds = [service, other].map(
      (of) => () => of.provider<PageIndexer>('PageIndexer').runRound(),
    );
    const { id } = await page('alpha');
    await rounds[0]?.();
    await page('bravo');
    await rounds[1]?.();
    expect(await wordsOf()).not.toContain('bravo');
    await service.provider<PageIndexer>('PageIndexer').beforeApplicationShutdown();
    await rounds[1]?.();
    expect(await wordsOf()).toContain('bravo');
    await other.stop();
    expect(await found('alpha')).toEqual([id]);
  });

  test('is removed with SEARCH_CONTENT=off, and builds itself when that is on again', async () => {
    const { id } = await page('alpha');
    await round();
    await run("UPDATE search_rounds SET leased_until = '2000-01-01'");
    const off = await startStillService({ SEARCH_CONTENT: 'off' }, service.databaseUrl);
    const refused = await off
      .as(ada.person)
      .get(`/collections/search${workspace.query}&in=all&q=alpha`);
    expect(refusal(refused)).toEqual([
      422,
      'this service does not search in pages: leave out in, or set it to name',
    ]);
    await ok(off.as(ada.person).get(`/collections/search${workspace.query}&in=name&q=alpha`));
    await off.provider<PageIndexer>('PageIndexer').runRound();
    expect([await wordsOf(), await position()]).toEqual([[], undefined]);
    await ok(off.as(ada.person).put(`/collections/${id}`, { content: doc('bravo') }));
    await off.stop();
    const on = await startStillService({}, service.databaseUrl);
    await on.provider<PageIndexer>('PageIndexer').runRound();
    await on.stop();
    expect(await wordsOf(id)).toContain('bravo');
    expect(await found('bravo')).toEqual([id]);
  });

  test('one point, and one more for each 1,000 pages that were read', async () => {
    const left = async () =>
      Number(/r=(\d+)/.exec(String((await ada.get('/me')).headers.ratelimit))?.[1]);
    await pages(Array.from({ length: 1000 }, () => 'alpha and bravo'));
    await round();
    const costOf = async (q: string) => {
      const before = await left();
      await search(q);
      return before - (await left()) - 1;
    };
    expect(await costOf('alpha')).toBe(1);
    expect(await costOf('"alpha bravo"')).toBe(2);
  });
});
