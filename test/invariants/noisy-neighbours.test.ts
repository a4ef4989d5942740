import pg from 'pg';
import { type Caller, somebody, startService, type TestService } from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { waitingForLocks } from '../support/locks.js';
import { aMember } from '../support/people.js';

let service: TestService;
let ada: Caller;
let busy: string;
let bob: Caller;
let quiet: string;
let query: string;
beforeAll(async () => {
  const limits = { PLAN_LIMITS: '{"free":{"pages":0,"users":0,"workspaces":0}}' };
  service = await startService(limits);
  ada = service.as(somebody());
  busy = await aTeam(ada);
  bob = service.as(somebody('Bob'));
  quiet = await aTeam(bob);
  query = (await aWorkspace(bob, quiet)).query;
});
afterAll(() => service.stop());

/** Holds rows on a connection of its own while `work` runs. */
async function whileLocked<T>(text: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: service.databaseUrl });
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
  const statuses = await whileLocked(LOCK_TEAM, [busy], async () => {
    const requests = Array.from(
      { length: 40 },
      (_, n) => () => ada.post(`/teams/${busy}/invites`, invite(n)),
    );
    const invites = begin(requests);
    await waitingForLocks(service, 1);
    await bobWorks();
    expect(invites.answered).toBe(0);
    return invites;
  });
  expect(await statuses.all).toEqual(Array(40).fill(200));
});

test('many members of one team whose lock is held leave connections to others', async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, () => aMember(service, busy, 'moderator')),
  );
  const statuses = await whileLocked(LOCK_TEAM, [busy], async () => {
    const requests = people.map(
      (person, n) => () => service.as(person).post(`/teams/${busy}/invites`, invite(100 + n)),
    );
    const invites = begin(requests);
    await waitingForLocks(service, 1);
    await bobWorks();
    expect(invites.answered).toBe(0);
    return invites;
  });
  expect(await statuses.all).toEqual(Array(12).fill(200));
});

test('people who join one team at once leave connections to others', async () => {
  const { inviteCode } = await ok<{ inviteCode: string }>(ada.get(`/teams/${busy}`));
  const people = Array.from({ length: 12 }, () => service.as(somebody('Eve')));
  for (const person of people) await ok(person.get('/teams'));
  const statuses = await whileLocked(LOCK_TEAM, [busy], async () => {
    const joins = begin(people.map((person) => () => person.post('/teams/join', { inviteCode })));
    await waitingForLocks(service, 1);
    await bobWorks();
    expect(joins.answered).toBe(0);
    return joins;
  });
  expect(await statuses.all).toEqual(Array(12).fill(200));
});

test('a caller whose deletes wait in several teams leaves writers to others', async () => {
  const teams = await Promise.all([1, 2, 3].map(() => aTeam(ada)));
  const ids = await Promise.all(
    teams.map(async (team) => (await anItem(ada, (await aWorkspace(ada, team)).query)).id),
  );
  const lock =
    'SELECT 1 FROM workspaces JOIN teams t ON t.id = team_id WHERE t.slug = ANY($1) FOR UPDATE OF workspaces';
  const statuses = await whileLocked(lock, [teams], async () => {
    const deletes = begin(ids.map((id) => () => ada.delete(`/collections/${id}`)));
    await waitingForLocks(service, 2);
    await bobWorks();
    expect(deletes.answered).toBe(0);
    return deletes;
  });
  expect(await statuses.all).toEqual([200, 200, 200]);
});

test('a team whose rows are locked leaves writers to others', async () => {
  const queries: string[] = [];
  for (let n = 0; n < 8; n++) {
    const workspace = await aWorkspace(ada, busy);
    await anItem(ada, workspace.query, { name: 'First' });
    queries.push(workspace.query);
  }
  const lock =
    'SELECT 1 FROM workspaces JOIN teams t ON t.id = team_id WHERE t.slug = $1 FOR UPDATE OF workspaces';
  const statuses = await whileLocked(lock, [busy], async () => {
    const requests = queries.map(
      (each) => () => ada.post(`/collections${each}`, { name: 'Page', object: 'item' }),
    );
    const writes = begin(requests);
    await waitingForLocks(service, 1);
    await bobWorks();
    expect(writes.answered).toBe(0);
    return writes;
  });
  expect(await statuses.all).toEqual(Array(8).fill(200));
});
