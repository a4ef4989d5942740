import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { somebody, tokenOf } from '../../support/app.js';
import { freshSlug } from '../../support/builders.js';
import { sql } from '../../support/sql.js';
import { putRows } from '../../support/tree.js';
import { send } from '../load.js';
import { freePort, until } from '../process.js';
import { ownDatabase, sessionsAreOver, startUnlimited, TIMEOUT, verify } from './fault.js';

const TIMES = 6;
/** Subtrees that are deleted and restored, and the items of each. */
const SUBTREES = 4;
const ITEMS = 1_500;
/** Workspaces that are deleted and restored, and the items of each. */
const WORKSPACES = 3;
const ITEMS_EACH = 50;

const database = ownDatabase();

const headers = {
  authorization: `Bearer ${tokenOf(somebody())}`,
  'content-type': 'application/json',
};

/** What one client deletes and restores, again and again. */
interface Victim {
  kind: 'subtree' | 'workspace';
  id: string;
  items: number;
  remove: [method: string, path: string];
  restore: [method: string, path: string];
  /** Where the last response leaves it; null: the last request had none. */
  isInTrash: boolean | null;
  /** Requests by their status; 0: cut. */
  statuses: Map<number, number>;
}

const successesOf = ({ statuses }: Victim): number => statuses.get(200) ?? 0;

/** What the clients know of the test. */
interface Run {
  /** Of the process. */
  starts: number;
  isOver: boolean;
}

test(
  'the process is killed in the midst of deletions and restores: each is whole in the tree or in the trash',
  async () => {
    const env = { DATABASE_URL: database.url, PORT: String(await freePort()) };
    let service = await startUnlimited(env);
    const team = freshSlug();
    const victims = await prepare(service.url, team);
    const run: Run = { starts: 1, isOver: false };
    const clients = victims.map((victim) => toAndFro(service.url, victim, run));
    let cut = 0;
    for (let n = 0; n < TIMES; n++) {
      // Not always at the same point of the work.
      await sleep(500 + 97 * n);
      await service.end('SIGKILL');
      await sessionsAreOver(database.url);
      cut += victims.filter(({ isInTrash }) => isInTrash === null).length;
      await verify(database.url);
      for (const victim of victims) await assertWhole(victim);
      await assertCounters(team);
      service = await startUnlimited(env);
      run.starts++;
    }
    const before = victims.map(successesOf);
    await until(() => victims.every((victim, n) => successesOf(victim) > (before[n] ?? 0) + 1));
    run.isOver = true;
    await Promise.all(clients);
    process.stdout.write(`killed in the midst of ${cut} deletions and restores\n`);
    expect(cut).toBeGreaterThan(0);
    for (const victim of victims) {
      await assertWhole(victim);
      expect([...victim.statuses.keys()].sort()).toEqual([0, 200]);
      if (victim.isInTrash) await must(service.url, ...victim.restore);
      victim.isInTrash = false;
      await assertWhole(victim);
    }
    await assertCounters(team);
    await verify(database.url);
  },
  TIMEOUT,
);

async function must<Body>(url: string, method: string, path: string, body = {}): Promise<Body> {
  const shot = { method, path, headers, ...(method === 'POST' && { body: JSON.stringify(body) }) };
  const { response, text } = await send(url, shot);
  if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text) as Body;
}

async function prepare(url: string, slug: string): Promise<Victim[]> {
  await must(url, 'POST', '/teams', { name: 'Team', slug });
  const aWorkspace = () =>
    must<{ _id: string; meta: { slug: string } }>(url, 'POST', `/teams/${slug}/workspaces`, {
      name: 'Workspace',
    });
  const victim = (
    kind: Victim['kind'],
    id: string,
    items: number,
    remove: string,
    restore: string,
  ): Victim => ({
    ...{ kind, id, items, isInTrash: false, statuses: new Map() },
    ...{ remove: ['DELETE', remove], restore: ['POST', restore] },
  });
  const victims: Victim[] = [];
  const place = await aWorkspace();
  for (const id of await putSubtrees(place._id, SUBTREES, ITEMS)) {
    const restore = `/collections/trash/${id}/restore`;
    victims.push(victim('subtree', id, ITEMS, `/collections/${id}`, restore));
  }
  for (let n = 0; n < WORKSPACES; n++) {
    const { _id, meta } = await aWorkspace();
    await putSubtrees(_id, 1, ITEMS_EACH);
    // Its slug stays: nobody else takes it.
    const remove = `/teams/${slug}/workspaces/${meta.slug}`;
    const restore = `/teams/${slug}/trash/${_id}/restore`;
    victims.push(victim('workspace', _id, ITEMS_EACH, remove, restore));
  }
  return victims;
}

/** Collections with ten collections each, and pages in those. @returns the ids of the outer ones */
async function putSubtrees(workspaceId: string, count: number, items: number): Promise<string[]> {
  const rows = Array.from({ length: count * items }, (_, n) => {
    const [root, place] = [n - (n % items), n % items];
    if (place === 0) return { object: 'collection' as const };
    if (place <= 10) return { object: 'collection' as const, parent: root };
    return { object: 'item' as const, parent: root + 1 + (place % 10) };
  });
  const ids = await putRows(database.url, workspaceId, rows);
  return ids.filter((_, n) => n % items === 0);
}

/** Deletes it and restores it, until the run is over. */
async function toAndFro(url: string, victim: Victim, run: Run): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!run.isOver) {
    const wasInTrash = victim.isInTrash ?? (await find(victim)).isInTrash;
    const { starts } = run;
    victim.isInTrash = null;
    const [method, path] = wasInTrash ? victim.restore : victim.remove;
    const shot = { method, path, headers, ...(wasInTrash && { body: '{}' }) };
    const status = await send(url, shot, agent).then(
      ({ response }) => response.statusCode ?? 0,
      () => 0,
    );
    victim.statuses.set(status, (victim.statuses.get(status) ?? 0) + 1);
    if (status === 200) victim.isInTrash = !wasInTrash;
    else while (run.starts === starts && !run.isOver) await sleep(20);
  }
  agent.destroy();
}

const HELD = {
  subtree: `
    SELECT EXISTS (SELECT FROM trash_deletions WHERE id = $1) AS "isInTrash", (
        WITH RECURSIVE below AS (
          SELECT id FROM collections WHERE id = $1
          UNION ALL SELECT c.id FROM below JOIN collections c ON c.parent_id = below.id
        ) SELECT count(*)::int FROM below
      ) AS tree,
      (SELECT count(*)::int FROM trash_items WHERE deletion_id = $1) AS trash`,
  workspace: `
    SELECT w.deleted_at IS NOT NULL AS "isInTrash",
      (SELECT count(*)::int FROM collections c WHERE c.workspace_id = w.id) AS tree,
      coalesce(w.deleted_pages + w.deleted_collections, 0) AS trash
    FROM workspaces w WHERE w.id = $1`,
};

async function find({ kind, id }: Victim) {
  const [held] = await sql<{ isInTrash: boolean; tree: number; trash: number }>(
    database.url,
    HELD[kind],
    [id],
  );
  return held as { isInTrash: boolean; tree: number; trash: number };
}

/** All of it is in one place: where the last response said, if there was one. */
async function assertWhole(victim: Victim): Promise<void> {
  const held = await find(victim);
  const inTrash = victim.isInTrash ?? held.isInTrash;
  // The items of a deleted workspace stay where they are.
  const tree = inTrash && victim.kind === 'subtree' ? 0 : victim.items;
  const { kind, items } = victim;
  expect({ kind, ...held }).toEqual({ kind, isInTrash: inTrash, tree, trash: inTrash ? items : 0 });
}

/** The team's counters are those of the rows that are not in a trash. */
async function assertCounters(slug: string): Promise<void> {
  const [row] = await sql(
    database.url,
    `SELECT u.pages, u.collections, u.workspaces,
      count(c.id) FILTER (WHERE c.object = 'item')::int AS "countedPages",
      count(c.id) FILTER (WHERE c.object = 'collection')::int AS "countedCollections",
      count(DISTINCT w.id)::int AS "countedWorkspaces"
     FROM teams t JOIN team_usage u ON u.team_id = t.id
     LEFT JOIN workspaces w ON w.team_id = t.id AND w.deleted_at IS NULL
     LEFT JOIN collections c ON c.team_id = t.id AND c.workspace_id = w.id
     WHERE t.slug = $1 GROUP BY u.pages, u.collections, u.workspaces`,
    [slug],
  );
  const { pages, collections, workspaces, ...counted } = row as Record<string, number>;
  expect(counted).toEqual({
    countedPages: pages,
    countedCollections: collections,
    countedWorkspaces: workspaces,
  });
}
