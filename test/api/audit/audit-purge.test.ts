import type { TrashPurge } from '../../../src/collections/trash/trash-purge.js';
import type { Retention } from '../../../src/jobs/retention.js';
import { type InsideService, startServiceInside } from '../../support/app.js';
import { auditLog, type EntryBody } from '../../support/audit.js';
import { anItem, aTeam, aWorkspace, ok } from '../../support/builders.js';
import { testInside } from '../../support/inside.js';
import { type Known, someone } from '../../support/members.js';
import { sql } from '../../support/sql.js';

let service: InsideService;
let retention: Retention;
let trash: TrashPurge;
let ada: Known;
let team: string;
beforeAll(async () => {
  service = await startServiceInside({
    AUDIT_TTL_SECONDS: '3600',
    PLAN_LIMITS: '{"free":{"pages":2,"workspaces":0}}',
  });
  retention = service.provider('Retention');
  trash = service.provider('TrashPurge');
  ada = await someone(service);
});
beforeEach(async () => {
  team = await aTeam(ada);
});
afterAll(() => service.stop());

const change = (text: string, ...values: unknown[]) => sql(service.databaseUrl, text, values);

testInside('entries older than AUDIT_TTL_SECONDS are removed, in portions', async () => {
  const other = await aTeam(ada);
  await change(
    `INSERT INTO audit_entries (team_id, id, at, action, target_type, target_id, details)
     SELECT id, gen_random_uuid(), now() - interval '2 hours', 'team.updated', 'team', id, '{}'
     FROM teams, generate_series(1, 1500)`,
  );
  await retention.runRound();
  for (const slug of [team, other]) {
    const actions = (await auditLog(ada, slug)).map(({ action }) => action);
    expect(actions).toEqual(['team.created']);
  }
});

testInside('of old entries the oldest go first, of all teams and of each', async () => {
  const other = await aTeam(ada);
  const age = (slug: string, hours: number[]) =>
    change(
      `INSERT INTO audit_entries (team_id, id, at, action, target_type, target_id, details)
       SELECT t.id, gen_random_uuid(), now() - hours * interval '1 hour', 'team.updated', 'team', t.id,
         json_build_object('hours', hours)
       FROM teams t, unnest($2::int[]) AS hours WHERE slug = $1`,
      slug,
      hours,
    );
  const left = async (slug: string) =>
    (await auditLog(ada, slug)).flatMap(({ details }) => details.hours ?? []);
  await age(other, [3, 9]);
  await age(team, [4, 7, 5, 10, 6]);
  expect(await retention.removePortion('audit_entries', 2)).toBe(2);
  expect([await left(team), await left(other)]).toEqual([
    [4, 5, 6],
    [3, 9],
  ]);
  expect(await retention.removePortion('audit_entries', 2)).toBe(2);
  expect([await left(team), await left(other)]).toEqual([[4, 5, 6], []]);
  await retention.runRound();
  expect(await left(team)).toEqual([]);
});

testInside('what expires in the trash, or has no room there, is purged by nobody', async () => {
  const { id, query } = await aWorkspace(ada, team);
  const ids: string[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    const item = await anItem(ada, query, { object: 'item', name, title: `${name} of four` });
    await ok(ada.delete(`/collections/${item.id}`));
    ids.push(item.id);
  }
  const [one = '', two = ''] = ids;
  const gone = await aWorkspace(ada, team, { name: 'Gone' });
  const hidden = await aWorkspace(ada, team, { visibility: 'private' });
  await ok(ada.delete(gone.path));
  await ok(ada.delete(hidden.path));
  const longAgo = new Date(Date.now() - 31 * 24 * 3600 * 1000);
  await change('UPDATE trash_deletions SET deleted_at = $2 WHERE id = $1', one, longAgo);
  for (const { id: workspaceId } of [gone, hidden]) {
    await change('UPDATE workspaces SET deleted_at = $2 WHERE id = $1', workspaceId, longAgo);
  }
  await trash.runRound();
  const entries = (await auditLog(ada, team)).filter(({ action }) => action.endsWith('.purged'));
  const byTarget = Object.fromEntries(entries.map((entry) => [entry.target.id, entry]));
  expect(Object.keys(byTarget).sort()).toEqual([one, two, gone.id].sort());
  const nobody = { actor: null, requestId: null } satisfies Partial<EntryBody>;
  expect(byTarget[one]).toMatchObject({
    ...nobody,
    action: 'item.purged',
    target: { type: 'item', name: 'One of four' },
    details: { workspaceId: id, pages: 1, collections: 0, reason: 'expired' },
  });
  expect(byTarget[two]).toMatchObject({ ...nobody, details: { reason: 'trash_limit' } });
  expect(byTarget[gone.id]).toMatchObject({
    ...nobody,
    action: 'workspace.purged',
    target: { type: 'workspace', name: 'Gone' },
    details: { pages: 0, collections: 0, visibility: 'public', reason: 'expired' },
  });
});
