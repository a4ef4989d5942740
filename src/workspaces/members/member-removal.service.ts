import { Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/enforce.js';
import { onUser } from '../../audit/audit-entry.js';
import type { Actor } from '../../auth/actor.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { ReentryService } from '../../teams/members/reentry.service.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import type { TeamRef } from '../../teams/team.js';
import { TeamsService } from '../../teams/teams.service.js';
import { MemberRemoval } from './member-removal.js';

/** Takes people out of a team, and with that out of its workspaces. */
@Injectable()
export class MemberRemovalService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly teamMembers: TeamMembersRepository,
    private readonly removal: MemberRemoval,
    private readonly reentry: ReentryService,
  ) {}

  /**
   * Takes someone out of a team and all its workspaces; everyone may leave. What becomes of private
   * workspaces: see MemberRemoval. Whoever is removed by another loses what would lead back: see
   * ReentryService.
   * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
   */
  async remove(actor: Actor, ref: TeamRef, userId: string): Promise<void> {
    const leaves = userId === actor.id;
    const action = leaves ? 'team.leave' : 'team.managePeople';
    const { id } = await this.teams.forAction(actor, ref, action);
    const by = { callerId: actor.id, teamId: id };
    await this.database.transaction(async (tx) => {
      const [team, role, rest, inviteIds] = await Promise.all([
        this.teams.lockForAction(tx, actor, id, action),
        this.teamMembers.roleOf(tx, id, userId),
        this.removal.restOf(tx, id, userId),
        leaves ? [] : this.reentry.invitesToRevoke(tx, id, userId, null),
      ]);
      if (role === null) throw notFound('member');
      if (!leaves) enforceCanManage(team.role, [role]);
      const about = onUser(userId);
      if (leaves) {
        const left = { action: 'member.left', ...about, details: { role } } as const;
        return this.removal.remove(tx, id, userId, rest, actor, [left]);
      }
      const details = { role, inviteCodeRenewed: true } as const;
      const removed = { action: 'member.removed', ...about, details } as const;
      const revoked = this.reentry.prevent(tx, id, inviteIds, removed.action);
      this.removal.remove(tx, id, userId, rest, actor, [removed, ...revoked]);
    }, by);
  }
}
