import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { goldenStatements } from '../support/golden.js';
import {
  Accesses,
  DISTRIBUTED,
  OVER_ALL_TRASH,
  type PlanNode,
  planOf,
  rowsTouched,
} from '../support/plans.js';

/** Those that say no more than BEGIN are none. */
const statements = goldenStatements().filter(
  ({ text }) => !/^(BEGIN|COMMIT|ROLLBACK)\b/.test(text),
);

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
 * 10,000 teams, of which 1,000 have ten workspaces, four members, who are in twenty teams each, and invites;
 * 20,000 items in twenty workspaces; 20,000 keys; 100,000 entries of one audit log, nearly all hidden from its owner, and some of the others.
 */
const FILL = `
  INSERT INTO users (id, issuer, subject, email, name)
    SELECT gen_random_uuid(), 'i', 's' || n, 'u' || n || '@example.com', 'U' FROM generate_series(1, 2000) n;
  INSERT INTO teams (id, slug, name, invite_code)
    SELECT gen_random_uuid(), 'team-' || n, 'T', 'code-' || n FROM generate_series(1, 1000) n;
  INSERT INTO teams (id, slug, name, invite_code)
    SELECT gen_random_uuid(), 'other-' || n, 'T', 'other-' || n FROM generate_series(1, 9000) n;
  INSERT INTO team_usage (team_id) SELECT id FROM teams;
  CREATE TEMPORARY TABLE u AS SELECT id, row_number() OVER () AS n FROM users;
  CREATE TEMPORARY TABLE t AS SELECT id, row_number() OVER () AS n FROM teams WHERE slug LIKE 'team-%';
  INSERT INTO team_members (team_id, user_id, role)
    SELECT t.id, u.id, 'member' FROM t, generate_series(0, 3) k JOIN u ON true
    WHERE u.n = (t.n + k * 17) % 200 + 1;
  INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
    SELECT gen_random_uuid(), t.id, 'x' || k || '@example.com', 'member', u.id, now()
    FROM t JOIN u ON u.n = t.n, generate_series(1, 20) k;
  INSERT INTO mail_outbox (id, invite_id, due_at)
    SELECT gen_random_uuid(), id, now() + random() * interval '1 hour' FROM team_invites;
  INSERT INTO mail_sends (id, team_id, address, sender_id, sent_at)
    SELECT gen_random_uuid(), team_id, email, invited_by, now() - random() * interval '1 day'
    FROM team_invites;
  INSERT INTO workspaces (id, team_id, slug, name)
    SELECT gen_random_uuid(), t.id, 'w' || k, 'W' FROM t, generate_series(1, 10) k;
  INSERT INTO workspaces (id, team_id, slug, name, deleted_at, deleted_pages, deleted_collections,
      purged_at)
    SELECT gen_random_uuid(), t.id, 'w' || k, 'W', now() - random() * interval '1 hour', 1, 1,
      CASE WHEN t.n % 100 = 0 THEN now() END
    FROM t, generate_series(1, 5) k;
  INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
    SELECT w.team_id, w.id, m.user_id, 'editor' FROM workspaces w JOIN team_members m USING (team_id);
  CREATE TEMPORARY TABLE w AS
    SELECT team_id, id, row_number() OVER () AS n FROM workspaces
    WHERE deleted_at IS NULL ORDER BY id LIMIT 20;
  CREATE TEMPORARY TABLE c AS
    SELECT w.team_id, w.id AS workspace_id, gen_random_uuid() AS id, k FROM w, generate_series(1, 1000) k;
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
  INSERT INTO page_versions (team_id, id, version, since, until, bytes, content, ordinal, total_bytes)
    SELECT team_id, id, n, now() - make_interval(mins => k), now() - make_interval(mins => k), 2, '{}', n, 2 * n
    FROM (
      SELECT team_id, id, k FROM c WHERE k > 100 UNION ALL SELECT team_id, id, 7 FROM trash_items
    ) AS page, generate_series(1, 5) n;
  INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp, created_at)
    SELECT team_id, workspace_id, k, id, gen_random_uuid(), now() - make_interval(mins => k) FROM c;
  INSERT INTO search_positions (team_id, workspace_id, version, id)
    SELECT team_id, id, 500, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM workspaces;
  INSERT INTO page_words (team_id, workspace_id, id, part, tree_version, changed_at, bytes, count, words)
    SELECT team_id, workspace_id, id, part, 500, now() - make_interval(mins => k), 2, 20,
      array_to_tsvector(ARRAY (SELECT 'abcdefw' || (k * n) % 997 FROM generate_series(1, 20) n))
    FROM c, generate_series(0, 1) part WHERE k > 100;
  UPDATE workspaces SET visibility = 'private' WHERE slug = 'w1';
  UPDATE team_members SET role = 'owner' FROM t WHERE t.id = team_id AND t.n = 1;
  DELETE FROM workspace_members m USING workspaces w WHERE w.id = m.workspace_id AND w.slug = 'w1';
  INSERT INTO audit_entries (team_id, id, at, actor_id, action, target_type, target_id, workspace_id,
      details)
    SELECT t.id, gen_random_uuid(), now() - make_interval(secs => k), u.id,
      (ARRAY['item.deleted', 'item.restored', 'item.purged', 'item.transferred'])[k / 100 % 4 + 1],
      'item', u.id, CASE WHEN k % 100 > 0 THEN w.id END, '{}'
    FROM t JOIN workspaces w ON w.team_id = t.id AND w.slug = 'w1' AND w.deleted_at IS NULL,
      generate_series(1, 100000) k JOIN u ON u.n = k / 400 % 2 + 1
    WHERE t.n = 1;
  INSERT INTO audit_entries (team_id, id, at, actor_id, action, target_type, target_id, details)
    SELECT t.id, gen_random_uuid(), now(), u.id, 'team.created', 'team', t.id, '{}'
    FROM t JOIN u USING (n);
  INSERT INTO webhooks (team_id, id, url, events, maker_id)
    SELECT t.id, gen_random_uuid(), 'https://example.com', '{team.changed}', u.id
    FROM t JOIN u USING (n), generate_series(1, 5) k;
  INSERT INTO webhook_senders (team_id, webhook_id) SELECT team_id, id FROM webhooks;
  INSERT INTO webhook_states (team_id, webhook_id, scope_id, due_at)
    SELECT h.team_id, h.id, gen_random_uuid(),
      CASE WHEN k = 1 THEN now() + random() * interval '1 hour' END
    FROM webhooks h, generate_series(1, 4) k;
  INSERT INTO webhook_deliveries (team_id, webhook_id, id, at, message_id, event, status)
    SELECT team_id, id, gen_random_uuid(), now(), 'm', 'team.changed', '200'
    FROM webhooks, generate_series(1, 4);
  INSERT INTO idempotency_keys (user_id, key, operation, fingerprint, answer, created_at)
    SELECT u.id, 'k' || k, 'o', 'f', '{}', now() - make_interval(mins => ((n * 7 + k) % 2000)::int)
    FROM u, generate_series(1, 10) k`;

/** Rows and index entries that nobody sees any more, and no statistics of anything. */
const BLOAT = `
  UPDATE collections SET version = version + 1;
  UPDATE collections SET version = version + 1 WHERE object = 'item';
  UPDATE workspaces SET tree_version = tree_version + 1;
  UPDATE trash_deletions SET rebalances = 1;
  DELETE FROM tree_changes WHERE version % 2 = 0;
  DELETE FROM page_versions WHERE version = 2;
  DELETE FROM trash_items WHERE id IN (SELECT id FROM trash_deletions WHERE pages = 0)`;

/** As if autovacuum had not come by yet. */
const LEAVE_ALONE = `
  DO $$
  DECLARE name text;
  BEGIN
    FOR name IN SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE '\\_%'
    LOOP
      EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
    END LOOP;
  END $$`;

/** Either index leads to no more than a team may have: workspaces in use, or deletions in the trash. */
const WITHIN_A_LIMIT = [
  ...[
    'trashPurge.mark',
    'workspaces.takenSlugs',
    'webhooks.findBySlugs',
    'webhooks.recentlyChanged',
  ],
  // A table of one row.
  ...['webhookRounds.take', 'webhookRounds.end', 'pageIndex.takeLease', 'pageIndex.endLease'],
  // All webhooks at once, or those of each team.
  ...['webhookRounds.audited', 'webhookRounds.changed', 'webhookDeliveries.findDue'],
];

/** The statements by which PostgreSQL checks a foreign key: of a new row, and of one that goes. */
const FOREIGN_KEYS = `
  SELECT conname AS name,
    format('SELECT 1 FROM ONLY %s x WHERE %s FOR KEY SHARE OF x', confrelid::regclass, (
      SELECT string_agg(format('%I = $%s', attname, n), ' AND ' ORDER BY n)
      FROM unnest(confkey) WITH ORDINALITY AS k (number, n)
      JOIN pg_attribute ON attrelid = confrelid AND attnum = number)) AS "ofNew",
    format(CASE confdeltype WHEN 'c' THEN 'DELETE FROM ONLY %s x WHERE %s'
      ELSE 'SELECT 1 FROM ONLY %s x WHERE %s FOR KEY SHARE OF x' END, conrelid::regclass, (
      SELECT string_agg(format('$%s = %I', n, attname), ' AND ' ORDER BY n)
      FROM unnest(conkey) WITH ORDINALITY AS k (number, n)
      JOIN pg_attribute ON attrelid = conrelid AND attnum = number)) AS "ofGone"
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
  ORDER BY conname`;

describe('on a database of 10,000 teams and 20,000 items, with one plan for all values', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let accesses: Accesses;
  /** The scans of all statements before ANALYZE, by label. */
  let unanalyzed: Map<string, string[]>;
  let auditedBefore: Record<string, number>;
  /** The scans for a new row and for one that goes. */
  let foreignKeys: Record<string, string[]>;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    for (const text of [LEAVE_ALONE, FILL, BLOAT]) await client.query(text);
    accesses = await Accesses.read(client);
    unanalyzed = await accessesOfAll();
    const keys = await client.query(FOREIGN_KEYS);
    foreignKeys = {};
    for (const { name, ofNew, ofGone } of keys.rows) {
      foreignKeys[name] = [...(await accessesOf(ofNew)), ...(await accessesOf(ofGone))];
    }
    auditedBefore = await audited();
    await client.query('ANALYZE');
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const accessesOf = async (text: string) => accesses.of(await planOf(client, text));

  async function accessesOfAll(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { label, text } of statements) found.set(label, await accessesOf(text));
    return found;
  }

  /** Whether the plan walks a large table, or the whole of an index. */
  const walks = (nodes: readonly PlanNode[]): boolean =>
    nodes.some(
      (node) =>
        LARGE.includes(node['Relation Name'] ?? '') &&
        (node['Node Type'] === 'Seq Scan' ||
          (/^Index (Only )?Scan/.test(node['Node Type']) && !node['Index Cond'])),
    );

  test('an index serves every statement', async () => {
    const offenders: string[] = [];
    for (const { label, text } of statements) {
      if (walks(await planOf(client, text))) offenders.push(label);
    }
    // All workspaces are compared with their indexes every half a minute.
    const whole = ['pageIndex.anyIndexed', 'pageIndex.behind', ...OVER_ALL_TRASH];
    expect([...new Set(offenders)].sort()).toEqual(whole);
  });

  test('the same indexes serve a statement before ANALYZE as after it', async () => {
    const analyzed = await accessesOfAll();
    const offenders = [...analyzed]
      .filter(([label]) => !WITHIN_A_LIMIT.includes(label))
      .map(([label, after]) => ({ label, before: unanalyzed.get(label), after }))
      .filter(({ before, after }) => String(before) !== String(after));
    expect(offenders).toEqual([]);
  });

  test('before ANALYZE, the index of its key serves each check of a foreign key', () => {
    expect(foreignKeys).toEqual({
      collections_parent_fkey: ['collections: one row', 'collections: collections_parent_idx'],
      page_words_position_fkey: ['search_positions: one row', 'page_words: page_words_pkey'],
      search_positions_workspace_fkey: ['workspaces: one row', 'search_positions: one row'],
      collections_workspace_fkey: [
        'workspaces: one row',
        'collections: collections_workspace_id_object_key',
      ],
      // No user is ever deleted.
      team_invites_inviter_fkey: ['users: one row', 'team_invites: all rows'],
      team_invites_team_fkey: ['teams: one row', 'team_invites: team_invites_team_idx'],
      team_members_team_fkey: ['teams: one row', 'team_members: team_members_pkey'],
      team_members_user_fkey: ['users: one row', 'team_members: team_members_user_idx'],
      team_usage_team_fkey: ['teams: one row', 'team_usage: one row'],
      trash_deletions_workspace_fkey: [
        'workspaces: one row',
        'trash_deletions: trash_deletions_workspace_idx',
      ],
      trash_items_deletion_fkey: ['trash_deletions: one row', 'trash_items: trash_items_pkey'],
      webhooks_team_fkey: ['teams: one row', 'webhooks: webhooks_pkey'],
      workspace_members_member_fkey: [
        'team_members: one row',
        'workspace_members: workspace_members_user_idx',
      ],
      workspace_members_workspace_fkey: [
        'workspaces: one row',
        'workspace_members: workspace_members_pkey',
      ],
      workspaces_team_fkey: ['teams: one row', 'workspaces: workspaces_pkey'],
    });
  });

  /** The rows that each page of the audit log looks at, for an owner whom 99 of 100 entries are hidden from. */
  async function audited(): Promise<Record<string, number>> {
    const { rows } = await client.query(`
      SELECT m.team_id AS team, m.user_id AS owner, e.actor_id AS actor
      FROM team_members m JOIN audit_entries e USING (team_id) WHERE m.role = 'owner' LIMIT 1`);
    const { team, owner, actor } = rows[0];
    const filters: Record<string, (string | null)[]> = {
      'auditLog.list': [],
      'auditLog.ofAction': ['item.deleted'],
      'auditLog.ofActor': [actor],
      'auditLog.ofActionAndActor': ['item.deleted', actor],
    };
    const touched: Record<string, number> = {};
    for (const [name, values] of Object.entries(filters)) {
      const text = statements.find(({ label }) => label === name)?.text ?? '';
      const all = [team, null, owner, null, null, 101, null, null, ...values];
      touched[name] = rowsTouched(await planOf(client, text, all), 'audit_entries');
    }
    return touched;
  }

  test('a page of the audit log does not touch the entries of a hidden workspace', async () => {
    // Each walk looks at a page at most, then the newest entry of each of some fifteen scopes. With both
    // filters it passes over visible entries of the actor: there are 500.
    const most = (name: string) => (name === 'auditLog.ofActionAndActor' ? 2 * 500 : 2 * 101 + 20);
    for (const touched of [auditedBefore, await audited()]) {
      const offenders = Object.entries(touched).filter(
        ([name, rows]) => !(rows > 0 && rows <= most(name)),
      );
      expect(offenders).toEqual([]);
    }
  });

  test('what is hidden is looked up as what does not exist is, and nothing of it is read', async () => {
    const { rows } = await client.query(`
      SELECT c.id, d.id AS deletion, u.id AS stranger FROM collections c, trash_deletions d, users u
      WHERE c.object = 'collection' AND NOT EXISTS (SELECT FROM team_members m WHERE m.user_id = u.id)
      LIMIT 1`);
    const { id, deletion, stranger } = rows[0];
    const looksOf = async (label: string, one: string) => {
      const text = statements.find((each) => each.label === label)?.text ?? '';
      const nodes = await planOf(client, text, [one, stranger]);
      return nodes
        .filter((node) => node['Index Name'] && node['Actual Loops'])
        .map((node) => `${node['Index Name']} ${node['Actual Loops']}`)
        .sort();
    };
    for (const [label, hidden] of [
      ['items.find', id],
      ['items.findAndRead', id],
      ['trash.findPlace', deletion],
    ]) {
      const looks = await looksOf(label, hidden);
      expect([label, looks]).toEqual([label, await looksOf(label, crypto.randomUUID())]);
      expect(looks).toHaveLength(5);
    }
  });

  test('an item is found by the role in its team alone, however many teams the caller has', async () => {
    const { rows } = await client.query(`
      SELECT c.id, d.id AS deletion, u.id AS "user" FROM collections c, trash_deletions d, users u LIMIT 1`);
    const { id, deletion, user } = rows[0];
    await client.query('BEGIN');
    // Nearly everybody is in one team: so is each caller, as far as the planner knows.
    await client.query(`
      WITH added AS (
        INSERT INTO users (id, issuer, subject, email, name)
        SELECT gen_random_uuid(), 'one', n::text, 'one' || n || '@example.com', 'U'
        FROM generate_series(1, 20000) n RETURNING id
      )
      INSERT INTO team_members (team_id, user_id, role)
      SELECT (SELECT id FROM teams LIMIT 1), id, 'member' FROM added`);
    await client.query(
      `INSERT INTO team_members (team_id, user_id, role)
       SELECT id, $1, 'member' FROM teams WHERE slug LIKE 'other-%'`,
      [user],
    );
    await client.query('ANALYZE team_members');
    const offenders: unknown[] = [];
    for (const [label, one] of [
      ['items.find', id],
      ['items.findAndRead', id],
      ['trash.findPlace', deletion],
    ]) {
      const text = statements.find((each) => each.label === label)?.text ?? '';
      const touched = rowsTouched(await planOf(client, text, [one, user]), 'team_members');
      if (touched > 1) offenders.push({ label, touched });
    }
    await client.query('ROLLBACK');
    expect(offenders).toEqual([]);
  });

  test('a short list takes 101 rows, however long the list is', async () => {
    const { rows } = await client.query(`
      SELECT m.team_id AS team, m.user_id AS "user", w.id AS workspace, w.slug
      FROM team_members m JOIN workspaces w ON w.team_id = m.team_id
      WHERE w.visibility = 'public' AND w.deleted_at IS NULL LIMIT 1`);
    const { team, user, workspace, slug } = rows[0];
    await client.query('BEGIN');
    const many = (text: string, ...values: string[]) =>
      client.query(text.replaceAll('numbers', 'generate_series(1, 3000)'), values);
    await many(
      `WITH added AS (
         INSERT INTO users (id, issuer, subject, email, name)
         SELECT gen_random_uuid(), 'many', n::text, 'many' || n || '@example.com', 'U' FROM numbers n
         RETURNING id
       ), members AS (
         INSERT INTO team_members (team_id, user_id, role) SELECT $1, id, 'member' FROM added
         RETURNING user_id
       )
       INSERT INTO workspace_members (team_id, workspace_id, user_id, role)
       SELECT $1, $2, user_id, 'reader' FROM members`,
      team,
      workspace,
    );
    await many(
      `WITH added AS (
         INSERT INTO teams (id, slug, name, invite_code)
         SELECT gen_random_uuid(), 'many-' || n, 'T', 'many-' || n FROM numbers n RETURNING id
       ), counted AS (INSERT INTO team_usage (team_id) SELECT id FROM added), invited AS (
         INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
         SELECT gen_random_uuid(), id, 'me@example.com', 'member', $1, now() FROM added
       )
       INSERT INTO team_members (team_id, user_id, role) SELECT id, $1, 'member' FROM added`,
      user,
    );
    await many(
      `INSERT INTO team_invites (id, team_id, email, role, invited_by, expires_at)
       SELECT gen_random_uuid(), $1, 'many' || n || '@example.com', 'member', $2, now() FROM numbers n`,
      team,
      user,
    );
    await many(
      `INSERT INTO workspaces (id, team_id, slug, name, visibility, deleted_at, deleted_pages, deleted_collections)
       SELECT gen_random_uuid(), $1::uuid, 'many-' || n, 'W', 'private', now(), 0, 0 FROM numbers n
       UNION ALL
       SELECT gen_random_uuid(), $1::uuid, 'many-' || n, 'W', 'private', NULL, NULL, NULL FROM numbers n`,
      team,
    );
    const inTeam = [team, null, user];
    const lists: Record<string, [table: string, values: (string | number | null)[]]> = {
      'invites.list.short': ['team_invites', ['me@example.com']],
      'invites.pending.short': ['team_invites', inTeam],
      'search.workspaces.short': ['workspaces', inTeam],
      'teams.list.short': ['team_members', [user]],
      'teams.members.short': ['team_members', inTeam],
      'workspaceTrash.list.short': ['workspaces', [...inTeam, 1_000_000]],
      'workspaces.list.short': ['workspaces', inTeam],
      'workspaces.members.short': ['workspace_members', [...inTeam, slug]],
    };
    const shorts = statements.map(({ label }) => label).filter((label) => label.endsWith('.short'));
    expect(Object.keys(lists)).toEqual(shorts.sort());
    const offenders: unknown[] = [];
    for (const [label, [table, values]] of Object.entries(lists)) {
      const text = statements.find((one) => one.label === label)?.text ?? '';
      const nodes = await planOf(client, text, values);
      const found = rowsTouched(nodes, table);
      // The caller's own rows of the table, beside those of the list.
      if (found < 101 || found > 130) offenders.push({ label, table, found });
      for (const other of LARGE) {
        const touched = rowsTouched(nodes, other);
        if (touched > 130) offenders.push({ label, other, touched });
      }
    }
    await client.query('ROLLBACK');
    expect(offenders).toEqual([]);
  });

  test('a search walks the index of titles alone, and only in the workspaces that it names', async () => {
    const { rows } = await client.query(`
      SELECT c.team_id AS team, c.workspace_id AS readable, w.id AS hidden
      FROM collections c JOIN workspaces w ON w.team_id = c.team_id AND w.id <> c.workspace_id
      WHERE w.deleted_at IS NULL AND NOT EXISTS (SELECT FROM collections WHERE workspace_id = w.id)
      LIMIT 1`);
    const { team, readable, hidden } = rows[0];
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position)
       SELECT $1, $2, gen_random_uuid(), 'collection', 'Hidden', 'h' || k, 'a' || k
       FROM generate_series(1, 5000) k`,
      [team, hidden],
    );
    const values = [team, `{${readable}}`, 'p', '{p}', null, 'p', 20];
    const walked: Record<string, unknown> = {};
    for (const name of ['search.words', 'search.prefixes']) {
      const text = statements.find(({ label }) => label === name)?.text ?? '';
      const nodes = await planOf(client, text, values);
      const walks = nodes.filter((node) => node['Index Name'] === 'collections_title_idx');
      const all = rowsTouched(nodes, 'collections');
      walked[name] = {
        types: walks.map((node) => node['Node Type']),
        names: rowsTouched(walks, 'collections'),
        others: all - rowsTouched(walks, 'collections'),
      };
    }
    await client.query('ROLLBACK');
    const types = ['Index Only Scan', 'Index Only Scan'];
    // Of the 1,000 names, 900 begin with it. One walk compares, one counts; the others are the 20 records
    // that are shown, and the collection of each.
    expect(walked).toEqual({
      'search.words': { types, names: 2000, others: 40 },
      'search.prefixes': { types, names: 1800, others: 40 },
    });
  });
});
