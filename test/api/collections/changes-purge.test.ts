import type { ChangesPurge } from '../../../src/collections/changes/changes-purge.js';
import { type InsideService, startServiceInside } from '../../support/app.js';
import { anItem, ok, theTree } from '../../support/builders.js';
import { testInside } from '../../support/inside.js';
import { Replica } from '../../support/replica.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ once: 'workspace' });

let service: InsideService;
let purge: ChangesPurge;
beforeAll(async () => {
  service = await startServiceInside({ CHANGES_TTL_SECONDS: '3600' }, at.databaseUrl);
  const module = await import('../../../src/collections/changes/changes-purge.js');
  purge = service.app.get(module.ChangesPurge);
});
afterAll(() => service.stop());

/** The versions that the log has, in order. */
const versions = async () =>
  (
    await sql<{ version: string }>(
      at.databaseUrl,
      'SELECT DISTINCT version FROM tree_changes WHERE workspace_id = $1 ORDER BY version',
      [at.workspace.id],
    )
  ).map(({ version }) => Number(version));

testInside('changes older than CHANGES_TTL_SECONDS are purged, whole versions', async () => {
  const items = Array.from({ length: 300 }, () => ({ object: 'item' }));
  for (let n = 0; n < 4; n++) {
    await ok(at.ada.post(`/collections/batch${at.query}`, { items: n === 3 ? [{}] : items }));
  }
  const replica = new Replica(at.query, '&limit=1000');
  await replica.follow(at.ada);
  await anItem(at.ada, at.query);
  await purge.runRound();
  expect(await versions()).toEqual([1, 2, 3, 4, 5]);
  await sql(
    at.databaseUrl,
    "UPDATE tree_changes SET created_at = now() - interval '2 hours' WHERE version <= 4",
  );
  await purge.runRound();
  expect(await versions()).toEqual([5]);
  await replica.follow(at.ada);
  expect(replica.tree()).toEqual(await theTree(at.ada, at.query));
});
