import pg from 'pg';
import { type Caller, somebody } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { waitingForLocks } from '../support/locks.js';
import { aMember } from '../support/members.js';
import { scene } from '../support/scene.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' },
  once: 'team',
});
let bob: Caller;
let quiet: string;
let query: string;
beforeAll(async () => {
  bob = at.as(somebody('Bob'));
  quiet = await aTeam(bob);
  query = (await aWorkspace(bob, quiet)).query;
});

/** Holds rows on a connection of its own while `work` runs. */
async function whileLocked<T>(text: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: at.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(text, values);
    const result = await work();
    await holder.query('COMMIT');
    return result;
  } finally {
    await holder.end();
  }
}

/** What bob does in a team of his own, one after the other: everything answers 200. */
async function bobWorks(): Promise<void> {
  const { body } = await bob.get(`/teams/${quiet}/members`).expect(200);
  await bob.put(`/teams/${quiet}`, { description: 'changed' }).expect(200);
  await bob.post(`/teams/${quiet}/workspaces`, { name: 'One more' }).expect(200);
  const { id } = await anItem(bob, query, { name: 'Page', object: 'item' });
  await bob.put(`/collections/${id}`, { name: 'Renamed' }).expect(200);
  await bob.get(`/collections/${id}`).expect(200);
  await bob.get(`/collections${query}&depth=1`).expect(200);
  await bob.delete(`/collections/${id}`).expect(200);
  expect(body.users).toHaveLength(1);
}

const LOCK_TEAM = 'SELECT 1 FROM teams WHERE slug = $1 FOR NO KEY UPDATE';

/** Requests that wait, and how many of them have been answered. */
function begin(requests: (() => PromiseLike<{ status: number }>)[]) {
  const of = { answered: 0, all: Promise.resolve<number[]>([]) };
  of.all = Promise.all(
    requests.map(async (request) => {
      const { status } = await request();
      of.answered++;
      return status;
    }),
  );
  return of;
}

const invite = (n: number) => ({ invites: [{ email: `p${n}@example.com`, role: 'member' }] });

test('one caller whose requests wait for a lock leaves connections to others', async () => {
  const statuses = await whileLocked(LOCK_TEAM, [at.team], async () => {
    const requests = Array.from(
      { length: 40 },
      (_, n) => () => at.ada.post(`/teams/${at.team}/invites`, invite(n)),
    );
    const invites = begin(requests);
    await waitingForLocks(at, 1);
    await bobWorks();
    expect(invites.answered).toBe(0);
    return invites;
  });
  expect(await statuses.all).toEqual(Array(40).fill(200));
});

test('many members of one team whose lock is held leave connections to others', async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, () => aMember(at, at.team, 'moderator')),
  );
  const statuses = await whileLocked(LOCK_TEAM, [at.team], async () => {
    const requests = people.map(
      (person, n) => () => person.post(`/teams/${at.team}/invites`, invite(100 + n)),
    );
    const invites = begin(requests);
    await waitingForLocks(at, 1);
    await bobWorks();
    expect(invites.answered).toBe(0);
    return invites;
  });
  expect(await statuses.all).toEqual(Array(12).fill(200));
});

test('people who join one team at once leave connections to others', async () => {
  const { inviteCode } = await ok<{ inviteCode: string }>(at.ada.get(`/teams/${at.team}`));
  const people = Array.from({ length: 12 }, () => at.as(somebody('Eve')));
  for (const person of people) await ok(person.get('/teams'));
  const statuses = await whileLocked(LOCK_TEAM, [at.team], async () => {
    const joins = begin(people.map((person) => () => person.post('/teams/join', { inviteCode })));
    await waitingForLocks(at, 1);
    await bobWorks();
    expect(joins.answered).toBe(0);
    return joins;
  });
  expect(await statuses.all).toEqual(Array(12).fill(200));
});

test('a caller whose deletes wait in several teams leaves writers to others', async () => {
  const teams = await Promise.all([1, 2, 3].map(() => aTeam(at.ada)));
  const ids = await Promise.all(
    teams.map(async (team) => (await anItem(at.ada, (await aWorkspace(at.ada, team)).query)).id),
  );
  const lock =
    'SELECT 1 FROM workspaces JOIN teams t ON t.id = team_id WHERE t.slug = ANY($1) FOR UPDATE OF workspaces';
  const statuses = await whileLocked(lock, [teams], async () => {
    const deletes = begin(ids.map((id) => () => at.ada.delete(`/collections/${id}`)));
    await waitingForLocks(at, 2);
    await bobWorks();
    expect(deletes.answered).toBe(0);
    return deletes;
  });
  expect(await statuses.all).toEqual([200, 200, 200]);
});

test('a team whose rows are locked leaves writers to others', async () => {
  const queries: string[] = [];
  for (let n = 0; n < 8; n++) {
    const workspace = await aWorkspace(at.ada, at.team);
    await anItem(at.ada, workspace.query, { name: 'First' });
    queries.push(workspace.query);
  }
  const lock =
    'SELECT 1 FROM workspaces JOIN teams t ON t.id = team_id WHERE t.slug = $1 FOR UPDATE OF workspaces';
  const statuses = await whileLocked(lock, [at.team], async () => {
    const requests = queries.map(
      (each) => () => at.ada.post(`/collections${each}`, { name: 'Page', object: 'item' }),
    );
    const writes = begin(requests);
    await waitingForLocks(at, 1);
    await bobWorks();
    expect(writes.answered).toBe(0);
    return writes;
  });
  expect(await statuses.all).toEqual(Array(8).fill(200));
});
