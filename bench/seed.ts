import { generateNKeysBetween } from 'fractional-indexing';
import type pg from 'pg';
import { withClient } from './databases.js';
import type { Person, Space } from './loader/job.js';
import { personsOf, seedPeople } from './seed-people.js';
import { ADA, type Shape } from './shapes.js';

export interface SeedPlan {
  shapes: Shape[];
  /** Teams of others, with a workspace of 20 pages each. */
  otherTeams: number;
}

/** grace owns the twenty teams that `getTeams` lists. */
const GRACES_TEAMS = 20;

/** Fills an empty database by a handful of statements. */
export async function seed(url: string, plan: SeedPlan): Promise<void> {
  const others = Array.from({ length: plan.otherTeams }, (_, n) => `other-${n + 1}`);
  const shapes = [
    ...plan.shapes,
    ...others.map((team) => ({ team, workspace: 'space', collections: 2, pages: 10 })),
  ];
  const graces = Array.from({ length: GRACES_TEAMS }, (_, n) => `grace-${n + 1}`);
  await withClient(url, async (client) => {
    await client.query(FUNCTIONS);
    const owners = new Map([
      ...plan.shapes.map(({ team, owner = ADA }) => [team, owner] as const),
      ...graces.map((team) => [team, 'grace'] as const),
      ...others.map((team) => [team, 'other'] as const),
    ]);
    const people = plan.shapes.flatMap(({ mate = ADA, guest = ADA }) => [mate, guest]);
    await client.query(USERS, [[...new Set([ADA, ...owners.values(), ...people])]]);
    await client.query(TEAMS, [[...owners.keys()]]);
    await client.query(MEMBERS, [[...owners.keys()], [...owners.values()]]);
    await addWorkspaces(client, shapes);
    await client.query(COLLECTIONS);
    await client.query(PAGES);
    await seedPeople(client, plan.shapes);
    await client.query(COUNT);
    await client.query('DROP FUNCTION bench_id; DROP TABLE bench_spaces, bench_keys');
    // As autovacuum leaves it. All is committed for good by now, or VACUUM would pass it over.
    await client.query('VACUUM (ANALYZE)');
  });
}

/**
 * No change was logged of what is seeded: search in pages has it set aside, until it is saved. Otherwise the service
 * would write the index of all of it during the benchmark.
 */
export async function setAsideInIndex(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(POSITIONS);
    await client.query(SET_ASIDE);
    await client.query('VACUUM (ANALYZE) search_positions, page_words');
  });
}

async function addWorkspaces(client: pg.Client, shapes: Shape[]): Promise<void> {
  const most = Math.max(...shapes.map(({ collections, pages }) => Math.max(collections, pages)));
  await client.query(KEYS, [generateNKeysBetween(null, null, most)]);
  await client.query(SPACES, [
    shapes.map(({ team }) => team),
    shapes.map(({ workspace }) => workspace),
    shapes.map(({ collections }) => collections),
    shapes.map(({ pages }) => pages),
    shapes.map(({ sentences = 8 }) => sentences),
  ]);
  await client.query(WORKSPACES);
}

/** The ids in workspaces; at most `most` pages of each. */
export async function spacesOf(url: string, shapes: Shape[], most: number): Promise<Space[]> {
  return withClient(url, async (client) => {
    const persons = await personsOf(client, shapes);
    const spaces: Space[] = [];
    for (const shape of shapes) spaces.push(await spaceOf(client, shape, most, persons));
    return spaces;
  });
}

async function spaceOf(
  client: pg.Client,
  { owner = ADA, mate = '', guest = '', team, workspace, pages: siblings }: Shape,
  most: number,
  persons: Map<string, Person>,
): Promise<Space> {
  const { rows } = await client.query<{ id: string; parent: string | null; slug: string }>(ITEMS, [
    team,
    workspace,
    most,
  ]);
  return {
    caller: owner,
    mate: persons.get(mate) ?? NOBODY,
    guest: persons.get(guest) ?? NOBODY,
    team,
    workspace,
    siblings,
    parents: rows.filter(({ parent }) => parent === null).map(({ id }) => id),
    pages: rows.flatMap(({ id, parent, slug }) => (parent === null ? [] : [{ id, parent, slug }])),
  };
}

const NOBODY: Person = { subject: '', id: '', email: '' };

// Ids as of UUID version 7: those of a workspace lie together, as if it had been filled in one go.
const FUNCTIONS = `
  CREATE FUNCTION bench_id(space bigint, a bigint, b bigint) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$
    SELECT (lpad(to_hex(1767225600000 + space), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid
    FROM md5(space || ':' || a || ':' || b) AS h
  $$`;

const USERS = `
  INSERT INTO users (id, issuer, subject, email, name)
  SELECT bench_id(0, n, 0), '', s, s || '@bench.example', s FROM unnest($1::text[]) WITH ORDINALITY AS u (s, n)`;

const TEAMS = `
  INSERT INTO teams (id, slug, name, description, plan, invite_code, created_at)
  SELECT gen_random_uuid(), slug, initcap(slug), 'A team of the benchmark', 'business',
    substr(md5('code' || slug), 1, 24), now() + n * interval '1 millisecond'
  FROM unnest($1::text[]) WITH ORDINALITY AS t (slug, n)`;

const MEMBERS = `
  WITH member AS (
    INSERT INTO team_members (team_id, user_id, role)
    SELECT t.id, u.id, 'owner' FROM unnest($1::text[], $2::text[]) AS o (slug, subject)
    JOIN teams t ON t.slug = o.slug JOIN users u ON u.subject = o.subject
    RETURNING team_id
  )
  INSERT INTO team_usage (team_id, users) SELECT team_id, 1 FROM member`;

const KEYS = `CREATE TABLE bench_keys AS SELECT n, key COLLATE "C" AS key FROM unnest($1::text[]) WITH ORDINALITY AS k (key, n)`;

const SPACES = `
  CREATE TABLE bench_spaces AS
  SELECT s.n, t.id AS team_id, bench_id(s.n, 0, 0) AS id, s.slug, s.collections, s.pages, s.sentences
  FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::int[])
    WITH ORDINALITY AS s (team, slug, collections, pages, sentences, n)
  JOIN teams t ON t.slug = s.team`;

const WORKSPACES = `
  INSERT INTO workspaces (id, team_id, slug, name, description, created_at)
  SELECT id, team_id, slug, initcap(slug), 'A workspace', now() + n * interval '1 millisecond' FROM bench_spaces`;

const COLLECTIONS = `
  INSERT INTO collections (team_id, workspace_id, id, object, name, slug, position)
  SELECT s.team_id, s.id, bench_id(s.n, c.n, 0), 'collection', 'Chapter ' || c.n, 'chapter-' || c.n, c.key
  FROM bench_spaces s JOIN bench_keys c ON c.n <= s.collections ORDER BY s.n, c.n`;

const PAGES = `
  INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position, content, key)
  SELECT s.team_id, s.id, bench_id(s.n, c, p.n), bench_id(s.n, c, 0), 'item',
    'Chapter ' || c || ', page ' || p.n, 'chapter-' || c || '-page-' || p.n, p.key,
    json_build_object('type', 'doc', 'text', repeat('The quick brown fox. ', s.sentences)),
    CASE WHEN c = 1 AND p.n = 1 THEN 'first' END
  FROM bench_spaces s
  CROSS JOIN generate_series(1, s.collections) AS c
  JOIN bench_keys p ON p.n <= s.pages ORDER BY s.n, c, p.n`;

const POSITIONS = `
  INSERT INTO search_positions (team_id, workspace_id, version, id)
  SELECT team_id, id, 0, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM workspaces`;

const SET_ASIDE = `
  INSERT INTO page_words (team_id, workspace_id, id, part, tree_version, changed_at, bytes, count, is_set_aside, words)
  SELECT team_id, workspace_id, id, 0, 0, updated_at, 0, 0, true, '' FROM collections WHERE object = 'item'`;

const COUNT = `
  UPDATE team_usage u SET workspaces = s.workspaces, pages = s.pages, collections = s.collections
  FROM (
    SELECT team_id, count(*) AS workspaces, sum(collections * pages) AS pages, sum(collections) AS collections
    FROM bench_spaces GROUP BY 1
  ) s
  WHERE s.team_id = u.team_id`;

const ITEMS = `
  (SELECT c.id, NULL::uuid AS parent, c.slug FROM teams t
    JOIN workspaces w ON w.team_id = t.id AND w.slug = $2
    JOIN collections c ON c.team_id = t.id AND c.workspace_id = w.id AND c.parent_id IS NULL
    WHERE t.slug = $1 ORDER BY c.position)
  UNION ALL
  (SELECT c.id, c.parent_id, c.slug FROM teams t
    JOIN workspaces w ON w.team_id = t.id AND w.slug = $2
    JOIN collections c ON c.team_id = t.id AND c.workspace_id = w.id AND c.parent_id IS NOT NULL
    WHERE t.slug = $1 ORDER BY c.id LIMIT $3)`;
