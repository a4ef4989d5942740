import { generateNKeysBetween } from 'fractional-indexing';
import type { Caller } from './app.js';
import type { ItemBody, TeamBody } from './builders.js';
import { ok } from './builders.js';
import { sql } from './sql.js';

/** Every item of a tree, each before what is below it. */
export const everyItem = (tree: readonly ItemBody[]): ItemBody[] =>
  tree.flatMap((item) => [item, ...everyItem(item.children ?? [])]);

/** The ids of items, in order. */
export const idsOf = (items: readonly ItemBody[]): string[] => items.map(({ id }) => id);

/** The team's counters, as a caller sees them. */
export const usageOf = async (caller: Caller, team: string): Promise<TeamBody['usage']> =>
  (await ok<TeamBody>(caller.get(`/teams/${team}`))).usage;

/** One page of a list after another, as the `Link` headers lead, `between` two pages. */
export async function* pagesOf(
  caller: Caller,
  path: string,
  between: () => Promise<unknown> = async () => undefined,
): AsyncGenerator<ItemBody[]> {
  for (let next: string | undefined = path; next; ) {
    const response = await caller.get(next);
    if (response.status !== 200)
      throw new Error(`GET ${next}: ${response.status} ${response.text}`);
    yield response.body as ItemBody[];
    const link = /^<([^>]+)>; rel="next"$/.exec(response.headers.link ?? '')?.[1];
    if (link) await between();
    next = link && new URL(link).pathname + new URL(link).search;
  }
}

/** A row for putRows(); `parent` is the index of an earlier one. */
export interface RowToPut {
  object: ItemBody['object'];
  parent?: number;
}

/**
 * Puts many items into a workspace by SQL, siblings in the order given, and counts the pages. No change is logged of them:
 * search in pages has them set aside until they change.
 * @returns their ids
 */
export async function putRows(
  databaseUrl: string,
  workspaceId: string,
  rows: readonly RowToPut[],
): Promise<string[]> {
  const ids = rows.map(() => crypto.randomUUID());
  // In the order of all rows, and so among siblings.
  const positions = generateNKeysBetween(null, null, rows.length);
  await sql(
    databaseUrl,
    `WITH made AS (
      INSERT INTO collections (team_id, id, workspace_id, parent_id, object, name, slug, position, content)
      SELECT (SELECT team_id FROM workspaces WHERE id = $1), id, $1, parent, object, 'Row ' || n, 'row-' || id, position,
        CASE object WHEN 'item' THEN '{}'::json END
      FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY
        AS row (id, parent, object, position, n)
      RETURNING object
    )
    UPDATE team_usage SET pages = pages + (SELECT count(*) FROM made WHERE object = 'item'),
      collections = collections + (SELECT count(*) FROM made WHERE object = 'collection')
    WHERE team_id = (SELECT team_id FROM workspaces WHERE id = $1)`,
    [
      workspaceId,
      ids,
      rows.map(({ parent }) => (parent === undefined ? null : ids[parent])),
      rows.map(({ object }) => object),
      positions,
    ],
  );
  await sql(databaseUrl, START_INDEX, [workspaceId]);
  await sql(databaseUrl, SET_ASIDE, [workspaceId, ids]);
  return ids;
}

/** As the service begins with a workspace whose log has everything. */
const START_INDEX = `
  INSERT INTO search_positions (team_id, workspace_id, version, id)
  SELECT team_id, id, 0, 'ffffffff-ffff-ffff-ffff-ffffffffffff' FROM workspaces WHERE id = $1
  ON CONFLICT DO NOTHING`;

const SET_ASIDE = `
  INSERT INTO page_words (team_id, workspace_id, id, part, tree_version, changed_at, bytes, count, is_set_aside, words)
  SELECT team_id, workspace_id, id, 0, 0, updated_at, 2, 0, true, ''
  FROM collections WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND object = 'item'`;
