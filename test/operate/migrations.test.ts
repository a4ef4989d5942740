import { type Migration } from '../../src/database/migration-history.js';
import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { prismaDeploy, prismaStatus } from '../support/prisma-migrate.js';
import { sql } from '../support/sql.js';

const MIGRATIONS = readMigrations();
const NAMES = MIGRATIONS.map(({ name }) => name);
const IN_STEP = {
  hasMigrationsTable: true,
  editedMigrationNames: [],
  failedMigrationNames: [],
  history: null,
};

/** Small ones, where it makes no difference what they do. */
const ONE: Migration = { name: '1_one', sql: 'CREATE TABLE one (id int);' };
const TWO: Migration = { name: '2_two', sql: 'CREATE TABLE two (id int);' };
const BROKEN: Migration = {
  name: '2_broken',
  sql: "CREATE TABLE broken (id int); INSERT INTO broken VALUES (1), ('a;b');",
};

let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

const apply = (migrations?: Migration[]) => applyMigrations(database.url, migrations);
const tables = async (): Promise<string[]> => {
  const rows = await sql(
    database.url,
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return rows.map((row) => String(row.tablename));
};

test('an empty database gets all migrations, a second time none', async () => {
  expect(await apply()).toEqual(NAMES);
  expect(await apply()).toEqual([]);
  expect(await tables()).toEqual(expect.arrayContaining(['_prisma_migrations', 'teams']));
});

test('several at once apply each migration once', async () => {
  const applied = await Promise.all([apply(), apply(), apply()]);
  expect(applied.flat().sort()).toEqual(NAMES);
});

test('prisma migrate status finds the history in step, and deploy has nothing to do', async () => {
  await apply();
  expect(await prismaStatus(database.url, MIGRATIONS)).toEqual(IN_STEP);
  expect(await prismaDeploy(database.url, MIGRATIONS)).toEqual([]);
});

test('a database that earlier versions migrated, with Prisma’s engine, is continued', async () => {
  expect(await prismaDeploy(database.url, MIGRATIONS.slice(0, 1))).toEqual(NAMES.slice(0, 1));
  expect(await apply()).toEqual(NAMES.slice(1));
  expect(await prismaStatus(database.url, MIGRATIONS)).toEqual(IN_STEP);
});

test('prisma migrate deploy and the service take turns', async () => {
  expect(await prismaDeploy(database.url, [ONE])).toEqual(['1_one']);
  expect(await apply([ONE, TWO])).toEqual(['2_two']);
  expect(await prismaStatus(database.url, [ONE, TWO])).toEqual(IN_STEP);
  const three = { name: '3_three', sql: 'CREATE TABLE three (id int);' };
  expect(await prismaDeploy(database.url, [ONE, TWO, three])).toEqual(['3_three']);
  expect(await apply([ONE, TWO, three])).toEqual([]);
});

test('a semicolon in a comment or in quotes ends no statement', async () => {
  const quoted = `
    CREATE TABLE one (id text); -- a; 'b
    /* c; */ INSERT INTO one VALUES ('it''s; "d');
    DO $$ BEGIN INSERT INTO one VALUES ('e'); PERFORM $q$;$q$; END $$;
    CREATE TABLE "f;" (id int)`;
  expect(await apply([{ name: '1_quoted', sql: quoted }])).toEqual(['1_quoted']);
  expect(await sql(database.url, 'SELECT id FROM one ORDER BY 1')).toEqual([
    { id: 'e' },
    { id: 'it\'s; "d' },
  ]);
});

test('the rows are those that Prisma writes', async () => {
  const columns = `SELECT migration_name, checksum, logs, rolled_back_at, applied_steps_count,
      length(id) AS id, finished_at >= started_at AS finished
    FROM _prisma_migrations ORDER BY started_at`;
  const definition = `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
    FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`;
  const other = await createEmptyDatabase();
  try {
    await apply();
    await prismaDeploy(other.url, MIGRATIONS);
    expect(await sql(database.url, columns)).toEqual(await sql(other.url, columns));
    expect(await sql(database.url, definition)).toEqual(await sql(other.url, definition));
  } finally {
    await other.drop();
  }
});

test('a migration that fails leaves nothing behind, and the ones before it stay', async () => {
  await expect(apply([ONE, BROKEN])).rejects.toThrow(
    /^The migration 2_broken failed, and nothing of it was applied: invalid input syntax/,
  );
  expect(await tables()).toEqual(['_prisma_migrations', 'one']);
  expect(await apply([ONE, TWO])).toEqual(['2_two']);
  expect(await prismaStatus(database.url, [ONE, TWO])).toEqual(IN_STEP);
});

test('a migration that was edited after it was applied is named', async () => {
  await apply([ONE]);
  const edited = { ...ONE, sql: `${ONE.sql}\n-- and more` };
  await expect(apply([edited, TWO])).rejects.toThrow(
    /^The migration 1_one was edited after it was applied to this database: /,
  );
  expect(await tables()).not.toContain('two');
  const { editedMigrationNames } = await prismaStatus(database.url, [edited, TWO]);
  expect(editedMigrationNames).toEqual(['1_one']);
});

test('the ends of lines make no difference', async () => {
  await apply([{ ...ONE, sql: `${ONE.sql}\n` }]);
  expect(await apply([{ ...ONE, sql: `${ONE.sql}\r\n` }])).toEqual([]);
});

test('migrations of a newer version are named', async () => {
  await apply([ONE, TWO]);
  await expect(apply([ONE])).rejects.toThrow(
    /^The database has migrations that this version of the service does not know \(2_two\): /,
  );
});

test('a migration that failed under Prisma is named, until it is marked as rolled back', async () => {
  await expect(prismaDeploy(database.url, [ONE, BROKEN])).rejects.toThrow('2_broken');
  const { failedMigrationNames } = await prismaStatus(database.url, [ONE, BROKEN]);
  expect(failedMigrationNames).toEqual(['2_broken']);
  await expect(apply([ONE, BROKEN])).rejects.toThrow(
    /^The migration 2_broken failed in this database.* --rolled-back 2_broken/,
  );
  await sql(
    database.url,
    'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL',
  );
  const mended = { ...BROKEN, sql: TWO.sql };
  expect(await apply([ONE, mended])).toEqual(['2_broken']);
});

test('a database that holds the tables of another program is refused, and left as it is', async () => {
  for (const name of ['orders', 'customers', 'invoices', 'a_fourth']) {
    await sql(database.url, `CREATE TABLE ${name} (id int)`);
  }
  await expect(apply()).rejects.toThrow(
    'DATABASE_URL names a database that holds the tables of another program (a_fourth, customers, invoices and 1 more)',
  );
  expect(await tables()).toHaveLength(4);
});

test('so is one that another program migrates with Prisma', async () => {
  await prismaDeploy(database.url, [ONE]);
  await expect(apply()).rejects.toThrow(
    'DATABASE_URL names a database that holds the tables of another program (one)',
  );
});

test('tables of an extension, or in another schema, belong to no other program', async () => {
  await sql(
    database.url,
    `CREATE SCHEMA other; CREATE TABLE other.things (id int);
     CREATE TABLE spatial_ref_sys (id int); ALTER EXTENSION plpgsql ADD TABLE spatial_ref_sys`,
  );
  expect(await apply([ONE])).toEqual(['1_one']);
});
