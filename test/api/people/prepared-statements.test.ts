import { ok } from '../../support/builders.js';
import { aMember } from '../../support/members.js';
import { scene } from '../../support/scene.js';

const SIZES = 300;

const at = scene({ env: { PLAN_LIMITS: '{"free":{"users":0}}' }, once: 'team', proxied: true });

/** Each named statement stays in the memory of each connection that has used it. */
test('lists of any length add no prepared statements', async () => {
  for (let n = 0; n < 40; n++) await aMember(at, at.team, 'member');
  const named = () => {
    const names = [...at.proxy.seen.values()].map(({ name }) => name);
    return new Set(names.filter((name) => name !== '')).size;
  };
  const list = (limit: number) => ok(at.ada.get(`/teams/${at.team}/members?limit=${limit}`));
  const invite = (count: number, from: number) => {
    const emails = Array.from({ length: count }, (_, n) => `p${from + n}@example.com`);
    const invites = emails.map((email) => ({ email, role: 'member' }));
    return ok(at.ada.post(`/teams/${at.team}/invites`, { invites }));
  };
  await list(1);
  await invite(1, 0);
  const before = named();
  for (let limit = 1; limit <= SIZES; limit++) await list(limit);
  for (let count = 2; count <= 20; count++) await invite(count, 100 * count);
  expect(named() - before).toBeLessThan(5);
}, 60_000);
