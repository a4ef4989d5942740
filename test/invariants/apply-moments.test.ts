import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { aTeam, aWorkspace, ok } from '../support/builders.js';
import { createTestDatabase } from '../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { assertInvariants } from '../support/invariants.js';
import { runs } from '../support/runs.js';
import { sql } from '../support/sql.js';

// Every answer to applyCollections is true of one moment between request and answer: triggers record each state of
// the tree, and the report must be that of one of the states, or of one of the changes, that were there meanwhile.

const APPLIES = runs(200, 4_000);
const TIMEOUT = runs(120_000, 1_200_000);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** Between the database and the first of the two instances. */
let proxy: DatabaseProxy;
let services: TestService[];
/** One person, by each instance. */
let callers: Caller[];
let workspace: Awaited<ReturnType<typeof aWorkspace>>;
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startDatabaseProxy(database.url);
  const env = {
    PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  services = await Promise.all([proxy, database].map(({ url }) => startService(env, url)));
  const person = somebody();
  callers = services.map((service) => service.as(person));
  const [ada] = callers as [Caller];
  workspace = await aWorkspace(ada, await aTeam(ada));
  await sql(database.url, HISTORY);
});
afterAll(async () => {
  await assertInvariants(database.url);
  await Promise.all(services.map((service) => service.stop()));
  await proxy.stop();
  await database.drop();
});

/** Who writes holds the workspace until the commit: numbers are in the order of commits. */
const HISTORY = `
  CREATE TABLE history (
    seq bigserial PRIMARY KEY, tx bigint NOT NULL DEFAULT txid_current(), id uuid NOT NULL, item jsonb
  );
  CREATE FUNCTION record_history() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      INSERT INTO history (id) VALUES (OLD.id);
    ELSE
      INSERT INTO history (id, item) VALUES (NEW.id, jsonb_build_object('id', NEW.id, 'key', NEW.key,
        'name', NEW.name, 'parent', NEW.parent_id, 'position', NEW.position, 'content', NEW.content));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER history AFTER INSERT OR UPDATE OR DELETE ON collections
    FOR EACH ROW EXECUTE FUNCTION record_history()`;

/** An item as it is in a state of the tree. */
interface Stored {
  id: string;
  key: string | null;
  name: string;
  parent: string | null;
  position: string;
  content: object | null;
}
type State = ReadonlyMap<string, Stored>;
interface Commit {
  /** The last number of its rows. */
  seq: number;
  state: State;
  /** What it has written, sorted. */
  ids: string[];
}

/** The tree after each commit; the first one is the empty tree. */
async function commitsOf(): Promise<Commit[]> {
  const rows = await sql<{ seq: string; tx: string; id: string; item: Stored | null }>(
    database.url,
    'SELECT * FROM history ORDER BY seq',
  );
  const commits: Commit[] = [{ seq: 0, state: new Map(), ids: [] }];
  let state = new Map<string, Stored>();
  let ids = new Set<string>();
  for (const [n, { seq, tx, id, item }] of rows.entries()) {
    ids.add(id);
    if (item) state.set(id, item);
    else state.delete(id);
    if (rows[n + 1]?.tx === tx) continue;
    commits.push({ seq: Number(seq), state, ids: [...ids].sort() });
    state = new Map(state);
    ids = new Set();
  }
  return commits;
}

/** What the feed has of each commit. */
const feedOf = async (): Promise<string[][]> =>
  (
    await sql<{ ids: string[] }>(
      database.url,
      'SELECT array_agg(id::text ORDER BY id) AS ids FROM tree_changes GROUP BY version ORDER BY version',
    )
  ).map(({ ids }) => ids);

/** The last number that is committed. */
async function lastSeq(): Promise<number> {
  const text = 'SELECT coalesce(max(seq), 0) AS seq FROM history';
  const [row] = await sql<{ seq: string }>(database.url, text);
  return Number(row?.seq);
}

interface Item {
  key: string;
  name: string;
  object?: string;
  content?: object;
  children?: Item[];
}
interface Report {
  created: number;
  updated: number;
  moved: number;
  unchanged: number;
  pruned: number;
  ids: Record<string, string>;
}
interface Answer {
  items: Item[];
  prune: boolean;
  report: Report;
  /** The last numbers that were committed before the request, and after the answer. */
  from: number;
  to: number;
}

const PAGES = ['p', 'q', 'r', 's'];

/** One of few trees. Digests do not tell that contents are equal: their members are in any order. */
function manifest(n: number): Item[] {
  const content = (a: number) => (Math.random() < 0.5 ? { a, b: [a] } : { b: [a], a });
  const pages = PAGES.map((key) => ({ key, name: key, object: 'item', content: content(n % 2) }));
  const folder = { key: 'f', name: 'f', children: pages.slice(0, 2) };
  return n < 2 ? [folder, ...pages.slice(2)] : [...pages.slice(2), folder];
}

interface Placed {
  item: Item;
  parent: string | null;
}
const placed = (items: readonly Item[], ids: Report['ids'], parent: string | null): Placed[] =>
  items.flatMap((item) => [
    { item, parent },
    ...placed(item.children ?? [], ids, ids[item.key] as string),
  ]);

/** Whether a state is what the manifest says. */
function isAsWanted(state: State, { items, prune, report: { ids } }: Answer): boolean {
  const all = placed(items, ids, null);
  const isEach = all.every(({ item, parent }) => {
    const stored = state.get(ids[item.key] as string);
    return (
      stored?.key === item.key &&
      stored.name === item.name &&
      stored.parent === parent &&
      (item.content === undefined || isDeepStrictEqual(stored.content, item.content))
    );
  });
  if (!isEach) return false;
  return [null, ids.f as string].every((list) => {
    const stored = [...state.values()]
      .filter(({ parent }) => parent === list)
      .sort((one, other) => (one.position < other.position ? -1 : 1));
    const named = all.filter(({ parent }) => parent === list).map(({ item }) => item.key);
    const others = stored.slice(named.length).map(({ key }) => key !== null);
    return (
      named.every((key, n) => stored[n]?.key === key) &&
      others.every((isKeyed, n) => !isKeyed || (!prune && others[n - 1] !== false))
    );
  });
}

/** What a change from one state to the next has done with the items of the manifest. */
function countsOf(before: State, after: State, { items, report: { ids } }: Answer) {
  const counts = { created: 0, updated: 0, moved: 0, unchanged: 0, pruned: 0 };
  for (const id of before.keys()) counts.pruned += Number(!after.has(id));
  for (const { item } of placed(items, ids, null)) {
    const id = ids[item.key] as string;
    const [old, now] = [before.get(id), after.get(id) as Stored];
    if (!old) {
      counts.created++;
      continue;
    }
    const isMoved = old.parent !== now.parent || old.position !== now.position;
    const isUpdated = old.name !== now.name || !isDeepStrictEqual(old.content, now.content);
    counts.moved += Number(isMoved);
    counts.updated += Number(isUpdated);
    counts.unchanged += Number(!isMoved && !isUpdated);
  }
  return counts;
}

function isTrue(commits: readonly Commit[], answer: Answer): boolean {
  const { ids: _, ...counts } = answer.report;
  const isNothing = counts.created + counts.updated + counts.moved + counts.pruned === 0;
  return commits.some(({ seq, state }, n) => {
    const next = commits[n + 1];
    const wasSeen = seq <= answer.to && (next === undefined || next.seq > answer.from);
    if (isNothing) return wasSeen && isAsWanted(state, answer);
    return (
      next !== undefined &&
      next.seq > answer.from &&
      next.seq <= answer.to &&
      isAsWanted(next.state, answer) &&
      isDeepStrictEqual(countsOf(state, next.state, answer), counts)
    );
  });
}

const isLockAwaited = async (): Promise<boolean> =>
  (
    await sql(
      database.url,
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length > 0;

const pick = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;

test(
  'while pages are saved, renamed, moved and deleted, every answer is true of one moment',
  async () => {
    const { query } = workspace;
    const answers: Answer[] = [];
    const statuses = new Set<number>();
    let ids: Report['ids'] = {};
    let isOver = false;
    const apply = (caller: Caller, items: Item[], prune: boolean) =>
      ok<Report>(caller.put(`/collections/apply${query}`, { items, prune }));
    const applying = async (caller: Caller) => {
      while (answers.length < APPLIES) {
        const items = manifest(Math.floor(answers.length / 40) % 3);
        const prune = Math.random() < 0.3;
        const from = await lastSeq();
        const report = await apply(caller, items, prune);
        answers.push({ items, prune, report, from, to: await lastSeq() });
        ids = report.ids;
      }
    };
    const acts: ((caller: Caller, id: string) => PromiseLike<{ status: number }>)[] = [
      (caller, id) => caller.put(`/collections/${id}`, { content: { b: [0], a: 0 } }),
      (caller, id) => caller.put(`/collections/${id}`, { name: pick(PAGES) }),
      (caller, id) => caller.put(`/collections/${id}`, { parent: pick([null, `${ids.f}`]) }),
      (caller, id) => caller.post(`/collections/reorder${query}`, { id, index: pick([0, 1, 2]) }),
      (caller, id) => caller.put(`/collections/${id}`, { key: pick([null, `other ${id}`]) }),
      (caller, id) => caller.delete(`/collections/${id}`),
      (caller) => caller.post(`/collections${query}`, { key: `${Math.random()}` }),
    ];
    // What is not equal when it is read, and changes before it is compared, is saved again and again.
    const save = (caller: Caller, id: string) =>
      caller.put(`/collections/${id}`, { content: { a: pick([2, 3, 4]) } });
    let saves = 0;
    const writing = async (caller: Caller) => {
      while (!isOver) {
        const act = saves % 8 === 7 ? pick(acts) : save;
        const key = PAGES[Math.floor(saves / 50) % PAGES.length] as string;
        statuses.add((await act(caller, `${ids[key]}`)).status);
        saves++;
      }
    };
    /** Now and then, what an instance has read arrives after a change by others only, or where these wait for it. */
    const delaying = async (read: string) => {
      while (!isOver) {
        const held = proxy.holdResponse(read);
        await held.arrived;
        const before = saves;
        while (!isOver && saves === before && !(await isLockAwaited())) await sleep(5);
        held.release();
      }
    };
    const reads: string[] = [];
    for (const prune of [false, true]) {
      const { statements } = await proxy.during(async () => {
        ids = (await apply(callers[0] as Caller, manifest(0), prune)).ids;
      });
      const read = statements.find(({ text }) => text.includes('AS "contentDigest"'));
      reads.push((read as { name: string }).name);
    }
    const delays = reads.map(delaying);
    const writers = callers.flatMap((caller) => [writing(caller), writing(caller)]);
    await Promise.all(callers.flatMap((caller) => [applying(caller), applying(caller)])).finally(
      () => {
        isOver = true;
      },
    );
    await Promise.all(writers);
    for (const prune of [false, true]) await apply(callers[0] as Caller, manifest(0), prune);
    await Promise.all(delays);
    const commits = await commitsOf();
    const untrue = answers.filter((answer) => !isTrue(commits, answer));
    expect(untrue.map(({ report: { ids: _, ...counts } }) => counts)).toEqual([]);
    expect([...statuses].filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    expect(await feedOf()).toEqual(commits.slice(1).map(({ ids }) => ids));
  },
  TIMEOUT,
);
