import { Injectable } from '@nestjs/common';
import { canManage } from '../../access/decide.js';
import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import type { Transaction } from '../../database/database.js';
import { InvitesRepository } from '../invites/invites.repository.js';
import { newInviteCode } from '../team.js';
import { TeamsRepository } from '../teams.repository.js';

/** What keeps people from coming back, or from regaining a role, after somebody else took it away. */
@Injectable()
export class ReentryService {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly invites: InvitesRepository,
  ) {}

  /**
   * Renews the team's invite code, which the person may know, and revokes the pending invites that
   * they sent and could not send with the role that is left, and those to their own email. To be
   * called in the transaction that removes or demotes them, behind the membership lock.
   * @param role what is left; null: they are not in the team any more
   */
  prevent(tx: Transaction, teamId: string, userId: string, role: TeamRole | null): void {
    this.teams.setInviteCode(tx, teamId, newInviteCode());
    const kept = TEAM_ROLES.filter((invited) => role !== null && canManage(role, [invited]));
    this.invites.revokeOf(tx, teamId, userId, kept);
  }
}
