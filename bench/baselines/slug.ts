import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { slugify } from 'transliteration';
import type { Access } from './fair-access.js';

/** The slug that a name asks for; with a random end where it is taken or too short. */
export async function freeSlug(
  client: pg.PoolClient,
  { teamId, workspaceId }: Access,
  name: string,
): Promise<string> {
  const wanted = slugify(name, { lowercase: true, separator: '-' })
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '');
  const fallback = `${wanted.slice(0, 41)}-${randomBytes(3).toString('hex')}`.replace(/^-+/, '');
  if (wanted.length < 3) return fallback;
  const { rowCount } = await client.query({ ...TAKEN, values: [teamId, workspaceId, wanted] });
  return rowCount === 0 ? wanted : fallback;
}

const TAKEN = {
  name: 'taken',
  text: 'SELECT FROM collections WHERE team_id = $1 AND workspace_id = $2 AND slug = $3',
};
