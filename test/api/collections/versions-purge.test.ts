import { type InsideService, startServiceInside } from '../../support/app.js';
import { anItem, aTeam, aWorkspace, ok } from '../../support/builders.js';
import { testInside } from '../../support/inside.js';
import { assertInvariants } from '../../support/invariants.js';
import { type Known, someone } from '../../support/members.js';
import { purgeRound } from '../../support/purges.js';
import { sql } from '../../support/sql.js';
import { aVersion } from '../../support/versions.js';

let service: InsideService;
let ada: Known;
let team: string;
let workspace: Awaited<ReturnType<typeof aWorkspace>>;
beforeAll(async () => {
  service = await startServiceInside();
  ada = await someone(service);
});
beforeEach(async () => {
  team = await aTeam(ada);
  workspace = await aWorkspace(ada, team);
});
afterEach(() => assertInvariants(service.databaseUrl));
afterAll(() => service.stop());

const purge = (of = service) => purgeRound(of, 'Retention');

/** A page with so many versions. */
async function aPage(versions: number): Promise<string> {
  const { id } = await anItem(ada, workspace.query, { object: 'item' });
  for (let n = 0; n < versions; n++) await aVersion(service, ada, id);
  return id;
}

const kept = async (id: string) =>
  (
    await sql<{ version: number }>(
      service.databaseUrl,
      'SELECT version FROM page_versions WHERE id = $1 ORDER BY version',
      [id],
    )
  ).map(({ version }) => version);

/** Some versions of a page began, or ended, so long ago. */
const age = (id: string, what: 'since' | 'until', ago: string, versions: number[]) =>
  sql(
    service.databaseUrl,
    `UPDATE page_versions SET ${what} = now() - $2::interval WHERE id = $1 AND version = ANY ($3)`,
    [id, ago, versions],
  );

testInside('what has expired is removed, and nothing else', async () => {
  const [one, two] = [await aPage(3), await aPage(1)];
  await age(one, 'until', '30 days', [1, 2]);
  await purge();
  expect([await kept(one), await kept(two)]).toEqual([[3], [1]]);
});

testInside('the age of a version counts from when it was overwritten', async () => {
  const page = await aPage(2);
  // Written long ago, and what the page was until just now.
  await age(page, 'since', '40 days', [1, 2]);
  await age(page, 'until', '29 days 23:59', [1]);
  await purge();
  expect(await kept(page)).toEqual([1, 2]);
});

testInside('a page in the trash keeps its versions until they expire', async () => {
  const page = await aPage(3);
  await ok(ada.delete(`/collections/${page}`));
  await age(page, 'until', '30 days', [1]);
  // The first round looks for versions without a page, too.
  const restarted = await startServiceInside({}, service.databaseUrl);
  try {
    await purge(restarted);
  } finally {
    await restarted.stop();
  }
  expect(await kept(page)).toEqual([2, 3]);
  await ok(ada.post(`/collections/trash/${page}/restore`, {}));
  const versions = await ok<{ version: number }[]>(ada.get(`/collections/${page}/versions`));
  expect(versions.map(({ version }) => version)).toEqual([3, 2]);
});

testInside('what is purged from the trash goes with its versions', async () => {
  const [gone, stays] = [await aPage(2), await aPage(1)];
  await ok(ada.delete(`/collections/${gone}`));
  expect(await kept(gone)).toHaveLength(2);
  await ok(ada.delete(`/collections/trash/${gone}`));
  await purgeRound(service, 'TrashPurge');
  expect([await kept(gone), await kept(stays)]).toEqual([[], [1]]);
});

testInside('a purged workspace goes with the versions of its pages', async () => {
  const [page, trashed] = [await aPage(2), await aPage(1)];
  await ok(ada.delete(`/collections/${trashed}`));
  await ok(ada.delete(workspace.path));
  await ok(ada.delete(`/teams/${team}/trash/${workspace.id}`));
  await purgeRound(service, 'TrashPurge');
  expect([await kept(page), await kept(trashed)]).toEqual([[], []]);
  const left = 'SELECT FROM workspaces WHERE id = $1';
  expect(await sql(service.databaseUrl, left, [workspace.id])).toEqual([]);
});

testInside('with VERSIONS_TTL_SECONDS=0 none are kept, and those that are there go', async () => {
  const page = await aPage(1);
  const without = await startServiceInside({ VERSIONS_TTL_SECONDS: '0' }, service.databaseUrl);
  try {
    const path = `/collections/${page}`;
    const caller = without.as(ada.person);
    await sql(service.databaseUrl, 'UPDATE collections SET saved_version = NULL');
    await ok(caller.put(path, { content: { n: 1 } }));
    expect(await kept(page)).toEqual([1]);
    expect(await ok(caller.get(`${path}/versions`))).toEqual([]);
    expect((await caller.post(`${path}/versions/1/restore`)).status).toBe(404);
    await purge(without);
    expect(await kept(page)).toEqual([]);
  } finally {
    await without.stop();
  }
});
