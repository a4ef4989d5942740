import { Injectable } from '@nestjs/common';
import { enforceLadder } from '../../access/enforce.js';
import type { TeamRole } from '../../access/roles.js';
import { Database } from '../../database/database.js';
import type { TeamMember } from './member.js';
import { PeopleRoles } from './people-roles.repository.js';

@Injectable()
export class TeamMembersRepository {
  constructor(
    private readonly database: Database,
    private readonly roles: PeopleRoles,
  ) {}

  /** Everyone in a team, the longest-standing first. */
  list(teamId: string): Promise<TeamMember[]> {
    return this.database.query<TeamMember>(LIST, [teamId]);
  }

  /**
   * Gives a member a role, where the actor may act on them and grant it.
   * @throws DomainError forbidden; not_found: not in the team; conflict: the last owner
   */
  async changeRole(teamId: string, actorId: string, userId: string, role: TeamRole): Promise<void> {
    await this.database.transaction(async (tx) => {
      const actorRole = await this.roles.enter(tx, teamId, actorId, 'team.managePeople');
      const before = await this.roles.of(tx, teamId, userId);
      enforceLadder(actorRole, [before, role]);
      await tx.teamMember.update({
        where: { teamId_userId: { teamId, userId } },
        data: { role },
        select: { userId: true },
      });
      await this.roles.assertHasOwner(tx, teamId);
    });
  }
}

const LIST = {
  name: 'teamMembers.list',
  text: `
    SELECT u.id, u.name, u.email, u.image, m.role
    FROM team_members m JOIN users u ON u.id = m.user_id
    WHERE m.team_id = $1 ORDER BY m.joined_at, u.id`,
};
