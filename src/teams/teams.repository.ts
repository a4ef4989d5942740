import { violatedConstraint } from '@teamspaces/pg-lanes/driver-errors';
import type { Transaction } from '../database/database.js';
import { insertInto, setSettings, settingValuesOf, valuesOf } from '../database/fields.js';
import { slugTaken } from './errors.js';
import { TEAM, type TeamFields } from './team.fields.js';
import type { Team } from './team.js';

/**
 * Waits for the membership lock of a team and holds it until the transaction ends. Every write
 * about people and settings takes it before it reads what it decides on, so that roles, last
 * owners, last editors, invites and slugs are judged by one transaction at a time. It is the lock
 * of the team's own row, which holds for all processes, whichever node of a distributed database
 * they are connected to.
 *
 * It leaves with the next query, which reads what is there then.
 *
 * Order of locks: the record of a user, this one (of several teams by id), then the workspace's row, then its collections, then `team_usage`.
 */
export const takeMembershipLock = (tx: Transaction, teamId: string): void =>
  tx.write(LOCK, [teamId]);

/** Locks the team that has this invite code, as takeMembershipLock() does. @returns its id, or null */
export async function lockByInviteCode(
  tx: Transaction,
  inviteCode: string,
): Promise<string | null> {
  const [team] = await tx.query<{ id: string }>(LOCK_BY_INVITE_CODE, [inviteCode]);
  return team?.id ?? null;
}

/**
 * Writes a new team, on the plan that is the default, with its first member, the owner.
 * @throws DomainError conflict: the slug is taken
 */
export function insertTeam(tx: Transaction, team: Team, ownerId: string): void {
  const { id, slug, createdAt } = team;
  tx.write(CREATE, valuesOf(TEAM, team), explainSlug(slug));
  tx.write(CREATE_OWNER, [id, ownerId, createdAt]);
  tx.write(CREATE_USAGE, [id]);
}

/**
 * Writes the settings of a team, all of them: its caller has the membership lock, and has read them.
 * @throws DomainError conflict: the slug is taken
 */
export function updateTeam(tx: Transaction, team: TeamFields): void {
  const { id, slug, updatedAt } = team;
  tx.write(UPDATE, [id, updatedAt, ...settingValuesOf(TEAM, team)], explainSlug(slug));
}

/** Gives the team another invite code; the one before opens nothing any more. */
export function setInviteCode(
  tx: Transaction,
  teamId: string,
  inviteCode: string,
  now: Date,
): void {
  tx.write(SET_INVITE_CODE, [teamId, inviteCode, now]);
}

const explainSlug = (slug: string | undefined) => (error: unknown) =>
  violatedConstraint(error) === 'teams_slug_key' ? slugTaken(slug) : error;

const LOCK = {
  name: 'teams.lock',
  text: 'SELECT 1 FROM teams WHERE id = $1 FOR NO KEY UPDATE',
};

const LOCK_BY_INVITE_CODE = {
  name: 'teams.lockByInviteCode',
  text: 'SELECT id FROM teams WHERE invite_code = $1 FOR NO KEY UPDATE',
};

// A statement for each table: in a distributed database they are of different kinds.
const CREATE = { name: 'teams.create', text: insertInto('teams', TEAM) };
const CREATE_OWNER = {
  name: 'teams.createOwner',
  text: "INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)",
};
const CREATE_USAGE = {
  name: 'teams.createUsage',
  text: 'INSERT INTO team_usage (team_id, users) VALUES ($1, 1)',
};

const UPDATE = {
  name: 'teams.update',
  text: `UPDATE teams SET updated_at = $2, ${setSettings(TEAM, 3)} WHERE id = $1`,
};

const SET_INVITE_CODE = {
  name: 'teams.setInviteCode',
  text: 'UPDATE teams SET invite_code = $2, updated_at = $3 WHERE id = $1',
};
