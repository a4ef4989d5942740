import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { type Access, accessTo, recordCaller, teamsOf } from './fair-access.js';
import { assertParent, heightOf, positionAt } from './fair-tree.js';
import { type Changes, type Move, type NewItem, type Operations, Refusal, serve } from './serve.js';
import { freeSlug } from './slug.js';
import {
  type ItemRow,
  LIMITS,
  serializeItem,
  serializeTeam,
  serializeTree,
  serializeWorkspace,
  type TeamRow,
  type WorkspaceRow,
} from './wire.js';

/**
 * The fair baseline: keeps the same promises as the service, as one would write it by hand. Each
 * write is a transaction that locks the workspace's row first; one statement after the other.
 */
function fair(pool: pg.Pool): Operations {
  /** The transaction in which the caller may write to the workspace, which is locked. */
  const writing = async <T>(
    ...[caller, place, work]: [
      ...Parameters<Operations['getCollections']>,
      (client: pg.PoolClient, access: Access) => Promise<T>,
    ]
  ): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const access = await accessTo(client, caller, place, 'write');
      const result = await work(client, access);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  };

  return {
    async getTeams(caller) {
      const rows = await teamsOf(pool, caller, null);
      if (rows.length === 0) await recordCaller(pool, caller);
      return rows.map(serializeTeam);
    },

    async getTeamInfo(caller, slug) {
      const [row] = await teamsOf(pool, caller, slug);
      if (row) return serializeTeam(row as TeamRow);
      const { rowCount } = await pool.query('SELECT FROM teams WHERE slug = $1', [slug]);
      throw new Refusal(rowCount ? 403 : 404, 'not a member, or no such team');
    },

    async getWorkspaces(caller, slug) {
      const [team] = await teamsOf(pool, caller, slug);
      if (!team) throw new Refusal(403, 'not a member, or no such team');
      const values = [team.id, team.user_id, team.role === 'guest'];
      const { rows } = await pool.query<WorkspaceRow & { role: string | null }>({
        ...WORKSPACES,
        values,
      });
      const manages = team.role === 'owner' || team.role === 'moderator';
      return rows.map((row) => {
        const level = manages ? 'full' : row.default_access;
        const own = row.role === 'editor' ? 'full' : 'read-only';
        return serializeWorkspace(row, row.role === null ? level : own);
      });
    },

    async getCollections(caller, place) {
      const { teamId, workspaceId } = await accessTo(pool, caller, place, 'read');
      const { rows } = await pool.query<ItemRow>({ ...TREE, values: [teamId, workspaceId] });
      return serializeTree(rows);
    },

    createCollection: (caller, place, body) =>
      writing(caller, place, (client, access) => create(client, access, body)),

    reorderItem: (caller, place, body) =>
      writing(caller, place, async (client, access) => {
        await move(client, access, body);
        return { message: 'The item was moved.' };
      }),

    updateCollection: (caller, place, id, body) =>
      writing(caller, place, (client, access) => update(client, access, id, body)),
  };
}

async function create(client: pg.PoolClient, access: Access, body: NewItem): Promise<object> {
  const { name = 'Untitled', object = 'collection', parent = null, content } = body;
  if (object === 'collection' && content) throw new Refusal(422, 'content is for pages');
  if (parent !== null) await assertParent(client, access, parent, null, 1);
  const position = await positionAt(client, access, parent, Number.MAX_SAFE_INTEGER, null);
  const slug = await freeSlug(client, access, name);
  const json = object === 'item' ? JSON.stringify(content ?? {}) : null;
  const { teamId, workspaceId } = access;
  const values = [teamId, workspaceId, uuid(), parent, object, name, slug, position, json];
  const { rows } = await client.query<ItemRow>({ ...INSERT, values });
  const limit = LIMITS[access.plan].pages;
  const count = object === 'item' ? COUNT_PAGE : COUNT_COLLECTION;
  const { rowCount } = await client.query({ ...count, values: [teamId, limit] });
  if (rowCount === 0) throw new Refusal(403, `the plan allows ${limit} of these`);
  return serializeItem(rows[0] as ItemRow);
}

async function move(client: pg.PoolClient, access: Access, body: Move): Promise<void> {
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
  await client.query({ ...PLACE, values: [access.teamId, item.id, target, position] });
}

async function update(
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
    values: [access.teamId, id, name ?? null, json],
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

const COLUMNS =
  'id, team_id, workspace_id, parent_id, object, name, slug, created_at, updated_at, position';

const WORKSPACES = {
  name: 'workspaces',
  text: `
    SELECT w.*, m.role FROM workspaces w
    LEFT JOIN workspace_members m ON m.team_id = w.team_id AND m.workspace_id = w.id AND m.user_id = $2
    WHERE w.team_id = $1 AND (m.role IS NOT NULL OR w.visibility = 'public' AND NOT $3::boolean)
    ORDER BY w.created_at, w.id`,
};

const TREE = {
  name: 'tree',
  text: `SELECT ${COLUMNS} FROM collections WHERE team_id = $1 AND workspace_id = $2 ORDER BY position`,
};

const LOAD = {
  name: 'load',
  text: `SELECT ${COLUMNS} FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3 FOR UPDATE`,
};

const INSERT = {
  name: 'insert',
  text: `
    INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position, content)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}, content`,
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
    UPDATE collections SET parent_id = $3, position = $4, version = version + 1, updated_at = clock_timestamp()
    WHERE team_id = $1 AND id = $2`,
};

const UPDATE = {
  name: 'update',
  text: `
    UPDATE collections SET name = coalesce($3, name), content = coalesce($4::json, content),
      version = version + 1, updated_at = clock_timestamp()
    WHERE team_id = $1 AND id = $2 RETURNING ${COLUMNS}, content`,
};

await serve(fair);
