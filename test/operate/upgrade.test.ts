import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { build } from '../support/build.js';
import { createEmptyDatabase } from '../support/database.js';
import { describeWith } from '../support/programs.js';
import { sql } from '../support/sql.js';
import { endProcesses } from './process.js';
import { migrate, upgradeUnderLoad } from './upgrade-under-load.js';

/** The folder with the build of the release before. Without one, this build is in its place. */
const PREVIOUS = process.env.PREVIOUS_BUILD || '.';
const TIMEOUT = 300_000;

beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

/** A migration that a later release might have: a column for every table, a table, an index. */
async function migrateFurther(databaseUrl: string): Promise<void> {
  const tables = await sql<{ name: string }>(
    databaseUrl,
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
  );
  const statements = [
    ...tables.map(({ name }) => `ALTER TABLE ${name} ADD COLUMN later_text TEXT`),
    'ALTER TABLE collections ADD COLUMN later_flag BOOLEAN NOT NULL DEFAULT false',
    'CREATE TABLE later_labels (team_id UUID NOT NULL, id UUID NOT NULL, CONSTRAINT later_labels_pkey PRIMARY KEY (team_id, id))',
    'CREATE INDEX collections_later_idx ON collections (team_id, workspace_id, later_flag)',
  ];
  const later = statements.map((text, n) => ({ name: `${29990101000000 + n}_later`, sql: text }));
  await applyMigrations(databaseUrl, [...readMigrations(), ...later]);
}

describeWith('haproxy')('an upgrade under load', () => {
  test(
    'the previous build serves during and after the migrations, beside the new one, and no request fails',
    async () => {
      const database = await createEmptyDatabase();
      try {
        await migrate(database.url, PREVIOUS);
        await upgradeUnderLoad(database.url, PREVIOUS, async () => {
          await migrate(database.url, '.');
          if (PREVIOUS === '.') await migrateFurther(database.url);
        });
      } finally {
        await database.drop();
      }
    },
    TIMEOUT,
  );
});
