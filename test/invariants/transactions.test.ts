import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Metrics } from '../../src/observability/metrics.js';
import {
  type InsideService,
  somebody,
  startService,
  startServiceInside,
  type TestService,
} from '../support/app.js';
import { anItem, aTeam, aWorkspace, ok, theTree } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { testInside } from '../support/inside.js';
import { assertInvariants } from '../support/invariants.js';
import { holdTeam, waitingForLocks } from '../support/locks.js';
import { anInvite, codeOf, type Known, someone } from '../support/members.js';
import { runs } from '../support/runs.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';

describe('shared commits', () => {
  /** Two connections write: what else comes at once waits for them, and is committed together. */
  const FEW = { DATABASE_POOL_SIZE: '5', PLAN_LIMITS: '{"free":{"pages":0},"pro":{"pages":1}}' };
  const TEAMS = 24;

  const at = scene({ env: FEW, verify: true, proxied: true });
  const teams: { slug: string; id: string; query: string }[] = [];
  /** The names of the statements that a test has sent. */
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
    at.proxy.decide = ({ name }) => {
      seen.push(name);
      return 'pass';
    };
  });
  /** A page in each workspace, all at once. */
  const made = (name: string) =>
    Promise.all(
      teams.map(({ query }) => at.ada.post(`/collections${query}`, { name, object: 'item' })),
    );
  const inEach = async (name: string): Promise<number[]> =>
    (await made(name)).map(({ status }) => status);

  /** Expects one page of this name in each workspace. */
  async function expectOneInEach(name: string): Promise<void> {
    for (const { query } of teams) {
      const names = (await theTree(at.ada, query)).map((item) => item.name);
      expect(names.filter((other) => other === name)).toEqual([name]);
    }
  }

  const wereTogether = (): boolean => seen.includes('database.shortWait');

  test('creates in many teams at once are committed together, each is there once', async () => {
    expect(await inEach('Second')).toEqual(Array(TEAMS).fill(200));
    expect(wereTogether()).toBe(true);
    await expectOneInEach('Second');
  });

  test('one that its plan refuses fails alone', async () => {
    const [poor] = teams as [(typeof teams)[0]];
    await ok(at.ada.post(`/collections${poor.query}`, { object: 'item' }));
    await sql(at.databaseUrl, `UPDATE teams SET plan = 'pro' WHERE slug = $1`, [poor.slug]);
    const [first, ...others] = await inEach('Third');
    expect(wereTogether()).toBe(true);
    expect(first).toBe(403);
    expect(others).toEqual(Array(TEAMS - 1).fill(200));
    await sql(at.databaseUrl, `UPDATE teams SET plan = 'free' WHERE slug = $1`, [poor.slug]);
  });

  test('one whose workspace somebody holds keeps the others waiting for a moment only', async () => {
    const [held] = teams as [(typeof teams)[0]];
    const holder = new pg.Client({ connectionString: at.databaseUrl });
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
    at.proxy.decide = ({ name, text }) => {
      const isTogether = before === 'group' && text === 'COMMIT';
      if (name === 'database.shortWait') before = 'group';
      if (wasCut || !isTogether) return 'pass';
      wasCut = true;
      return 'cut after';
    };
    const answers = await made('Fifth');
    expect(wasCut).toBe(true);
    at.proxy.decide = () => 'pass';
    const unknown = answers.filter(({ status }) => status === 500);
    expect(unknown.length).toBeGreaterThan(1);
    // Nothing was tried again.
    for (const { body } of unknown) {
      expect(body.error.message).toMatch(/^the outcome of this change is unknown/);
    }
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(TEAMS - unknown.length);
    await expectOneInEach('Fifth');
  });
});

describe('the order of locks', () => {
  const PAIRS = runs(4, 25);

  let database: TestDatabase;
  let service: TestService;
  let owner: Known;
  let team: string;
  beforeEach(async () => {
    database = await createTestDatabase();
    service = await startService({ PLAN_LIMITS: '{"free":{"users":0}}' }, database.url);
    owner = await someone(service, 'Owner');
    team = await aTeam(owner);
  });
  afterEach(() => database.drop());

  /** How many deadlocks the database has broken; connections report theirs when they end. */
  async function deadlocks(): Promise<number> {
    await service.stop();
    const [row] = await sql<{ deadlocks: string }>(
      database.url,
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(row?.deadlocks);
  }

  type Way = (bob: Known) => Promise<() => PromiseLike<{ status: number }>>;

  /** What locks the record of a person and a team. */
  const WAYS: Record<string, Way> = {
    'accepts an invite': async (bob) => {
      const { _id } = await anInvite(owner, team, bob.person.email);
      return () => bob.post(`/invites/${_id}/accept`);
    },
    'joins by code': async (bob) => {
      // A reason for the command to lock the team.
      await anInvite(owner, team, bob.person.email);
      const inviteCode = await codeOf(owner, team);
      return () => bob.post('/teams/join', { inviteCode });
    },
    'sends an invite': async (bob) => {
      const { _id } = await anInvite(owner, team, bob.person.email, 'owner');
      await ok(bob.post(`/invites/${_id}/accept`));
      const invites = [{ email: `of-${bob.person.email}`, role: 'guest' }];
      return () => bob.post(`/teams/${team}/invites`, { invites });
    },
  };

  test.each(Object.entries(WAYS))(
    `somebody is erased who %s: ${PAIRS} pairs and no deadlock`,
    async (_, way) => {
      for (let pair = 0; pair < PAIRS; pair++) {
        const bob = await someone(service, 'Bob');
        const request = await way(bob);
        const lock = await holdTeam(database.url, team);
        const answer = Promise.resolve(request());
        await lock.waiting(1);
        const args = ['erase', '--issuer', '', '--subject', bob.person.sub];
        const erased = runCommand(args, { DATABASE_URL: database.url });
        await lock.waiting(2);
        await lock.release();
        expect((await answer).status).toBe(200);
        // Whatever the request did comes before, and so the command undoes it.
        const { status, output } = await erased;
        expect([status, output]).toEqual([0, expect.stringMatching('gone: 1 membership')]);
      }
      await assertInvariants(database.url);
      const left = await sql(
        database.url,
        `SELECT FROM team_members m JOIN users u ON u.id = m.user_id WHERE u.name = 'Erased'
       UNION ALL
       SELECT FROM team_invites i JOIN users u ON u.id = i.invited_by
       WHERE u.name = 'Erased' AND i.state = 'pending'`,
      );
      expect(left).toEqual([]);
      expect(await deadlocks()).toBe(0);
    },
    120_000,
  );
});

describe('retries', () => {
  let service: InsideService;
  beforeAll(async () => {
    service = await startServiceInside();
  });
  afterAll(() => service.stop());

  const retries = async (reason: string) => {
    const text = await service.provider<Metrics>('Metrics').read();
    const name = `teamspaces_transaction_retries_total{reason="${reason}"}`;
    return text.split('\n').find((line) => line.startsWith(name));
  };

  testInside('a transaction that meets a deadlock is run again, and counted', async () => {
    for (const reason of ['deadlock', 'serialization', 'connection', 'other']) {
      expect(await retries(reason)).toMatch(/ 0$/);
    }
    const ada = service.as(somebody());
    const team = await aTeam(ada);
    const holder = new pg.Client({ connectionString: service.databaseUrl });
    await holder.connect();
    // The service notices the deadlock, not we.
    await holder.query(`SET deadlock_timeout = '30s'`);
    await holder.query('BEGIN');
    await holder.query(
      'SELECT 1 FROM team_usage JOIN teams t ON t.id = team_id WHERE t.slug = $1 FOR UPDATE OF team_usage',
      [team],
    );
    const making = ada.post(`/teams/${team}/workspaces`, { name: 'New' }).then((answer) => answer);
    await waitingForLocks(service, 1);
    await holder.query('SELECT 1 FROM teams WHERE slug = $1 FOR UPDATE', [team]);
    await holder.query('COMMIT');
    await holder.end();
    expect((await making).status).toBe(200);
    expect(await retries('deadlock')).toMatch(/ 1$/);
  });

  testInside('a copy whose key another one has used meanwhile is not run again', async () => {
    const ada = service.as(somebody());
    const { query } = await aWorkspace(ada, await aTeam(ada));
    const { id } = await anItem(ada, query);
    const copies = await Promise.all(
      Array.from({ length: 5 }, () =>
        ada.post(`/collections/${id}/duplicate`, {}).set('idempotency-key', 'twins'),
      ),
    );
    expect(copies.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(copies.map(({ text }) => text)).size).toBe(1);
    expect(await retries('connection')).toMatch(/ 0$/);
  });
});
