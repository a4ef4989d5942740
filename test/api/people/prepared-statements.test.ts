import { somebody, startService } from '../../support/app.js';
import { aTeam, ok } from '../../support/builders.js';
import { createTestDatabase } from '../../support/database.js';
import { startDatabaseProxy } from '../../support/database-proxy.js';
import { aMember } from '../../support/members.js';

const SIZES = 300;

/** Each named statement stays in the memory of each connection that has used it. */
test('lists of any length add no prepared statements', async () => {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.url);
  const service = await startService({ PLAN_LIMITS: '{"free":{"users":0}}' }, proxy.url);
  try {
    const ada = service.as(somebody());
    const team = await aTeam(ada);
    const inside = { ...service, databaseUrl: database.url };
    for (let n = 0; n < 40; n++) await aMember(inside, team, 'member');
    const named = () => {
      const names = [...proxy.seen.values()].map(({ name }) => name);
      return new Set(names.filter((name) => name !== '')).size;
    };
    const list = (limit: number) => ok(ada.get(`/teams/${team}/members?limit=${limit}`));
    const invite = (count: number, from: number) => {
      const emails = Array.from({ length: count }, (_, n) => `p${from + n}@example.com`);
      const invites = emails.map((email) => ({ email, role: 'member' }));
      return ok(ada.post(`/teams/${team}/invites`, { invites }));
    };
    await list(1);
    await invite(1, 0);
    const before = named();
    for (let limit = 1; limit <= SIZES; limit++) await list(limit);
    for (let count = 2; count <= 20; count++) await invite(count, 100 * count);
    expect(named() - before).toBeLessThan(5);
  } finally {
    await service.stop();
    await proxy.stop();
    await database.drop();
  }
}, 60_000);
