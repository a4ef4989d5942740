import type pg from 'pg';
import { accessTo, type Decisive, isKnown, levelOf, recordCaller } from './fair-access.js';
import type { Caller } from './hs256.js';
import { type Operations, Refusal } from './serve.js';
import { type ItemRow, serializeItem, serializeTree } from './wire.js';

/** The item with what decides on the access to it; its children follow without that. */
type FoundRow = Decisive & Omit<ItemRow, 'id'> & { id: string | null };

type Reads = Pick<Operations, 'getPart' | 'getCollection' | 'getCollectionBySlug'>;

/** Reads of single items, with their children in the same statement, and of parts of a tree. */
export function itemReads(pool: pg.Pool): Reads {
  const read = async (
    caller: Caller,
    statement: { name: string; text: string },
    key: string[],
  ): Promise<object> => {
    const values = [caller.issuer, caller.subject, ...key];
    const { rows } = await pool.query<FoundRow>({ ...statement, values });
    const [found, ...children] = rows;
    if (!found) throw new Refusal(404, 'not found');
    if (!isKnown(found, caller)) await recordCaller(pool, caller);
    if (found.team_role === null && found.visibility !== 'private') {
      throw new Refusal(403, 'not a member of the team');
    }
    const isHidden = found.team_role === null || levelOf(found) === null;
    if (isHidden || found.id === null) throw new Refusal(404, 'not found');
    return serializeItem(found as ItemRow, children as ItemRow[]);
  };

  return {
    getCollection: (caller, id) => read(caller, BY_ID, [id]),

    getCollectionBySlug: (caller, place, slug) =>
      read(caller, BY_SLUG, [place.team_slug, place.workspace_slug, slug]),

    async getPart(caller, place, parent, limit) {
      const { teamId, workspaceId } = await accessTo(pool, caller, place, 'read');
      const { rows } = await pool.query<ItemRow & { position: string }>({
        ...PART,
        values: [teamId, workspaceId, parent, limit + 1],
      });
      if (rows.length === 0) {
        const values = [teamId, workspaceId, parent];
        const [found] = (await pool.query<{ object: string }>({ ...OBJECT, values })).rows;
        if (!found) throw new Refusal(404, 'no such parent');
        if (found.object !== 'collection') throw new Refusal(422, 'the parent is a page');
      }
      const body = serializeTree(rows, parent);
      if (body.length <= limit) return { body, cursor: null };
      const shown = body.slice(0, limit);
      const last = rows.find(({ id }) => id === shown.at(-1)?.id);
      return { body: shown, cursor: Buffer.from(last?.position ?? '').toString('base64url') };
    },
  };
}

const COLUMNS =
  'id team_id workspace_id parent_id object name slug key created_at updated_at created_by updated_by'.split(
    ' ',
  );
const columns = (of: string): string => COLUMNS.map((name) => `${of}.${name}`).join(', ');
const DECISIVE = `w.visibility, w.default_access, m.role AS team_role, wm.role AS workspace_role,
        me.id AS user_id, me.email, me.name AS user_name`;

const withChildren = (item: string): string => `
    WITH item AS (SELECT ${columns('c')}, c.content, NULL AS position, ${DECISIVE} ${item})
    SELECT * FROM item
    UNION ALL
    SELECT ${columns('child')}, NULL, child.position, NULL, NULL, NULL, NULL, NULL, NULL, NULL
    FROM item JOIN collections child ON child.team_id = item.team_id AND child.list_id = item.id
    ORDER BY position NULLS FIRST`;

const ROLES = (team: string, workspace: string): string => `
      LEFT JOIN team_members m ON m.team_id = ${team} AND m.user_id = me.id
      LEFT JOIN workspace_members wm
        ON wm.team_id = ${team} AND wm.workspace_id = ${workspace} AND wm.user_id = me.id`;

const BY_ID = {
  name: 'item.byId',
  text: withChildren(`
      FROM collections c
      JOIN workspaces w ON w.team_id = c.team_id AND w.id = c.workspace_id
      LEFT JOIN users me ON me.issuer = $1 AND me.subject = $2
      ${ROLES('c.team_id', 'c.workspace_id')}
      WHERE c.id = $3`),
};

const BY_SLUG = {
  name: 'item.bySlug',
  text: withChildren(`
      FROM teams t
      JOIN workspaces w ON w.team_id = t.id AND w.slug = $4
      LEFT JOIN users me ON me.issuer = $1 AND me.subject = $2
      ${ROLES('t.id', 'w.id')}
      LEFT JOIN collections c ON c.team_id = t.id AND c.workspace_id = w.id AND c.slug = $5
      WHERE t.slug = $3`),
};

/** The first children of a collection, with all that is below them. */
const PART = {
  name: 'part',
  text: `
    WITH RECURSIVE part AS (
      (SELECT ${columns('c')}, c.position FROM collections c
        WHERE c.team_id = $1 AND c.list_id = $3 AND c.workspace_id = $2 ORDER BY c.position LIMIT $4)
      UNION ALL
      SELECT ${columns('c')}, c.position FROM part
      JOIN collections c ON c.team_id = $1 AND c.list_id = part.id
      WHERE part.object = 'collection'
    )
    SELECT * FROM part ORDER BY position`,
};

const OBJECT = {
  name: 'object',
  text: 'SELECT object FROM collections WHERE team_id = $1 AND workspace_id = $2 AND id = $3',
};
