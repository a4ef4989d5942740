import { Injectable } from '@nestjs/common';
import { canManage } from '../../access/decide.js';
import type { TeamRole } from '../../access/roles.js';
import type { Transaction } from '../../database/database.js';
import { InvitesRepository } from '../invites/invites.repository.js';
import { InvitesByEmailRepository } from '../invites/invites-by-email.repository.js';
import { newInviteCode } from '../team.js';
import { TeamsRepository } from '../teams.repository.js';
import { TeamMembersRepository } from './team-members.repository.js';

/** What keeps people from coming back, or from regaining a role, after somebody else took it away. */
@Injectable()
export class ReentryService {
  constructor(
    private readonly teams: TeamsRepository,
    private readonly members: TeamMembersRepository,
    private readonly invites: InvitesRepository,
    private readonly invitesByEmail: InvitesByEmailRepository,
  ) {}

  /**
   * Renews the team's invite code, which the person may know, and revokes the pending invites that
   * they sent and could not send with the role that is left, and those to their own email. To be
   * called in the transaction that removes or demotes them, behind the membership lock.
   * @param role what is left; null: they are not in the team any more
   */
  async prevent(
    tx: Transaction,
    teamId: string,
    userId: string,
    role: TeamRole | null,
  ): Promise<void> {
    await this.teams.setInviteCode(tx, teamId, newInviteCode());
    const sent = await this.invites.pendingSentBy(tx, teamId, userId);
    const lost = sent.filter((invite) => role === null || !canManage(role, [invite.role]));
    const email = await this.members.verifiedEmailOf(tx, userId);
    const own = email === null ? [] : await this.invitesByEmail.pendingFor(tx, teamId, [email]);
    await this.invites.revoke(tx, teamId, [...lost, ...own]);
  }
}
