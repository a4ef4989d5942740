import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { Access } from './fair-access.js';
import { assertParent, heightOf, positionAt } from './fair-tree.js';
import { type Changes, type Move, type NewItem, Refusal } from './serve.js';
import { freeSlug } from './slug.js';
import { type ItemRow, LIMITS, serializeItem } from './wire.js';

/** All but the content. */
export const ITEM_COLUMNS =
  'id, team_id, workspace_id, parent_id, object, name, slug, key, created_at, updated_at, created_by, updated_by, position';

export async function create(
  client: pg.PoolClient,
  access: Access,
  body: NewItem,
): Promise<object> {
  const { name = 'Untitled', object = 'collection', parent = null, content } = body;
  if (object === 'collection' && content) throw new Refusal(422, 'content is for pages');
  if (parent !== null) await assertParent(client, access, parent, null, 1);
  const position = await positionAt(client, access, parent, Number.MAX_SAFE_INTEGER, null);
  const { teamId, workspaceId, userId } = access;
  const slug = await freeSlug(name, async (wanted) => {
    const { rowCount } = await client.query({ ...TAKEN, values: [teamId, workspaceId, wanted] });
    return rowCount !== 0;
  });
  const json = object === 'item' ? JSON.stringify(content ?? {}) : null;
  const values = [teamId, workspaceId, uuid(), parent, object, name, slug, position, json, userId];
  const { rows } = await client.query<ItemRow>({ ...INSERT, values });
  const limit = LIMITS[access.plan].pages;
  const count = object === 'item' ? COUNT_PAGE : COUNT_COLLECTION;
  const { rowCount } = await client.query({ ...count, values: [teamId, limit] });
  if (rowCount === 0) throw new Refusal(403, `the plan allows ${limit} of these`);
  return serializeItem(rows[0] as ItemRow);
}

export async function move(client: pg.PoolClient, access: Access, body: Move): Promise<void> {
  const item = await load(client, access, body.id);
  if (body.parent !== undefined && (body.parent || null) !== item.parent_id) {
    throw new Refusal(409, 'the parent is another by now');
  }
  if (body.object !== undefined && body.object !== item.object) {
    throw new Refusal(422, 'it is another object');
  }
  const target = body.newParent === undefined ? item.parent_id : body.newParent || null;
  if (target !== null && target !== item.parent_id) {
    const height = item.object === 'collection' ? await heightOf(client, access, item.id) : 1;
    await assertParent(client, access, target, item.id, height);
  }
  const position = await positionAt(client, access, target, body.index, item.id);
  await client.query({
    ...PLACE,
    values: [access.teamId, item.id, target, position, access.userId],
  });
}

export async function update(
  client: pg.PoolClient,
  access: Access,
  id: string,
  { name, content }: Changes,
): Promise<object> {
  const item = await load(client, access, id);
  if (content && item.object !== 'item') throw new Refusal(422, 'content is for pages');
  const json = content ? JSON.stringify(content) : null;
  const { rows } = await client.query<ItemRow>({
    ...UPDATE,
    values: [access.teamId, id, name ?? null, json, access.userId],
  });
  return serializeItem(rows[0] as ItemRow);
}

async function load(client: pg.PoolClient, access: Access, id: string): Promise<ItemRow> {
  const { rows } = await client.query<ItemRow>({
    ...LOAD,
    values: [access.teamId, access.workspaceId, id],
  });
  if (!rows[0]) throw new Refusal(404, 'no such item');
  return rows[0];
}

const LOAD = {
  name: 'load',
  text: `SELECT ${ITEM_COLUMNS} FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3 FOR UPDATE`,
};

const TAKEN = {
  name: 'taken',
  text: 'SELECT FROM collections WHERE team_id = $1 AND workspace_id = $2 AND slug = $3',
};

const INSERT = {
  name: 'insert',
  text: `
    INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position, content,
      created_by, updated_by, author_version)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, 1) RETURNING ${ITEM_COLUMNS}, content`,
};

const countIn = (column: 'pages' | 'collections') => ({
  name: `count.${column}`,
  text: `UPDATE team_usage SET ${column} = ${column} + 1 WHERE team_id = $1 AND ($2 = 0 OR ${column} < $2)`,
});

const COUNT_PAGE = countIn('pages');

const COUNT_COLLECTION = countIn('collections');

const PLACE = {
  name: 'place',
  text: `
    UPDATE collections SET parent_id = $3, position = $4, version = version + 1, updated_at = clock_timestamp(),
      updated_by = $5, author_version = version + 1
    WHERE team_id = $1 AND id = $2`,
};

/** A save first keeps what was there as a version, unless the same caller began to write that less than 10 minutes ago. */
const KEEPS = `$4::text IS NOT NULL AND (author_version = version AND written_by = $5
      AND written_since > clock_timestamp() - interval '10 minutes') IS NOT TRUE`;

const UPDATE = {
  name: 'update',
  text: `
    WITH kept AS (
      INSERT INTO page_versions (team_id, id, version, since, until, author_id, bytes, content, ordinal, total_bytes)
      SELECT team_id, id, version, coalesce(written_since, updated_at), clock_timestamp(), written_by,
        octet_length(content::text), content, coalesce(newest.ordinal, 0) + 1,
        coalesce(newest.total_bytes, 0) + octet_length(content::text)
      FROM collections c LEFT JOIN LATERAL (
        SELECT ordinal, total_bytes FROM page_versions v WHERE v.team_id = c.team_id AND v.id = c.id
        ORDER BY v.version DESC LIMIT 1
      ) AS newest ON true
      WHERE team_id = $1 AND id = $2 AND content::text <> $4 AND ${KEEPS}
      RETURNING id, ordinal
    ), trimmed AS (
      DELETE FROM page_versions v USING kept
      WHERE v.team_id = $1 AND v.id = kept.id AND v.ordinal <= kept.ordinal - 50
    )
    UPDATE collections SET name = coalesce($3, name), content = coalesce($4::json, content),
      version = version + 1, updated_at = clock_timestamp(), updated_by = $5, author_version = version + 1,
      written_by = CASE WHEN ${KEEPS} THEN $5 ELSE written_by END,
      written_since = CASE WHEN ${KEEPS} THEN clock_timestamp() ELSE written_since END
    WHERE team_id = $1 AND id = $2 RETURNING ${ITEM_COLUMNS}, content`,
};
