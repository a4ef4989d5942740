import { startService, type TestService } from '../support/app.js';
import { aTeam, ok } from '../support/builders.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { assertInvariants } from '../support/invariants.js';
import { holdTeam } from '../support/locks.js';
import { anInvite, codeOf, type Known, someone } from '../support/members.js';
import { sql } from '../support/sql.js';

const PAIRS = 25;

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
