import { listRead } from '@teamspaces/pg-lanes/list-reads';
import type { TeamRole } from '../../access/roles.js';
import { foldEmail } from '../../auth/email.js';
import type { Config } from '../../config/config.js';
import type { Transaction } from '../../database/database.js';
import { isUuid } from '../../database/identifiers.js';
import { tooManyTeams } from '../errors.js';

/** Someone in a team. */
export interface TeamMember {
  id: string;
  name: string;
  email: string;
  /** Address of a picture. */
  image: string | null;
  role: TeamRole;
}

/** A team member, and whether the identity provider vouches for the email. */
export type TeamMemberWithEmail = TeamMember & { emailVerified: boolean };

/** The role of someone in the team; null: not in it. */
export async function roleInTeam(
  tx: Transaction,
  teamId: string,
  userId: string,
): Promise<TeamRole | null> {
  if (!isUuid(userId)) return null;
  const [member] = await tx.query<{ role: TeamRole }>(ROLE_OF, [teamId, userId]);
  return member?.role ?? null;
}

/**
 * Lets somebody become the owner of one more team. The transaction must hold their record exclusively
 * (lockUserExclusive()), so that nobody else counts at the same time.
 * @throws DomainError forbidden: they own TEAMS_PER_OWNER teams
 */
export async function assertMayOwnAnother(
  tx: Transaction,
  userId: string,
  { teamsPerOwner }: Config,
): Promise<void> {
  if (teamsPerOwner === 0) return;
  const [owned] = await tx.query<{ count: number }>(COUNT_OWNED, [userId]);
  if (owned && owned.count >= teamsPerOwner) throw tooManyTeams(teamsPerOwner);
}

/** The id of the longest-standing owner but this one; null: the team has no other. */
export async function findOtherOwner(
  tx: Transaction,
  teamId: string,
  userId: string,
): Promise<string | null> {
  if (!isUuid(userId)) return null;
  const [owner] = await tx.query<{ id: string }>(OTHER_OWNER, [teamId, userId]);
  return owner?.id ?? null;
}

export function addToTeam(tx: Transaction, teamId: string, userId: string, role: TeamRole): void {
  tx.write(ADD, [teamId, userId, role]);
}

export function setTeamRole(tx: Transaction, teamId: string, userId: string, role: TeamRole): void {
  tx.write(SET_ROLE, [teamId, userId, role]);
}

/** Takes someone out of the team; their roles in its workspaces go along (a foreign key). */
export function removeFromTeam(tx: Transaction, teamId: string, userId: string): void {
  tx.write(REMOVE, [teamId, userId]);
}

/** The members of a team who have one of these emails. */
export const findMembersByEmail = (
  tx: Transaction,
  teamId: string,
  emails: string[],
): Promise<TeamMemberWithEmail[]> => tx.query(FIND_BY_EMAIL, [teamId, emails.map(foldEmail)]);

/** For TeamsService.listForAction(): the members, the longest-standing first. OFFSET 0: as in FIND_BY_EMAIL. */
export const TEAM_MEMBERS = listRead({
  name: 'teams.members',
  rows: `
      SELECT user_id AS id, joined_at AS at, role FROM team_members WHERE team_id = $1`,
  parameters: 3,
  text: (found) => `
    SELECT t.id AS "teamId", tm.role AS "teamRole", m.id, m.at, p.name, p.email, p.image, m.role
    FROM teams t
    LEFT JOIN team_members tm ON tm.team_id = $1 AND tm.user_id = $3
    LEFT JOIN (${found}
    ) m ON true
    LEFT JOIN LATERAL (SELECT * FROM users WHERE id = m.id OFFSET 0) AS p ON true
    WHERE t.id = $1 AND t.slug = coalesce($2, t.slug)
    ORDER BY m.at, m.id`,
});

const ROLE_OF = {
  name: 'teamMembers.roleOf',
  text: 'SELECT role FROM team_members WHERE team_id = $1 AND user_id = $2',
};

const COUNT_OWNED = {
  name: 'teamMembers.countOwned',
  text: "SELECT count(*)::int AS count FROM team_members WHERE user_id = $1 AND role = 'owner'",
};

const OTHER_OWNER = {
  name: 'teamMembers.otherOwner',
  text: `
    SELECT user_id AS id FROM team_members
    WHERE team_id = $1 AND role = 'owner' AND user_id <> $2
    ORDER BY joined_at, user_id LIMIT 1`,
};

const ADD = {
  name: 'teamMembers.add',
  text: 'INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, now())',
};

const SET_ROLE = {
  name: 'teamMembers.setRole',
  text: 'UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2',
};

const REMOVE = {
  name: 'teamMembers.remove',
  text: 'DELETE FROM team_members WHERE team_id = $1 AND user_id = $2',
};

/** Members first (OFFSET 0): without statistics, the planner would read all users of the service. */
const FIND_BY_EMAIL = {
  name: 'teamMembers.byEmail',
  text: `
    SELECT u.id, u.name, u.email, u.image, u.email_verified AS "emailVerified", m.role
    FROM team_members m
    CROSS JOIN LATERAL (SELECT * FROM users WHERE id = m.user_id OFFSET 0) AS u
    WHERE m.team_id = $1 AND lower(u.email COLLATE "C") = ANY ($2::text[])`,
};
