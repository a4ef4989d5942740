import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type pg from 'pg';
import type { Access } from './fair-access.js';
import { Refusal } from './serve.js';

const MAX_DEPTH = 128;
const MAX_POSITION = 48;
const FARTHEST = 2_000_000_000;

/**
 * Makes sure that `parentId` can take `moved` (null: a new item) with `height` levels.
 */
export async function assertParent(
  client: pg.PoolClient,
  { teamId, workspaceId }: Access,
  parentId: string,
  moved: string | null,
  height: number,
): Promise<void> {
  const { rows } = await client.query<{ id: string; object: string }>({
    ...PATH,
    values: [teamId, workspaceId, parentId],
  });
  if (!rows[0]) throw new Refusal(404, 'no such parent');
  if (rows[0].object !== 'collection') throw new Refusal(422, 'the parent is a page');
  if (rows.some(({ id }) => id === moved)) throw new Refusal(422, 'it is in its own subtree');
  if (rows.length + height > MAX_DEPTH) throw new Refusal(422, 'too deep');
}

/** Levels of a subtree, its root included. */
export async function heightOf(
  client: pg.PoolClient,
  { teamId }: Access,
  id: string,
): Promise<number> {
  const { rows } = await client.query<{ height: number }>({ ...HEIGHT, values: [teamId, id] });
  return rows[0]?.height ?? 1;
}

/** A position for `index` among the siblings, `moved` not counted; past the end means the end. */
export async function positionAt(
  client: pg.PoolClient,
  access: Access,
  parentId: string | null,
  index: number,
  moved: string | null,
): Promise<string> {
  const between = async (): Promise<string> => {
    const [before, after] = await neighbours(client, access, parentId, index, moved);
    return generateKeyBetween(before, after);
  };
  const position = await between();
  if (position.length <= MAX_POSITION) return position;
  await spreadAnew(client, access, parentId);
  return between();
}

async function neighbours(
  client: pg.PoolClient,
  { teamId, workspaceId }: Access,
  parentId: string | null,
  index: number,
  moved: string | null,
): Promise<[string | null, string | null]> {
  const [kind, values] =
    parentId === null
      ? (['top', [teamId, workspaceId]] as const)
      : (['below', [teamId, workspaceId, parentId]] as const);
  if (index < FARTHEST) {
    const { rows } = await client.query<{ position: string }>({
      ...AROUND[kind],
      values: [...values, moved, Math.max(index - 1, 0)],
    });
    if (index === 0) return [null, rows[0]?.position ?? null];
    if (rows[0]) return [rows[0].position, rows[1]?.position ?? null];
  }
  const { rows } = await client.query<{ position: string }>({
    ...LAST[kind],
    values: [...values, moved],
  });
  return [rows[0]?.position ?? null, null];
}

/** New positions for all siblings, when those between two neighbours have grown too long. */
async function spreadAnew(
  client: pg.PoolClient,
  { teamId, workspaceId }: Access,
  parentId: string | null,
): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM collections WHERE team_id = $1 AND workspace_id = $2 AND parent_id IS NOT DISTINCT FROM $3
     ORDER BY position`,
    [teamId, workspaceId, parentId],
  );
  await client.query(
    `UPDATE collections c SET position = fresh.position FROM unnest($2::uuid[], $3::text[]) AS fresh (id, position)
     WHERE c.team_id = $1 AND c.id = fresh.id`,
    [teamId, rows.map(({ id }) => id), generateNKeysBetween(null, null, rows.length)],
  );
}

const PATH = {
  name: 'path',
  text: `
    WITH RECURSIVE path AS (
      SELECT id, parent_id, object, 1 AS step FROM collections
      WHERE team_id = $1 AND workspace_id = $2 AND id = $3
      UNION ALL
      SELECT c.id, c.parent_id, c.object, path.step + 1 FROM path
      JOIN collections c ON c.team_id = $1 AND c.id = path.parent_id
    )
    SELECT id, object FROM path ORDER BY step`,
};

const HEIGHT = {
  name: 'height',
  text: `
    WITH RECURSIVE subtree AS (
      SELECT id, workspace_id, 1 AS level FROM collections WHERE team_id = $1 AND id = $2
      UNION ALL
      SELECT c.id, c.workspace_id, subtree.level + 1 FROM subtree
      JOIN collections c ON c.team_id = $1 AND c.workspace_id = subtree.workspace_id AND c.parent_id = subtree.id
    )
    SELECT max(level)::int AS height FROM subtree`,
};

// Ordered by parent_id, too: so that PostgreSQL walks the index where the parent IS NULL.
const siblings = (parent: string, moved: string): string => `
  SELECT position FROM collections
  WHERE team_id = $1 AND workspace_id = $2 AND parent_id ${parent}
    AND (${moved}::uuid IS NULL OR position IS DISTINCT FROM (
      SELECT position FROM collections WHERE team_id = $1 AND id = ${moved} AND parent_id ${parent}
    ))`;

const AROUND = {
  top: {
    name: 'aroundTop',
    text: `${siblings('IS NULL', '$3')} ORDER BY parent_id, position OFFSET $4 LIMIT 2`,
  },
  below: {
    name: 'aroundBelow',
    text: `${siblings('= $3', '$4')} ORDER BY parent_id, position OFFSET $5 LIMIT 2`,
  },
};

const LAST = {
  top: {
    name: 'lastTop',
    text: `${siblings('IS NULL', '$3')} ORDER BY parent_id DESC, position DESC LIMIT 1`,
  },
  below: {
    name: 'lastBelow',
    text: `${siblings('= $3', '$4')} ORDER BY parent_id DESC, position DESC LIMIT 1`,
  },
};
