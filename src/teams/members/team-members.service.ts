import { Inject, Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/enforce.js';
import { isAtLeast, type TeamRole } from '../../access/roles.js';
import { record } from '../../audit/audit-entries.repository.js';
import { onUser } from '../../audit/audit-entry.js';
import type { Actor } from '../../auth/actor.js';
import { UsersRepository } from '../../auth/users.repository.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database } from '../../database/database.js';
import { notFound } from '../../errors/domain-error.js';
import { type ListPosition, type Page, type PageRequest, readPage } from '../../http/pagination.js';
import type { TeamRef } from '../team.js';
import { MEMBERS } from '../team-reads.repository.js';
import { TeamsService } from '../teams.service.js';
import { assertMayOwnAnother } from './ownership.js';
import { invitesToRevoke, preventReentry } from './reentry.js';
import { lastOwner, type TeamMember } from './team-member.js';
import { findOtherOwner, roleInTeam, setTeamRole } from './team-members.repository.js';

/** The people of a team and their roles. */
@Injectable()
export class TeamMembersService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly users: UsersRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The longest-standing first. @throws DomainError not_found, forbidden */
  async list(actor: Actor, ref: TeamRef, page: PageRequest): Promise<Page<TeamMember>> {
    const read = (values: unknown[], many: boolean) =>
      this.teams.readForAction<TeamMember & ListPosition>(actor, ref, 'team.listMembers', [
        { ...MEMBERS, many },
        values,
      ]);
    return readPage(page, read);
  }

  /**
   * Gives a member another role. Somebody who is demoted by another loses what would lead back: see
   * preventReentry().
   * @throws DomainError forbidden: role, or the person owns too many teams; not_found: team or
   *   member; conflict: the last owner
   */
  async changeRole(actor: Actor, ref: TeamRef, userId: string, role: TeamRole): Promise<void> {
    const { id, role: own } = await this.teams.forAction(actor, ref, 'team.managePeople');
    enforceCanManage(own, [role]);
    const by = { callerId: actor.id, teamId: id };
    await this.database.transaction(async (tx) => {
      if (role === 'owner' && (await roleInTeam(tx, id, userId)) === null) {
        throw notFound('member');
      }
      const [, team, before, otherOwner, inviteIds] = await Promise.all([
        // Users come before teams in the order of locks.
        role === 'owner' && this.users.lockExclusive(tx, userId),
        this.teams.lockForAction(tx, actor, id, 'team.managePeople'),
        roleInTeam(tx, id, userId),
        findOtherOwner(tx, id, userId),
        // Nobody is demoted to owner.
        role === 'owner' ? [] : invitesToRevoke(tx, id, userId, role),
      ]);
      if (before === null) throw notFound('member');
      enforceCanManage(team.role, [before, role]);
      if (role === before) return;
      if (role === 'owner') await assertMayOwnAnother(tx, userId, this.config);
      else if (otherOwner === null) throw lastOwner();
      setTeamRole(tx, id, userId, role);
      const action = 'member.role_changed';
      const isDemoted = userId !== actor.id && isAtLeast(before, role);
      const revoked = isDemoted ? preventReentry(tx, id, inviteIds, action) : [];
      const details = { from: before, to: role, inviteCodeRenewed: isDemoted };
      record(tx, id, actor, { action, ...onUser(userId), details }, ...revoked);
    }, by);
  }
}
