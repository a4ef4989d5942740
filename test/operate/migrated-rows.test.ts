import { readFileSync } from 'node:fs';
import pg from 'pg';
import { verifyDatabase } from '../../cli/verify/invariants.js';
import { applyMigrations, readMigrations } from '../../src/database/migrations.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { offenders } from '../support/offenders.js';
import { sql } from '../support/sql.js';

describe('by_team', () => {
  const BEFORE = ['20260101000000_initial', '20260201000000_content_as_sent'];
  const BY_TEAM = '20260401000000_by_team';

  const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const [ADA, BOB, RED, BLUE, OPEN, CLOSED, OTHER] = [1, 2, 11, 12, 21, 22, 23].map(id);
  const [FOLDER, INNER, PAGE, DEEP, HIDDEN, ELSEWHERE] = [31, 32, 33, 34, 35, 36].map(id);

  /** Two teams; the red one has a private workspace, nested content, a member and an invite. */
  const DATA = `
  INSERT INTO users (id, issuer, subject, email, email_verified, name, image) VALUES
    ('${ADA}', 'https://issuer.example', 'ada', 'ada@example.com', true, 'Ada', 'https://a.example/a.png'),
    ('${BOB}', 'https://issuer.example', 'bob', 'Bob@example.com', false, 'Bob', NULL);
  INSERT INTO teams (id, slug, name, description, plan, invite_code, usage_pages, usage_users, usage_workspaces) VALUES
    ('${RED}', 'red', 'Red', 'The red ones', 'business', 'code-red', 3, 2, 2),
    ('${BLUE}', 'blue', 'Blue', NULL, 'free', 'code-blue', 1, 1, 1);
  INSERT INTO team_members (team_id, user_id, role) VALUES
    ('${RED}', '${ADA}', 'owner'), ('${RED}', '${BOB}', 'member'), ('${BLUE}', '${BOB}', 'owner');
  INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at) VALUES
    ('${id(41)}', '${RED}', 'eve@example.com', 'guest', '${ADA}', '2030-01-01');
  INSERT INTO workspaces (id, team_id, slug, name, visibility, default_access) VALUES
    ('${OPEN}', '${RED}', 'open', 'Open', 'public', 'read-only'),
    ('${CLOSED}', '${RED}', 'closed', 'Closed', 'private', 'full'),
    ('${OTHER}', '${BLUE}', 'open', 'Open', 'public', 'full');
  INSERT INTO workspace_members (team_id, workspace_id, user_id, role) VALUES
    ('${RED}', '${CLOSED}', '${ADA}', 'editor'), ('${RED}', '${OPEN}', '${BOB}', 'reader');
  INSERT INTO collections (id, workspace_id, parent_id, object, name, slug, position, content, version) VALUES
    ('${FOLDER}', '${OPEN}', NULL, 'collection', 'Folder', 'folder', 'a0', NULL, 4),
    ('${INNER}', '${OPEN}', '${FOLDER}', 'collection', 'Inner', 'inner', 'a0', NULL, 1),
    ('${PAGE}', '${OPEN}', '${FOLDER}', 'item', 'Page', 'page', 'a0V', '{"z": 1e300, "a": -0}', 7),
    ('${DEEP}', '${OPEN}', '${INNER}', 'item', 'Deep', 'deep', 'a1', '{}', 1),
    ('${HIDDEN}', '${CLOSED}', NULL, 'item', 'Page', 'page', 'a0', '{"secret": true}', 2),
    ('${ELSEWHERE}', '${OTHER}', NULL, 'item', 'Page', 'page', 'a0', '{}', 1);
  INSERT INTO position_rewrites (workspace_id, parent_id, old_positions, new_positions) VALUES
    ('${OPEN}', '${FOLDER}', '{a0,a0V}', '{a0,a1}')`;

  const TABLES = [
    'users',
    'teams',
    'team_members',
    'team_invites',
    'workspaces',
    'workspace_members',
    'collections',
  ];

  type Row = Record<string, unknown>;

  /** All rows, table by table; a page's content as its text, digit by digit. */
  async function everyRow(url: string): Promise<Record<string, Row[]>> {
    const rows: Record<string, Row[]> = {};
    for (const table of TABLES) {
      const content = table === 'collections' ? ', content::text' : '';
      rows[table] = await sql<Row>(url, `SELECT *${content} FROM ${table} AS t ORDER BY t::text`);
      rows[table].sort((a, b) => key(a).localeCompare(key(b)));
    }
    return rows;
  }

  const key = (row: Row): string =>
    `${row.id ?? ''} ${row.workspace_id ?? ''} ${row.user_id ?? ''}`;

  let database: TestDatabase;
  let before: Record<string, Row[]>;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    for (const name of BEFORE) await migrate(name);
    await sql(database.url, DATA);
    before = await everyRow(database.url);
    await migrate(BY_TEAM);
  });
  afterEach(() => database.drop());

  /** Applies a migration as a deployment does: whole or not at all. */
  async function migrate(name: string): Promise<void> {
    const file = new URL(`../../prisma/migrations/${name}/migration.sql`, import.meta.url);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query(`BEGIN; ${readFileSync(file, 'utf8')}; COMMIT`);
    } finally {
      await client.end();
    }
  }

  test('every row keeps what it had', async () => {
    const after = await everyRow(database.url);
    for (const table of TABLES) {
      const kept = (before[table] ?? []).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('usage_'))),
      );
      expect(kept.length).toBeGreaterThan(0);
      expect(after[table]).toHaveLength(kept.length);
      expect(after[table]).toMatchObject(kept);
    }
  });

  test('collections get the team of their workspace', async () => {
    const rows = await sql<{ id: string; team_id: string }>(
      database.url,
      'SELECT id, team_id FROM collections ORDER BY id',
    );
    expect(rows).toEqual(
      [FOLDER, INNER, PAGE, DEEP, HIDDEN, ELSEWHERE].map((id) => ({
        id,
        team_id: id === ELSEWHERE ? BLUE : RED,
      })),
    );
  });

  test('the counters move to team_usage and stay equal to the rows', async () => {
    const counters = await sql(database.url, 'SELECT * FROM team_usage ORDER BY team_id');
    expect(counters).toEqual([
      { team_id: RED, pages: 3, users: 2, workspaces: 2 },
      { team_id: BLUE, pages: 1, users: 1, workspaces: 1 },
    ]);
  });

  test('the migrations after it count the collections, and nothing is wrong then', async () => {
    const later = readMigrations().filter(({ name }) => name > BY_TEAM);
    for (const { name } of later) await migrate(name);
    const counters = await sql(
      database.url,
      'SELECT pages, collections FROM team_usage ORDER BY team_id',
    );
    expect(counters).toEqual([
      { pages: 3, collections: 2 },
      { pages: 1, collections: 0 },
    ]);
    const findings = await verifyDatabase(database.url);
    expect(findings.filter(({ violations }) => violations > 0)).toEqual([]);
  });

  test('workspaces begin at version 0, each with a stamp of its own', async () => {
    const rows = await sql<{ tree_version: string; rebalances: number; tree_stamp: string }>(
      database.url,
      'SELECT tree_version, rebalances, tree_stamp FROM workspaces',
    );
    expect(rows.map(({ tree_version, rebalances }) => [tree_version, rebalances])).toEqual(
      rows.map(() => ['0', 0]),
    );
    expect(new Set(rows.map(({ tree_stamp }) => tree_stamp)).size).toBe(3);
  });

  test('every unique key and every foreign key of what can be distributed begins with team_id', async () => {
    const keys = await sql<{ name: string; first: string }>(
      database.url,
      `SELECT i.indexrelid::regclass::text AS name, a.attname AS first
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indisunique AND i.indrelid = ANY ($1::regclass[])
     UNION ALL
     SELECT c.conname, a.attname FROM pg_constraint c
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.conrelid = ANY ($1::regclass[])`,
      [['team_usage', 'workspaces', 'workspace_members', 'collections']],
    );
    expect(keys.length).toBe(14);
    expect(keys.filter(({ first }) => first !== 'team_id')).toEqual([]);
  });

  describe('the keys hold afterwards', () => {
    const violated = (text: string): Promise<string> =>
      sql(database.url, text).then(
        () => 'nothing',
        (error: pg.DatabaseError) => error.constraint ?? String(error),
      );
    const insert = (columns: string, values: string) =>
      violated(`INSERT INTO collections (team_id, workspace_id, object, name, ${columns})
      VALUES ('${RED}', '${OPEN}', 'collection', 'New', ${values})`);

    test('of every table', async () => {
      const wrong = await offenders(
        [
          ['collections_pkey', 'id, slug, position', `'${FOLDER}', 'new', 'b0'`],
          ['collections_workspace_slug_key', 'id, slug, position', `'${id(99)}', 'page', 'b0'`],
          ['collections_siblings_position_key', 'id, slug, position', `'${id(99)}', 'new', 'a0'`],
          [
            'collections_parent_fkey',
            'id, slug, position, parent_id',
            `'${id(99)}', 'new', 'b0', '${PAGE}'`,
          ],
        ],
        async ([constraint, columns, values]) => {
          expect(await insert(columns, values)).toBe(constraint);
        },
      );
      expect(wrong).toEqual([]);
    });

    test('an item cannot name a team that its workspace is not of', async () => {
      expect(
        await violated(`UPDATE collections SET team_id = '${BLUE}' WHERE id = '${HIDDEN}'`),
      ).toBe('collections_workspace_fkey');
    });

    test('a team goes with all it has', async () => {
      await sql(database.url, `DELETE FROM teams WHERE id = '${BLUE}'`);
      const left = await sql(
        database.url,
        `SELECT 1 FROM team_usage WHERE team_id = $1 UNION ALL SELECT 1 FROM workspaces WHERE team_id = $1
       UNION ALL SELECT 1 FROM collections WHERE team_id = $1`,
        [BLUE],
      );
      expect(left).toEqual([]);
    });
  });
});

describe('ascii_emails', () => {
  const ASCII_EMAILS = '20260703000000_ascii_emails';

  const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    const migrations = readMigrations();
    const at = migrations.findIndex(({ name }) => name === ASCII_EMAILS);
    await applyMigrations(database.url, migrations.slice(0, at));
    await sql(
      database.url,
      `INSERT INTO users (id, issuer, subject, email, name) VALUES ('${id(1)}', '', 'ada', 'ada@example.com', 'Ada')`,
    );
    await sql(
      database.url,
      `INSERT INTO teams (id, slug, name, invite_code) VALUES ('${id(2)}', 'acme', 'Acme', 'code')`,
    );
  });
  afterEach(() => database.drop());

  const invite = (n: number, email: string, state = 'pending', expires = '2030-01-01') =>
    sql(
      database.url,
      `INSERT INTO team_invites (id, team_id, email, role, state, invited_by, expires_at)
     VALUES ($1, '${id(2)}', $2, 'guest', $3, '${id(1)}', $4)`,
      [id(n), email, state, expires],
    );
  const rows = () => sql(database.url, 'SELECT * FROM team_invites ORDER BY id');

  test('invites keep what they had', async () => {
    await invite(11, 'Bob@example.com');
    await invite(12, 'bob@example.com', 'revoked');
    await invite(13, '\u212aate@example.com');
    await invite(14, '\u0130ris@example.com', 'accepted');
    const before = await rows();
    await applyMigrations(database.url);
    expect(await rows()).toEqual(before);
  });

  test('afterwards the Kelvin sign is no k, and A is a', async () => {
    await invite(11, '\u212aate@example.com');
    await applyMigrations(database.url);
    await invite(12, 'kate@example.com');
    await expect(invite(13, 'KATE@example.com')).rejects.toMatchObject({
      constraint: 'team_invites_pending_key',
    });
  });

  test('of pending invites that are the same now, as under a Turkish locale, the newest stays', async () => {
    // Under that locale the old key tells I from i; here there is none.
    await sql(
      database.url,
      'DROP INDEX team_invites_pending_key; CREATE INDEX team_invites_pending_key ON team_invites (id)',
    );
    await invite(11, 'IRIS@example.com', 'pending', '2030-01-02');
    await invite(12, 'iris@example.com', 'pending', '2030-01-01');
    await invite(13, 'eve@example.com', 'pending', '2030-01-01');
    await applyMigrations(database.url);
    const states = (await rows()).map(({ email, state }) => [email, state]);
    expect(states).toEqual([
      ['IRIS@example.com', 'pending'],
      ['iris@example.com', 'revoked'],
      ['eve@example.com', 'pending'],
    ]);
  });
});

describe('autovacuum', () => {
  const AUTOVACUUM = '20261123010000_autovacuum';
  const PURGED = ['audit_entries', 'idempotency_keys', 'trash_items', 'tree_changes'];

  let database: TestDatabase;
  beforeEach(async () => {
    database = await createEmptyDatabase();
    const migrations = readMigrations();
    const at = migrations.findIndex(({ name }) => name === AUTOVACUUM);
    await applyMigrations(database.url, migrations.slice(0, at));
  });
  afterEach(() => database.drop());

  test('waits for no writer, and sets what autovacuum does with the tables that are purged', async () => {
    const writer = new pg.Client({ connectionString: database.url });
    await writer.connect();
    await writer.query(`BEGIN; LOCK TABLE ${PURGED.join(', ')} IN ROW EXCLUSIVE MODE`);
    const migration = readMigrations().filter(({ name }) => name <= AUTOVACUUM);
    expect(await applyMigrations(database.url, migration)).toEqual([AUTOVACUUM]);
    await writer.end();
    const tables = await sql<{ name: string }>(
      database.url,
      `SELECT relname AS name FROM pg_class
       WHERE reloptions @> '{autovacuum_vacuum_scale_factor=0.02}' ORDER BY 1`,
    );
    expect(tables.map(({ name }) => name)).toEqual(PURGED);
  });
});

describe('titles', () => {
  const NAME_INDEX = `SELECT indexname FROM pg_indexes WHERE indexname = 'collections_name_idx'`;

  test('items have none, and 0.2.0 keeps the index that it searches', async () => {
    const database = await createEmptyDatabase();
    try {
      const before = readMigrations().filter(({ name }) => name < '20261129010000_titles');
      await applyMigrations(database.url, before);
      await sql(
        database.url,
        `INSERT INTO teams (id, slug, name, invite_code) VALUES (gen_random_uuid(), 'acme', 'Acme', 'code');
         INSERT INTO workspaces (id, team_id, slug, name) SELECT id, id, 'open', 'Open' FROM teams;
         INSERT INTO collections (id, team_id, workspace_id, object, name, slug, position, content)
         SELECT id, id, id, 'item', 'Page', 'page', 'a0', '{}' FROM teams`,
      );
      await applyMigrations(database.url);
      expect(await sql(database.url, 'SELECT name, title, titled_name FROM collections')).toEqual([
        { name: 'Page', title: null, titled_name: null },
      ]);
      expect(await sql(database.url, NAME_INDEX)).toHaveLength(1);
    } finally {
      await database.drop();
    }
  });

  test('a new database does not have that index', async () => {
    const database = await createEmptyDatabase();
    try {
      await applyMigrations(database.url);
      expect(await sql(database.url, NAME_INDEX)).toEqual([]);
    } finally {
      await database.drop();
    }
  });
});

test('the indexes that docs/upgrade.md builds beforehand are those of the migrations', async () => {
  const text = readFileSync('docs/upgrade.md', 'utf8');
  const statements =
    text.match(/^(CREATE (UNIQUE )?INDEX CONCURRENTLY|ALTER TABLE \w+ ADD COLUMN) [^;]+;/gm) ?? [];
  expect(statements).toHaveLength(9);
  const INDEXES = `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname`;
  const [fresh, beforehand] = [await createEmptyDatabase(), await createEmptyDatabase()];
  try {
    await applyMigrations(fresh.url);
    const before = readMigrations().filter(({ name }) => name < '20261123020000_slug_index');
    await applyMigrations(beforehand.url, before);
    for (const statement of statements) await sql(beforehand.url, statement);
    await applyMigrations(beforehand.url);
    expect(await sql(beforehand.url, INDEXES)).toEqual(await sql(fresh.url, INDEXES));
  } finally {
    await fresh.drop();
    await beforehand.drop();
  }
});
