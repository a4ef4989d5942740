import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyDatabase } from '../../cli/verify/invariants.js';
import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { migrate, upgradeUnderLoad } from '../operate/upgrade-under-load.js';
import { somebody, startService } from '../support/app.js';
import { build } from '../support/build.js';
import { anItem, aTeam, aWorkspace, ok } from '../support/builders.js';
import { testWith } from '../support/programs.js';
import { skipped } from '../support/skipped.js';
import { sql } from '../support/sql.js';
import { createDistributedDatabase, DISTRIBUTE, distribute, ROWS } from './cluster.js';

const MIGRATIONS = readMigrations();
/** Of 0.1.0. */
const FIRST = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name.endsWith('_audit')) + 1);
/** That of 0.1.0 names fewer tables. */
const FIRST_DISTRIBUTE = DISTRIBUTE.replace(',webhooks}', '}').replace('page_versions,', '');

const tables = (url: string) =>
  sql(
    url,
    'SELECT table_name::text, citus_table_type, distribution_column FROM citus_tables ORDER BY 1',
  );

test('a database that 0.1.0 has distributed is migrated, its new tables are distributed, and it serves', async () => {
  const database = await createDistributedDatabase(String(process.env.CITUS_URL), async (url) => {
    await applyMigrations(url, FIRST);
    await sql(url, ROWS);
    await distribute(url, FIRST_DISTRIBUTE);
    expect(await applyMigrations(url)).toHaveLength(MIGRATIONS.length - FIRST.length);
    await distribute(url);
  });
  try {
    expect(await tables(database.url)).toEqual(
      await tables(String(process.env.TEST_DISTRIBUTED_URL)),
    );
    const violations = (await verifyDatabase(database.url)).filter((found) => found.violations > 0);
    expect(violations).toEqual([]);
    const service = await startService({ WEBHOOK_KEY: 'k'.repeat(32) }, database.url);
    try {
      const [ada, bob] = [service.as(somebody()), service.as(somebody('Bob'))];
      const team = await aTeam(ada);
      const { inviteCode } = await ok<{ inviteCode: string }>(ada.get(`/teams/${team}`));
      await ok(bob.post('/teams/join', { inviteCode }));
      const { query } = await aWorkspace(ada, team);
      const { id } = await anItem(ada, query, {
        object: 'item',
        name: 'Page',
        key: 'page',
        content: { n: 0 },
      });
      await ok(bob.put(`/collections/${id}${query}`, { content: { n: 1 } }));
      expect(await ok(ada.get(`/collections/${id}/versions${query}`))).toHaveLength(1);
      expect(await ok(ada.get(`/collections/search${query}&q=pag`))).toHaveLength(1);
      await ok(ada.post(`/teams/${team}/webhooks`, { url: 'https://receiver.example' }));
    } finally {
      await service.stop();
    }
  } finally {
    await database.drop();
  }
});

const { PREVIOUS_BUILD: PREVIOUS } = process.env;
const testUpgrade = PREVIOUS
  ? testWith('haproxy')
  : skipped(test, 'PREVIOUS_BUILD names no build of the release before');

testUpgrade(
  'the release before serves while its distributed database is upgraded, and no request fails',
  async () => {
    const previous = String(PREVIOUS);
    await build();
    const script = readFileSync(join(previous, 'deploy/citus/distribute.sql'), 'utf8');
    const database = await createDistributedDatabase(String(process.env.CITUS_URL), async (url) => {
      await migrate(url, previous);
      await distribute(url, script);
    });
    try {
      await upgradeUnderLoad(database.url, previous, async () => {
        await migrate(database.url, '.');
        await distribute(database.url);
      });
    } finally {
      await database.drop();
    }
  },
  300_000,
);
