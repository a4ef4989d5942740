import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { sql } from '../support/sql.js';
import { distribute } from './cluster.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const REFERENCE = ['team_invites', 'team_members', 'teams', 'users', 'webhooks'];
const DISTRIBUTED = [
  ...[
    'audit_entries',
    'collections',
    'page_versions',
    'page_words',
    'search_positions',
    'team_usage',
    'trash_deletions',
  ],
  ...['trash_items', 'tree_changes', 'workspace_members', 'workspaces'],
];

test('people and teams are on every node, all else of a team lies together, by team_id', async () => {
  const tables = await sql<{ name: string; kind: string; column: string; group: string }>(
    database.url,
    `SELECT table_name::text AS name, citus_table_type AS kind, distribution_column AS "column",
       colocation_id::text AS "group"
     FROM citus_tables ORDER BY 1`,
  );
  const named = (names: string[]) => tables.filter(({ name }) => names.includes(name));
  expect(tables.map(({ name }) => name).sort()).toEqual([...REFERENCE, ...DISTRIBUTED].sort());
  for (const { kind } of named(REFERENCE)) expect(kind).toBe('reference');
  for (const { kind, column } of named(DISTRIBUTED)) {
    expect([kind, column]).toEqual(['distributed', 'team_id']);
  }
  expect(new Set(named(DISTRIBUTED).map(({ group }) => group)).size).toBe(1);
});

test('foreign keys are what they were, and each between distributed tables begins with team_id', async () => {
  const keys = await sql<{ name: string; definition: string }>(
    database.url,
    `SELECT conname AS name, pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
     JOIN citus_tables t ON t.table_name = c.conrelid
     WHERE contype = 'f' AND citus_table_type = 'distributed' ORDER BY 1`,
  );
  expect(keys.map(({ name }) => name)).toEqual([
    'collections_parent_fkey',
    'collections_workspace_fkey',
    'page_words_position_fkey',
    'search_positions_workspace_fkey',
    'team_usage_team_fkey',
    'trash_deletions_workspace_fkey',
    'trash_items_deletion_fkey',
    'workspace_members_member_fkey',
    'workspace_members_workspace_fkey',
    'workspaces_team_fkey',
  ]);
  for (const { definition } of keys) expect(definition).toMatch(/^FOREIGN KEY \(team_id\b/);
});

test('a second run says that nothing was done', async () => {
  expect(await distribute(database.url)).toEqual([
    'This database is distributed already; nothing was done.',
  ]);
});
