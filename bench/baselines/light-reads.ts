import type pg from 'pg';
import { type Operations, Refusal } from './serve.js';
import {
  type InviteRow,
  type ItemRow,
  type MemberRow,
  serializeInvites,
  serializeItem,
  serializeMembers,
  serializeTree,
} from './wire.js';

type Rows = <Row extends pg.QueryResultRow>(
  statement: { name: string; text: string },
  values: unknown[],
) => Promise<Row[]>;

type Reads = Pick<
  Operations,
  'getPart' | 'getCollection' | 'getCollectionBySlug' | 'getTeamMembers' | 'getMyInvites'
>;

/** Reads of single items, of parts of a tree, and of people. */
export const lightReads = (rows: Rows): Reads => ({
  async getPart(_caller, { team_slug, workspace_slug }, parent, limit) {
    const values = [team_slug, workspace_slug, parent, limit + 1];
    const found = await rows<ItemRow & { position: string }>(PART, values);
    const body = serializeTree(found, parent);
    if (body.length <= limit) return { body, cursor: null };
    const shown = body.slice(0, limit);
    const last = found.find(({ id }) => id === shown.at(-1)?.id);
    return { body: shown, cursor: Buffer.from(last?.position ?? '').toString('base64url') };
  },

  getCollection: async (_caller, id) => itemOf(await rows<ItemRow>(BY_ID, [id])),

  getCollectionBySlug: async (_caller, { team_slug, workspace_slug }, slug) =>
    itemOf(await rows<ItemRow>(BY_SLUG, [team_slug, workspace_slug, slug])),

  getTeamMembers: async (_caller, slug) => serializeMembers(await rows<MemberRow>(MEMBERS, [slug])),

  getMyInvites: async ({ email }) => serializeInvites(await rows<InviteRow>(INVITES, [email])),
});

function itemOf([item, ...children]: ItemRow[]): object {
  if (!item) throw new Refusal(404, 'not found');
  return serializeItem(item, children);
}

const COLUMNS =
  'id team_id workspace_id parent_id object name slug key created_at updated_at created_by updated_by'.split(
    ' ',
  );
const columns = (of: string): string => COLUMNS.map((name) => `${of}.${name}`).join(', ');

const withChildren = (item: string): string => `
    WITH item AS (SELECT ${columns('c')}, c.content, NULL AS position FROM ${item})
    SELECT * FROM item
    UNION ALL
    SELECT ${columns('child')}, NULL, child.position
    FROM item JOIN collections child ON child.team_id = item.team_id AND child.list_id = item.id
    ORDER BY position NULLS FIRST`;

const BY_ID = { name: 'item.byId', text: withChildren('collections c WHERE c.id = $1') };

const IN_WORKSPACE = 'teams t JOIN workspaces w ON w.team_id = t.id AND w.slug = $2';

const BY_SLUG = {
  name: 'item.bySlug',
  text: withChildren(`${IN_WORKSPACE}
      JOIN collections c ON c.team_id = t.id AND c.workspace_id = w.id AND c.slug = $3
      WHERE t.slug = $1`),
};

const PART = {
  name: 'part',
  text: `
    WITH RECURSIVE part AS (
      (SELECT ${columns('c')}, c.position FROM ${IN_WORKSPACE}
        JOIN collections c ON c.team_id = t.id AND c.list_id = $3 AND c.workspace_id = w.id
        WHERE t.slug = $1 ORDER BY c.position LIMIT $4)
      UNION ALL
      SELECT ${columns('c')}, c.position FROM part
      JOIN collections c ON c.team_id = part.team_id AND c.list_id = part.id
      WHERE part.object = 'collection'
    )
    SELECT * FROM part ORDER BY position`,
};

const MEMBERS = {
  name: 'members',
  text: `
    SELECT u.id, u.name, u.email, u.image, m.role
    FROM teams t JOIN team_members m ON m.team_id = t.id JOIN users u ON u.id = m.user_id
    WHERE t.slug = $1 ORDER BY m.joined_at, m.user_id`,
};

const INVITES = {
  name: 'invites',
  text: `
    SELECT id, email, role, expires_at, created_at FROM team_invites
    WHERE lower(email COLLATE "C") = $1 AND state = 'pending' AND expires_at > now()
    ORDER BY created_at, id`,
};
