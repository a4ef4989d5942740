import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { aTeam, aWorkspace, theTree } from '../support/builders.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

/** Two connections write: what else comes at once waits for them, and is committed together. */
const FEW = { DATABASE_POOL_SIZE: '5', PLAN_LIMITS: '{"free":{"pages":0},"pro":{"pages":1}}' };
const TEAMS = 24;

const at = scene({ env: FEW, verify: 'each', proxied: true });
const teams: { slug: string; id: string; query: string }[] = [];
/** The names of the statements of a test. */
let seen: string[] = [];
beforeAll(async () => {
  for (let n = 0; n < TEAMS; n++) {
    const slug = await aTeam(at.ada);
    const { id, query } = await aWorkspace(at.ada, slug);
    teams.push({ slug, id, query });
    // Which workspace this is, is known from now on.
    await at.ada.post(`/collections${query}`, { name: 'First' });
  }
});
beforeEach(() => {
  seen = [];
  at.proxy.judge = ({ name }) => {
    seen.push(name);
    return 'pass';
  };
});
/** Names of statements that came by. */

/** A page in each workspace, all at once. @returns the statuses */
const inEach = async (name: string): Promise<number[]> => {
  const answers = await Promise.all(
    teams.map(({ query }) => at.ada.post(`/collections${query}`, { name, object: 'item' })),
  );
  return answers.map(({ status }) => status);
};

const namesIn = async ({ query }: { query: string }): Promise<string[]> =>
  (await theTree(at.ada, query)).map(({ name }) => name);

const wereTogether = (): boolean => seen.includes('database.shortWait');

test('creates in many teams at once are committed together, each is there once', async () => {
  expect(await inEach('Second')).toEqual(Array(TEAMS).fill(200));
  expect(wereTogether()).toBe(true);
  for (const team of teams) expect(await namesIn(team)).toEqual(['First', 'Second']);
});

test('one that its plan refuses fails alone', async () => {
  const [poor] = teams as [(typeof teams)[0]];
  await sql(at.url, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [poor.slug]);
  const [first, ...others] = await inEach('Third');
  expect(wereTogether()).toBe(true);
  expect(first).toBe(403);
  expect(others).toEqual(Array(TEAMS - 1).fill(200));
  await sql(at.url, `UPDATE teams SET plan = 'free' WHERE slug = $1`, [poor.slug]);
});

test('one whose workspace somebody holds keeps the others waiting for a moment only', async () => {
  const [held] = teams as [(typeof teams)[0]];
  const holder = new pg.Client({ connectionString: at.url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [held.id]);
  const [first, ...others] = teams.map(({ query }) =>
    at.ada
      .post(`/collections${query}`, { name: 'Fourth', object: 'item' })
      .then(({ status }) => status),
  );
  expect(await Promise.all(others)).toEqual(Array(TEAMS - 1).fill(200));
  expect(await Promise.race([first, sleep(100, 'waits')])).toBe('waits');
  await holder.query('COMMIT');
  await holder.end();
  expect(await first).toBe(200);
  expect(wereTogether()).toBe(true);
});

test('a commit that is cut off is unknown to each of its callers, and happens whole or not at all', async () => {
  let wasCut = false;
  let before = '';
  at.proxy.judge = ({ name, text }) => {
    const isTogether = before === 'group' && text === 'COMMIT';
    if (name === 'database.shortWait') before = 'group';
    if (wasCut || !isTogether) return 'pass';
    wasCut = true;
    return 'cut after';
  };
  const statuses = await inEach('Fifth');
  expect(wasCut).toBe(true);
  at.proxy.judge = () => 'pass';
  const unknown = statuses.filter((status) => status === 500).length;
  expect(unknown).toBeGreaterThan(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(TEAMS - unknown);
  for (const team of teams) {
    const names = await namesIn(team);
    expect(names.filter((name) => name === 'Fifth')).toHaveLength(1);
  }
});
