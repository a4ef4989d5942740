import { Injectable } from '@nestjs/common';
import type { TeamRole } from '../../access/roles.js';
import { Database, type Transaction } from '../../database/database.js';
import { violatedConstraint } from '../../database/database-errors.js';
import { conflict, notFound } from '../../errors/domain-error.js';
import { PeopleRoles } from '../members/people-roles.repository.js';
import { newInviteCode } from '../teams.repository.js';
import { UsageRepository } from '../usage.repository.js';

/** The ways into a team, and the code that opens one of them. */
@Injectable()
export class JoiningRepository {
  constructor(
    private readonly database: Database,
    private readonly usage: UsageRepository,
    private readonly roles: PeopleRoles,
  ) {}

  /**
   * Takes a user into a team, within the transaction that opened the door to them. Locks the team's
   * row: call it last.
   * @throws DomainError conflict: a member already; forbidden: plan limit
   */
  async enter(tx: Transaction, teamId: string, userId: string, role: TeamRole): Promise<void> {
    const entered = await tx.$executeRaw`
      INSERT INTO team_members (team_id, user_id, role)
      VALUES (${teamId}::uuid, ${userId}::uuid, ${role})
      ON CONFLICT ON CONSTRAINT team_members_pkey DO NOTHING`;
    if (entered === 0) throw conflict('you are a member of this team already');
    await this.usage.change(tx, teamId, 'users', 1);
  }

  /**
   * Takes a user, as a member, into the team that has this code.
   * @returns the id of the team
   * @throws DomainError not_found: no team has it; conflict, forbidden as enter()
   */
  join(inviteCode: string, userId: string): Promise<string> {
    return this.database.transaction(async (tx) => {
      // The lock waits for a code that is being renewed: the old one opens nothing after that.
      const [team] = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM teams WHERE invite_code = ${inviteCode} FOR KEY SHARE`;
      if (!team) throw notFound('team with this invite code');
      await this.enter(tx, team.id, userId, 'member');
      return team.id;
    });
  }

  /** Gives the team a new code; the old one opens nothing any more. @throws DomainError forbidden */
  async renewCode(teamId: string, actorId: string): Promise<void> {
    for (;;) {
      try {
        return await this.database.transaction(async (tx) => {
          await this.roles.enter(tx, teamId, actorId, 'team.renewInviteCode');
          await tx.$executeRaw`
            UPDATE teams SET invite_code = ${newInviteCode()}, updated_at = now()
            WHERE id = ${teamId}::uuid`;
        });
      } catch (error) {
        if (violatedConstraint(error) !== 'teams_invite_code_key') throw error;
      }
    }
  }
}
