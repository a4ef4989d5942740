import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { goldenStatements } from '../support/golden.js';

/** Those that say no more than BEGIN are none. */
const statements = goldenStatements().filter(({ text }) => !/^(BEGIN|COMMIT|ROLLBACK)$/.test(text));

/** Tables that are distributed by team (deploy/citus/distribute.sql). */
const DISTRIBUTED = [
  ...['team_usage', 'workspaces', 'workspace_members', 'collections'],
  ...['trash_deletions', 'trash_items', 'tree_changes', 'audit_entries'],
];

/**
 * What may ask every node, and no more: an item or a deletion by its id alone, a caller's teams with
 * counters, what the purges of the trash, of the log of changes and of the audit log look for once a
 * minute, and the stamps of all workspaces that somebody waits for.
 */
const OVER_ALL_TRASH = [
  ...['trashPurge.count', 'trashPurge.next', 'trashPurge.nextWorkspace', 'trashPurge.overdue'],
];
// A distributed database is sent items.find instead of items.findAndRead.
const BY_ID = ['items.find', 'items.findAndRead', 'trash.findPlace'];
const OF_CHANGES = ['changes.treeStamps', 'changesPurge.next'];
const ASKS_EVERY_NODE = [
  ...[...BY_ID, ...OF_CHANGES, ...OVER_ALL_TRASH],
  ...['auditPurge.next', 'teams.list'],
].sort();

/** The names by which a statement calls the distributed tables that it touches. */
function references(text: string): string[] {
  const pattern = new RegExp(
    `\\b(?:FROM|JOIN|UPDATE|INTO)\\s+(?:"?public"?\\.)?"?(${DISTRIBUTED.join('|')})"?(?:\\s+(?:AS\\s+)?"?(\\w+)"?)?`,
    'gi',
  );
  const keywords = /^(WHERE|SET|ON|JOIN|LEFT|CROSS|ORDER|GROUP|LIMIT|UNION|FOR|VALUES|RETURNING)$/i;
  return [...text.matchAll(pattern)].map(([, table = '', alias = '']) =>
    alias === '' || keywords.test(alias) ? table : alias,
  );
}

/** The tables, by these names, that a statement does not filter by team. */
function unfiltered(text: string): string[] {
  const plain = text.replaceAll('"', '').replaceAll('public.', '');
  const named = references(text);
  const insert = /^\s*INSERT INTO (\w+) \(([^)]*)\)/i.exec(plain);
  return named.filter((name) => {
    if (insert?.[1] === name && /\bteam_id\b/.test(insert[2] as string)) return false;
    if (new RegExp(`\\b${name}\\.team_id (=|IN)`).test(plain)) return false;
    // Without a name before the column, where there is one table only to which it may belong.
    return !/(^|[\s(])team_id (= \$|IN \()/.test(plain);
  });
}

test('every statement filters by team, but those that may ask every node', () => {
  const unbound = statements.filter(({ text }) => {
    const parameter = /team_id (= \$\d|IN \(\$\d)|\([^)]*\bteam_id\b[^)]*\) (VALUES|SELECT)/.test(
      text.replaceAll('"', ''),
    );
    return references(text).length > 0 && !(parameter && unfiltered(text).length === 0);
  });
  expect(unbound.map(({ label }) => label).sort()).toEqual(ASKS_EVERY_NODE);
});

/** Tables that grow with the number of teams, or within one. */
const LARGE = [
  ...DISTRIBUTED,
  'teams',
  'team_members',
  'team_invites',
  'users',
  'idempotency_keys',
];

/**
 * 10,000 teams of two workspaces and two members, some invites; 100,000 items in 20 workspaces; 100,000
 * keys; 100,000 entries of one audit log, and some of the others.
 */
const FILL = `
  INSERT INTO users (id, issuer, subject, email, name)
    SELECT gen_random_uuid(), 'i', 's' || n, 'u' || n || '@example.com', 'U' FROM generate_series(1, 10000) n;
  INSERT INTO teams (id, slug, name, invite_code)
    SELECT gen_random_uuid(), 'team-' || n, 'T', 'code-' || n FROM generate_series(1, 10000) n;
  INSERT INTO team_usage (team_id) SELECT id FROM teams;
  CREATE TEMPORARY TABLE u AS SELECT id, row_number() OVER () AS n FROM users;
  CREATE TEMPORARY TABLE t AS SELECT id, row_number() OVER () AS n FROM teams;
  INSERT INTO team_members (team_id, user_id, role)
    SELECT t.id, u.id, 'member' FROM t, generate_series(0, 1) k JOIN u ON true
    WHERE u.n = (t.n + k * 17) % 10000 + 1;
  INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
    SELECT gen_random_uuid(), t.id, 'x' || k || t.n || '@example.com', 'member', u.id, now()
    FROM t JOIN u ON u.n = t.n, generate_series(1, 3) k;
  INSERT INTO workspaces (id, team_id, slug, name)
    SELECT gen_random_uuid(), t.id, 'w' || k, 'W' FROM t, generate_series(1, 2) k;
  INSERT INTO workspaces (id, team_id, slug, name, deleted_at, deleted_pages, deleted_collections,
      purged_at)
    SELECT gen_random_uuid(), t.id, 'w1', 'W', now(), 1, 1, CASE WHEN t.n % 100 = 0 THEN now() END
    FROM t;
  INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
    SELECT w.team_id, w.id, m.user_id, 'editor' FROM workspaces w JOIN team_members m USING (team_id);
  CREATE TEMPORARY TABLE w AS
    SELECT team_id, id, row_number() OVER () AS n FROM workspaces ORDER BY id LIMIT 20;
  CREATE TEMPORARY TABLE c AS
    SELECT w.team_id, w.id AS workspace_id, gen_random_uuid() AS id, k FROM w, generate_series(1, 5000) k;
  INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position)
    SELECT team_id, workspace_id, id, 'collection', 'C', 'c' || k, 'a' || lpad(k::text, 4, '0')
    FROM c WHERE k <= 100;
  INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position, content)
    SELECT c.team_id, c.workspace_id, c.id, p.id, 'item', 'P', 'p' || c.k,
      'a' || lpad(c.k::text, 4, '0'), '{}'
    FROM c JOIN c p ON p.workspace_id = c.workspace_id AND p.k = c.k % 100 + 1
    WHERE c.k > 100;
  INSERT INTO trash_deletions (team_id, workspace_id, id, object, name, position, rebalances, height,
      pages, collections, deleted_at, purged_at)
    SELECT team_id, workspace_id, gen_random_uuid(), 'item', 'D', 'a0', 0, 1, 1, 0, now(),
      CASE WHEN k % 100 = 0 THEN now() END
    FROM c;
  INSERT INTO trash_items (team_id, deletion_id, id, object, name, slug, position, version,
      created_at, updated_at)
    SELECT team_id, id, id, 'item', 'D', 'd', 'a0', 1, now(), now() FROM trash_deletions;
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp, created_at)
    SELECT team_id, workspace_id, k, id, gen_random_uuid(), now() - make_interval(mins => k) FROM c;
  INSERT INTO audit_entries (team_id, id, at, actor_id, action, target_type, target_id, workspace_id,
      details)
    SELECT t.id, gen_random_uuid(), now() - make_interval(mins => k), u.id,
      (ARRAY['item.deleted', 'item.restored', 'member.joined', 'workspace.purged'])[k % 4 + 1],
      'item', u.id, CASE WHEN k % 4 = 3 THEN gen_random_uuid() END, '{"visibility":"public"}'
    FROM t, generate_series(1, 100000) k JOIN u ON u.n = k % 100 + 1 WHERE t.n = 1;
  INSERT INTO audit_entries (team_id, id, at, actor_id, action, target_type, target_id, details)
    SELECT t.id, gen_random_uuid(), now(), u.id, 'team.created', 'team', t.id, '{}'
    FROM t JOIN u USING (n);
  INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer, created_at)
    SELECT u.id, 'k' || k, 'o', 'f', '{}', now() - make_interval(mins => ((n * 7 + k) % 2000)::int)
    FROM u, generate_series(1, 10) k;
  ANALYZE`;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Alias?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('on a database of 10,000 teams and 100,000 items, with one plan for all values', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(FILL);
    await client.query('SET plan_cache_mode = force_generic_plan');
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** Whether the plan walks a large table, or the whole of an index. */
  async function walks(text: string): Promise<boolean> {
    return (await nodesFor(text)).some(
      (node) =>
        LARGE.includes(node['Relation Name'] ?? '') &&
        (node['Node Type'] === 'Seq Scan' ||
          (/^Index (Only )?Scan/.test(node['Node Type']) && !node['Index Cond'])),
    );
  }

  /** The nodes of its plan. */
  async function nodesFor(text: string): Promise<Plan[]> {
    const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
    await client.query(`PREPARE checked AS ${text}`);
    const values = count > 0 ? `(${Array(count).fill('NULL').join(', ')})` : '';
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE checked${values}`);
    await client.query('DEALLOCATE checked');
    return nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan);
  }

  test('an index serves every statement', async () => {
    const offenders: string[] = [];
    for (const { label, text } of statements) if (await walks(text)) offenders.push(label);
    expect([...new Set(offenders)].sort()).toEqual(OVER_ALL_TRASH);
  });

  test('the audit log is read in the order of an index, whatever the filters', async () => {
    const indexes: Record<string, unknown> = {};
    for (const { label, text } of statements.filter((sent) => /^auditLog\./.test(sent.label))) {
      const nodes = await nodesFor(text);
      const scan = nodes.find((node) => node.Alias === 'e');
      const sorts = nodes.filter((node) => /Sort/.test(node['Node Type'])).length;
      indexes[label] = [scan?.['Index Name'], sorts];
    }
    // The one sort is of the page.
    expect(indexes).toEqual({
      'auditLog.list': ['audit_entries_at_idx', 1],
      'auditLog.ofAction': ['audit_entries_action_idx', 1],
      'auditLog.ofActor': ['audit_entries_actor_idx', 1],
      'auditLog.ofActionAndActor': ['audit_entries_actor_idx', 1],
    });
  });
});
