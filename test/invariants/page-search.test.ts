import { setTimeout as sleep } from 'node:timers/promises';
import { type InsideService, startStillService } from '../support/app.js';
import { aTeam, aWorkspace, type ItemBody, theTree } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { describeAlone } from '../support/inside.js';
import { assertInvariants } from '../support/invariants.js';
import { aMember, giveRole, type Known, someone } from '../support/members.js';
import { faultsOfIndex } from '../support/page-storm/index-check.js';
import { age, catchUp, placesIn, writeAtRandom } from '../support/page-storm/index-hands.js';
import { Lane, type StormPage } from '../support/page-storm/lane.js';
import {
  expectedHits,
  fromContent,
  newQuestion,
  pick,
  type Question,
  rankOf,
  toContent,
  toQ,
} from '../support/page-storm/oracle.js';
import { runs } from '../support/runs.js';
import type { Workspace } from '../support/scene.js';
import { everyItem } from '../support/tree.js';

/** Searches amid writes, and at quiet moments. */
const SEARCHES = runs(400, 5_000);
const ROUNDS = runs(5, 40);
/** How the index is written in a round. */
const MODES = [
  'at random',
  'never',
  'in rounds',
  'with connections cut',
  'by two at once',
] as const;
type Mode = (typeof MODES)[number];

interface Page extends ItemBody {
  updatedAt: string;
  content: ReturnType<typeof toContent>;
}

/** Somebody who searches. */
interface Reader {
  known: Known;
  team: string;
  /** Workspaces of the team whose content they may read. */
  places: readonly Workspace[];
}

/** A search amid writes, and what it found. */
interface Observation {
  question: Question;
  places: readonly Workspace[];
  start: number;
  end: number;
  isBehind: boolean;
  found: readonly string[];
}

describeAlone('search in pages amid a storm of writes', () => {
  let one: InsideService;
  /** The same database, by way of the proxy: it searches and writes the index, and no pages. */
  let two: InsideService;
  let proxy: DatabaseProxy;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase();
    drop = database.drop;
    proxy = await startDatabaseProxy(database.url);
    const env = { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' };
    one = await startStillService(env, database.url);
    two = await startStillService(env, proxy.url);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()]);
    await proxy.stop();
    await drop();
  });

  const pathOf = (question: Question, place: string, limit: number): string => {
    const q = `q=${encodeURIComponent(toQ(question))}&in=all&limit=${limit}`;
    return place.startsWith('?') ? `/collections/search${place}&${q}` : `${place}/search?${q}`;
  };

  /** A search of one of these people in a workspace or their team. */
  function draw({ known, team, places }: Reader) {
    const only = Math.random() < 0.4 && places.length > 0 ? pick(places) : null;
    const service = pick([one, two]);
    return {
      question: newQuestion(),
      places: only ? [only] : places,
      caller: service.as(known.person),
      at: only ? only.query : `/teams/${team}`,
    };
  }

  async function observe(readers: readonly Reader[]): Promise<Observation | null> {
    const { question, places, caller, at } = draw(pick(readers));
    const start = performance.now();
    const { status, body, text, headers } = await caller.get(pathOf(question, at, 100));
    const end = performance.now();
    // Its connection was cut.
    if (status >= 500 && isCutting) return null;
    if (status !== 200) throw new Error(`${status} ${text}`);
    const found = (body as ItemBody[]).map(({ id }) => id);
    return { question, places, start, end, isBehind: 'search-behind' in headers, found };
  }

  /** What a search amid writes has found and should not, or the other way round. */
  function differences(
    { question, places, start, end, isBehind, found }: Observation,
    pages: readonly StormPage[],
  ): string[] {
    const known = new Set(pages.map(({ id }) => id));
    const wrong = found.filter((id) => !known.has(id)).map((id) => `finds ${id}: nobody made it`);
    if (new Set(found).size < found.length) wrong.push('finds a page twice');
    for (const page of pages) {
      const seen = page.seenBetween(start, end);
      const matches = seen.map(
        ({ place, text }) =>
          places.some(({ id }) => id === place?.id) && rankOf(question, text) !== null,
      );
      const isFound = found.includes(page.id);
      if (isFound && !matches.includes(true)) wrong.push(`finds ${page.id}`);
      if (!isFound && !matches.includes(false) && !isBehind) wrong.push(`lacks ${page.id}`);
    }
    return wrong.map((difference) => `${toQ(question)}: ${difference}`);
  }

  let isCutting = false;
  const counts = { amid: 0, behind: 0, cut: 0, quiet: 0, quietBehind: 0, hits: 0, writes: 0 };

  function startWriting(mode: Mode, places: Awaited<ReturnType<typeof placesIn>>) {
    isCutting = mode === 'with connections cut';
    proxy.decide = ({ name, text }) => {
      const mayCut = name.startsWith('pageIndex.') || name.startsWith('pageSearch.');
      if (!isCutting || !(mayCut || text === 'COMMIT') || Math.random() > 0.03) return 'pass';
      counts.cut++;
      return pick(['cut before', 'cut after']);
    };
    const writers = {
      'at random': [one],
      never: [],
      'in rounds': [],
      'with connections cut': [two],
      'by two at once': [one, two],
    }[mode];
    const stops = writers.map((service) => writeAtRandom(service, places, () => isCutting));
    let isOver = false;
    const rounds = [one, two].map(async ({ jobs }) => {
      const job = jobs.find((each) => each.job === 'pageIndexer');
      while (!isOver && mode === 'in rounds') {
        await job?.runRound();
        await sleep(30);
      }
    });
    const aging = (async () => {
      while (!isOver) {
        await sleep(200);
        if (Math.random() < 0.5) await age(one.databaseUrl);
      }
    })();
    return async () => {
      isOver = true;
      await Promise.all([...stops.map((stop) => stop()), ...rounds, aging]);
      isCutting = false;
    };
  }

  /** Every page of these workspaces, as they are now. */
  async function readAll(caller: Known, places: readonly Workspace[]) {
    const trees = await Promise.all(
      places.map(async (place) => {
        const tree = await theTree(caller, `${place.query}&include=content`);
        return (everyItem(tree) as Page[])
          .filter(({ object }) => object === 'item')
          .map(({ id, meta, content, updatedAt }) => {
            return { id, place, updatedAt, text: fromContent(content, meta.title) };
          });
      }),
    );
    return trees.flat();
  }

  /** Searches while nothing is written: all hits in their order, whatever the limit. */
  async function expectExact(
    reader: Reader,
    all: Awaited<ReturnType<typeof readAll>>,
  ): Promise<string[]> {
    const { question, places, caller, at } = draw(reader);
    const limit = pick([1, 2, 5, 20, 100]);
    const { body, headers } = await found200(caller.get(pathOf(question, at, limit)));
    counts.quiet++;
    if ('search-behind' in headers) {
      counts.quietBehind++;
      return [];
    }
    const known = all.filter(({ place }) => places.some(({ id }) => id === place.id));
    const expected = expectedHits(question, known).slice(0, limit);
    const found = (body as ItemBody[]).map(({ id }) => id);
    counts.hits += found.length;
    if (found.join() === expected.join()) return [];
    const named = (ids: string[]) =>
      ids.map((id) => {
        const page = known.find((each) => each.id === id);
        return page ? { ...page, place: page.place.slug } : id;
      });
    const shown = JSON.stringify({ found: named(found), expected: named(expected) });
    return [`${toQ(question)} limit ${limit}: ${shown}`];
  }

  test(`${SEARCHES} searches find what a filter over all texts finds`, async () => {
    const begun = performance.now();
    const ada = await someone(one);
    const readers: Reader[] = [];
    const lanes: Lane[] = [];
    const spaces: Workspace[] = [];
    for (let n = 0; n < 2; n++) {
      const team = await aTeam(ada);
      const bob = await aMember(one, team, 'member');
      const guest = await aMember(one, team, 'guest');
      const open = await aWorkspace(ada, team);
      const open2 = await aWorkspace(ada, team, { visibility: 'public' });
      const shared = await aWorkspace(ada, team, { visibility: 'private' });
      const own = await aWorkspace(ada, team, { visibility: 'private' });
      for (const { id } of [open, shared]) await giveRole(one, id, bob, 'editor');
      await giveRole(one, shared.id, guest, 'reader');
      await giveRole(one, own.id, guest, 'reader');
      const all = [open, open2, shared, own];
      spaces.push(...all);
      readers.push({ known: ada, team, places: all });
      readers.push({ known: bob, team, places: [open, open2, shared] });
      readers.push({ known: guest, team, places: [shared, own] });
      lanes.push(new Lane(ada, all, one.databaseUrl), new Lane(ada, [open, own], one.databaseUrl));
      lanes.push(new Lane(bob, [open, shared], one.databaseUrl));
    }
    for (const lane of lanes) await lane.begin();
    const places = await placesIn(one.databaseUrl);
    const wrong: string[] = [];
    for (let round = 0; round < ROUNDS && wrong.length === 0; round++) {
      const mode = MODES[round % MODES.length] as Mode;
      const stop = startWriting(mode, places);
      let isOver = false;
      const writing = lanes.map(async (lane) => {
        while (!isOver) {
          await lane.step();
          counts.writes++;
          await sleep(Math.random() * 20);
        }
      });
      const observations: Observation[] = [];
      let left = Math.ceil((SEARCHES * 0.6) / ROUNDS);
      const searching = [0, 1, 2].map(async () => {
        while (left-- > 0) {
          const observation = await observe(readers);
          if (observation) observations.push(observation);
        }
      });
      const searched = Promise.all(searching).finally(() => {
        isOver = true;
      });
      try {
        await Promise.all([searched, ...writing]);
      } finally {
        isOver = true;
        await stop();
      }
      const pages = lanes.flatMap((lane) => lane.pages);
      for (const observation of observations) {
        counts.amid++;
        if (observation.isBehind) counts.behind++;
        wrong.push(...differences(observation, pages).map((each) => `${mode}: ${each}`));
      }
      // Nothing is written any more, and the index is where it happens to be.
      const all = await readAll(ada, spaces);
      for (let n = 0; n < (SEARCHES * 0.4) / ROUNDS; n++) {
        const differs = await expectExact(pick(readers), all);
        wrong.push(...differs.map((each) => `after ${mode}: ${each}`));
      }
    }
    expect(wrong).toEqual([]);
    await catchUp(one);
    expect(await faultsOfIndex(one.databaseUrl)).toEqual([]);
    const all = await readAll(ada, spaces);
    for (let n = 0; n < 40; n++) expect(await expectExact(pick(readers), all)).toEqual([]);
    expect(counts.quietBehind).toBeLessThan(counts.quiet / 2);
    expect(counts.hits).toBeGreaterThan(counts.quiet);
    await assertInvariants(one.databaseUrl);
    if (process.env.STORM_COUNTS)
      process.stderr.write(
        `${JSON.stringify({ ...counts, pages: all.length, ms: performance.now() - begun })}\n`,
      );
  }, 1_200_000);
});

/** A response that must be 200, with its headers. */
async function found200(
  response: PromiseLike<{ status: number; text: string; body: unknown; headers: object }>,
) {
  const answer = await response;
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}
