import { STORED_FIELDS, TRASHED_FIELDS } from '../../src/collections/items/item.fields.js';
import { columnOf, type Fields } from '../../src/database/fields.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { closeSql, sql } from '../support/sql.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await closeSql(database.url);
  await database.drop();
});

const TYPES: Record<string, string> = {
  integer: 'int',
  'timestamp with time zone': 'timestamptz',
};

/** Columns with their types, and whether they may be null. */
async function columnsIn(table: string): Promise<Record<string, string>> {
  const found = await sql<{ name: string; type: string; nullable: boolean }>(
    database.url,
    `SELECT column_name AS name, data_type AS type, is_nullable = 'YES' AS nullable
     FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
    [table],
  );
  return Object.fromEntries(
    found.map(({ name, type, nullable }) => [name, described(TYPES[type] ?? type, nullable)]),
  );
}

const columnsOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [
      columnOf(name),
      described(kind.type, kind.isNullable),
    ]),
  );

const described = (type: string, isNullable: boolean) => `${type}${isNullable ? ', or null' : ''}`;

test('the columns of collections are the fields of an item, and what the database makes by itself', async () => {
  const { list_id, parent_object, ...columns } = await columnsIn('collections');
  expect([list_id, parent_object]).toEqual(['uuid', 'text']);
  expect(columns).toEqual(columnsOf(STORED_FIELDS));
});

/** What the trash does not have: TRASHED_FIELDS says why. A column that comes must be in the trash, too. */
const NOT_TRASHED = ['content_digest', 'saved_version', 'workspace_id'];

test('the columns of trash_items are those of collections, but for these', async () => {
  const columns = await columnsIn('trash_items');
  expect(columns).toEqual(columnsOf(TRASHED_FIELDS));
  const missing = Object.keys(columnsOf(STORED_FIELDS)).filter((name) => !(name in columns));
  expect(missing.sort()).toEqual(NOT_TRASHED);
});
