import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { Caller } from './hs256.js';
import { type Place, Refusal } from './serve.js';
import type { LIMITS, TeamRow } from './wire.js';

/** A workspace that the caller may read or write. */
export interface Access {
  teamId: string;
  workspaceId: string;
  userId: string;
  plan: keyof typeof LIMITS;
}

/** What is known of the caller: compared with the token on each request. */
export interface KnownCaller {
  user_id: string;
  email: string;
  user_name: string;
}

/** What decides on the access to a workspace. */
export interface Decisive extends KnownCaller {
  team_role: string | null;
  visibility: string;
  default_access: string;
  workspace_role: string | null;
}

interface AccessRow extends Decisive {
  team_id: string;
  plan: keyof typeof LIMITS;
  workspace_id: string | null;
}

/** Records the caller, or brings the record up to the token. */
export async function recordCaller(pool: pg.Pool | pg.PoolClient, caller: Caller): Promise<void> {
  const values = [uuid(), caller.issuer, caller.subject, caller.email, caller.name];
  await pool.query({ ...RECORD, values });
}

export const isKnown = (row: KnownCaller, caller: Caller): boolean =>
  row.email === caller.email && row.user_name === caller.name;

/** The caller's teams, or the one with this slug, with the caller's role. */
export async function teamsOf(
  pool: pg.Pool | pg.PoolClient,
  caller: Caller,
  slug: string | null,
): Promise<(TeamRow & KnownCaller)[]> {
  const { issuer, subject } = caller;
  const { rows } = await pool.query<TeamRow & KnownCaller>(
    slug === null
      ? { ...TEAMS, values: [issuer, subject] }
      : { ...TEAM, values: [issuer, subject, slug] },
  );
  if (rows[0] && !isKnown(rows[0], caller)) await recordCaller(pool, caller);
  return rows;
}

/** The team with this slug, if the caller is in it. */
export async function teamOf(
  pool: pg.Pool | pg.PoolClient,
  caller: Caller,
  slug: string,
): Promise<TeamRow & KnownCaller> {
  const [team] = await teamsOf(pool, caller, slug);
  if (team) return team;
  const { rowCount } = await pool.query('SELECT FROM teams WHERE slug = $1', [slug]);
  throw new Refusal(rowCount ? 403 : 404, 'not a member, or no such team');
}

/**
 * The workspace, if the caller may do this in it; for a write its row is locked till the end of the
 * transaction, so that one write happens at a time in a workspace.
 */
export async function accessTo(
  client: pg.Pool | pg.PoolClient,
  caller: Caller,
  { team_slug, workspace_slug }: Place,
  action: 'read' | 'write',
): Promise<Access> {
  const values = [caller.issuer, caller.subject, team_slug, workspace_slug];
  const { rows } = await client.query<AccessRow>({ ...ACCESS, values });
  const [row] = rows;
  if (!row) throw new Refusal(404, 'no such team');
  if (!isKnown(row, caller)) await recordCaller(client, caller);
  if (row.team_role === null) throw new Refusal(403, 'not a member of the team');
  const level = row.workspace_id === null ? null : levelOf(row);
  if (level === null) throw new Refusal(404, 'no such workspace');
  if (action === 'write' && level !== 'full') throw new Refusal(403, 'read-only');
  const access = {
    ...{ teamId: row.team_id, workspaceId: row.workspace_id ?? '' },
    ...{ userId: row.user_id, plan: row.plan },
  };
  if (action === 'write') {
    const { rowCount } = await client.query({
      ...LOCK,
      values: [access.teamId, access.workspaceId],
    });
    if (rowCount === 0) throw new Refusal(404, 'no such workspace');
  }
  return access;
}

export function levelOf(row: Decisive): string | null {
  if (row.workspace_role !== null) return row.workspace_role === 'editor' ? 'full' : 'read-only';
  if (row.visibility === 'private' || row.team_role === 'guest') return null;
  return row.team_role === 'member' ? row.default_access : 'full';
}

const RECORD = {
  name: 'record',
  text: `
    INSERT INTO users (id, issuer, subject, email, name) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email, name = excluded.name, updated_at = now()`,
};

const TEAM_COLUMNS = `
  SELECT t.*, u.pages, u.users, u.workspaces, m.role, me.id AS user_id, me.email, me.name AS user_name
  FROM users me
  JOIN team_members m ON m.user_id = me.id
  JOIN teams t ON t.id = m.team_id
  JOIN team_usage u ON u.team_id = t.id
  WHERE me.issuer = $1 AND me.subject = $2`;

const TEAMS = { name: 'teams', text: `${TEAM_COLUMNS} ORDER BY t.created_at, t.id` };
const TEAM = { name: 'team', text: `${TEAM_COLUMNS} AND t.slug = $3` };

const ACCESS = {
  name: 'access',
  text: `
    SELECT t.id AS team_id, t.plan, m.role AS team_role, w.id AS workspace_id, w.visibility, w.default_access,
      wm.role AS workspace_role, me.id AS user_id, me.email, me.name AS user_name
    FROM teams t
    LEFT JOIN users me ON me.issuer = $1 AND me.subject = $2
    LEFT JOIN team_members m ON m.team_id = t.id AND m.user_id = me.id
    LEFT JOIN workspaces w ON w.team_id = t.id AND w.slug = $4
    LEFT JOIN workspace_members wm
      ON wm.team_id = w.team_id AND wm.workspace_id = w.id AND wm.user_id = me.id
    WHERE t.slug = $3`,
};

const LOCK = {
  name: 'lock',
  text: 'SELECT FROM workspaces WHERE team_id = $1 AND id = $2 FOR NO KEY UPDATE',
};
