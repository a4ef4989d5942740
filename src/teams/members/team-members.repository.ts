import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import type { Transaction } from '../../database/database.js';
import { isUuid } from '../../database/ids.js';

/** Who is in a team. */
@Injectable()
export class TeamMembersRepository {
  /** The role of someone in the team; null: not in it. */
  async roleOf(tx: Transaction, teamId: string, userId: string): Promise<TeamRole | null> {
    if (!isUuid(userId)) return null;
    const [member] = await tx.query<{ role: TeamRole }>(ROLE_OF, [teamId, userId]);
    return member?.role ?? null;
  }

  /** How many teams somebody owns. */
  async countOwned(tx: Transaction, userId: string): Promise<number> {
    const [row] = await tx.query<{ count: number }>(COUNT_OWNED, [userId]);
    return row?.count ?? 0;
  }

  /** The id of the longest-standing owner but this one; null: the team has no other. */
  async otherOwner(tx: Transaction, teamId: string, userId: string): Promise<string | null> {
    if (!isUuid(userId)) return null;
    const [owner] = await tx.query<{ id: string }>(OTHER_OWNER, [teamId, userId]);
    return owner?.id ?? null;
  }

  add(tx: Transaction, teamId: string, userId: string, role: TeamRole): void {
    tx.write(ADD, [teamId, userId, role, new Date()]);
  }

  setRole(tx: Transaction, teamId: string, userId: string, role: TeamRole): void {
    tx.write(SET_ROLE, [teamId, userId, role]);
  }

  /** Takes someone out of the team; their roles in its workspaces go along (a foreign key). */
  remove(tx: Transaction, teamId: string, userId: string): void {
    tx.write(REMOVE, [teamId, userId]);
  }
}

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
  text: 'INSERT INTO team_members (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4)',
};

const SET_ROLE = {
  name: 'teamMembers.setRole',
  text: 'UPDATE team_members SET role = $3 WHERE team_id = $1 AND user_id = $2',
};

const REMOVE = {
  name: 'teamMembers.remove',
  text: 'DELETE FROM team_members WHERE team_id = $1 AND user_id = $2',
};
