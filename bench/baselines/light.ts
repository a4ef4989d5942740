import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { lightReads } from './light-reads.js';
import { type Operations, Refusal, serve } from './serve.js';
import {
  type ItemRow,
  serializeItem,
  serializeTeam,
  serializeTree,
  serializeWorkspace,
  type TeamRow,
  type WorkspaceRow,
} from './wire.js';

/**
 * The light baseline: one prepared statement for each operation, and no checks. It believes the
 * caller in everything, counts nothing, and would fail where a name comes twice.
 */
function light(pool: pg.Pool): Operations {
  const rows = async <Row extends pg.QueryResultRow>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> => (await pool.query<Row>({ ...statement, values })).rows;
  const one = <Row>([row]: Row[]): Row => {
    if (!row) throw new Refusal(404, 'not found');
    return row;
  };

  return {
    ...lightReads(rows),

    getTeams: async ({ issuer, subject }) =>
      (await rows<TeamRow>(TEAMS, [issuer, subject])).map(serializeTeam),

    getTeamInfo: async ({ issuer, subject }, slug) =>
      serializeTeam(one(await rows<TeamRow>(TEAM, [slug, issuer, subject]))),

    getWorkspaces: async (_caller, slug) =>
      (await rows<WorkspaceRow>(WORKSPACES, [slug])).map((row) => serializeWorkspace(row, 'full')),

    getCollections: async (_caller, { team_slug, workspace_slug }) =>
      serializeTree(await rows<ItemRow>(TREE, [team_slug, workspace_slug])),

    async createCollection({ issuer, subject }, { team_slug, workspace_slug }, body) {
      const { name = 'Untitled', object = 'collection', parent = null, content = {} } = body;
      const values = [
        ...[team_slug, workspace_slug, uuid(), parent, object, name, slugOf(name), nextLast()],
        ...[object === 'item' ? JSON.stringify(content) : null, issuer, subject],
      ];
      return serializeItem(one(await rows<ItemRow>(CREATE, values)));
    },

    async reorderItem(
      { issuer, subject },
      _place,
      { id, index, parent = null, newParent = parent },
    ) {
      const statement = newParent === null ? MOVE_TO_TOP : MOVE;
      const values: unknown[] = [id, index, nextFirst(), suffix(), issuer, subject];
      if (newParent !== null) values.push(newParent);
      one(await rows(statement, values));
      return { message: 'The item was moved.' };
    },

    async updateCollection({ issuer, subject }, _place, id, { name = null, content }) {
      const json = content === undefined ? null : JSON.stringify(content);
      const values = [id, name, json, issuer, subject];
      return serializeItem(one(await rows<ItemRow>(UPDATE, values)));
    },
  };
}

const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** Behind all others: microseconds, upwards, after a letter that no other position begins with. */
const nextLast = (): string =>
  `z${Math.floor(1000 * (performance.timeOrigin + performance.now()))}${suffix()}`;

/** Ahead of all others: microseconds, downwards. */
const nextFirst = (): string =>
  `A${9e15 - Math.floor(1000 * (performance.timeOrigin + performance.now()))}${suffix()}`;

/** Put behind a position it makes one right after it, in most cases. */
const suffix = (): string =>
  Math.floor(36 ** 4 * (1 + Math.random()))
    .toString(36)
    .slice(1);

const TEAM_COLUMNS = `
  SELECT t.*, u.pages, u.users, u.workspaces, m.role
  FROM users me
  JOIN team_members m ON m.user_id = me.id
  JOIN teams t ON t.id = m.team_id
  JOIN team_usage u ON u.team_id = t.id`;

const TEAMS = {
  name: 'teams',
  text: `${TEAM_COLUMNS} WHERE me.issuer = $1 AND me.subject = $2 ORDER BY t.created_at, t.id`,
};

const TEAM = {
  name: 'team',
  text: `${TEAM_COLUMNS} WHERE t.slug = $1 AND me.issuer = $2 AND me.subject = $3`,
};

const WORKSPACES = {
  name: 'workspaces',
  text: `
    SELECT w.* FROM teams t JOIN workspaces w ON w.team_id = t.id
    WHERE t.slug = $1 ORDER BY w.created_at, w.id`,
};

const TREE = {
  name: 'tree',
  text: `
    SELECT c.id, c.team_id, c.workspace_id, c.parent_id, c.object, c.name, c.slug, c.key,
      c.created_at, c.updated_at, c.created_by, c.updated_by
    FROM teams t
    JOIN workspaces w ON w.team_id = t.id AND w.slug = $2
    JOIN collections c ON c.team_id = w.team_id AND c.workspace_id = w.id
    WHERE t.slug = $1 ORDER BY c.position`,
};

const CREATE = {
  name: 'create',
  text: `
    INSERT INTO collections (team_id, workspace_id, id, parent_id, object, name, slug, position, content,
      created_by, updated_by, author_version)
    SELECT w.team_id, w.id, $3::uuid, $4::uuid, $5, $6, $7, $8, $9::json, me.id, me.id, 1
    FROM teams t JOIN workspaces w ON w.team_id = t.id AND w.slug = $2
      JOIN users me ON me.issuer = $10 AND me.subject = $11
    WHERE t.slug = $1 RETURNING *`,
};

/** The position of the one that the item is to follow, and something behind it. */
const move = (siblings: string, target: string): string => `
  UPDATE collections c SET parent_id = ${target}, version = version + 1, updated_at = clock_timestamp(),
    updated_by = me.id, author_version = version + 1, position = CASE WHEN $2::int = 0 THEN $3::text ELSE coalesce((
      SELECT s.position FROM collections s
      WHERE s.team_id = c.team_id AND s.workspace_id = c.workspace_id AND ${siblings}
        AND s.position <> c.position
      ORDER BY s.parent_id, s.position OFFSET $2::int - 1 LIMIT 1
    ), (
      SELECT s.position FROM collections s
      WHERE s.team_id = c.team_id AND s.workspace_id = c.workspace_id AND ${siblings}
      ORDER BY s.parent_id DESC, s.position DESC LIMIT 1
    ), '') || $4::text END
  FROM users me WHERE me.issuer = $5 AND me.subject = $6 AND c.id = $1 RETURNING c.id`;

const MOVE = { name: 'move', text: move('s.parent_id = $7::uuid', '$7::uuid') };
const MOVE_TO_TOP = { name: 'moveToTop', text: move('s.parent_id IS NULL', 'NULL') };

const UPDATE = {
  name: 'update',
  text: `
    UPDATE collections c SET name = coalesce($2, c.name), content = coalesce($3::json, content),
      version = version + 1, updated_at = clock_timestamp(), updated_by = me.id, author_version = version + 1
    FROM users me WHERE me.issuer = $4 AND me.subject = $5 AND c.id = $1 RETURNING c.*`,
};

await serve(light);
