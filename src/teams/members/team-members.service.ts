import { Inject, Injectable } from '@nestjs/common';
import { canManage, enforceCanManage, isAtLeast } from '../../access/decide.js';
import { TEAM_ROLES, type TeamRole } from '../../access/roles.js';
import { type NewEntry, onInvite, onUser, record } from '../../audit/audit-entries.repository.js';
import type { Actor } from '../../auth/actor.js';
import { lockUserExclusive } from '../../auth/users.repository.js';
import { UsersService } from '../../auth/users.service.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import { Database, type Transaction } from '../../database/database.js';
import { timeOf } from '../../database/time.js';
import { notFound } from '../../errors/domain-error.js';
import type { Listed, PageRequest } from '../../http/pagination.js';
import { withIdempotencyKey } from '../../idempotency/idempotency-keys.repository.js';
import type { IdempotentWrite } from '../../idempotency/idempotent-write.js';
import { lastOwner, memberAlready } from '../errors.js';
import { pendingInvitesOf, revokeInvites } from '../invites/invites.repository.js';
import { asSeenBy, type FoundTeam, newInviteCode, type Team, type TeamRef } from '../team.js';
import { TeamReadsRepository } from '../team-reads.repository.js';
import { growUsage } from '../team-usage.repository.js';
import { lockByInviteCode, setInviteCode } from '../teams.repository.js';
import { TeamsService } from '../teams.service.js';
import {
  addToTeam,
  assertMayOwnAnother,
  findOtherOwner,
  roleInTeam,
  setTeamRole,
  TEAM_MEMBERS,
  type TeamMember,
} from './team-members.repository.js';

/** The people of a team: how they become members, and their roles. */
@Injectable()
export class TeamMembersService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
    private readonly reads: TeamReadsRepository,
    private readonly users: UsersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The longest-standing first. @throws DomainError not_found, forbidden */
  list(actor: Actor, ref: TeamRef, page: PageRequest): Promise<Listed<TeamMember>> {
    return this.teams.listForAction<TeamMember>(actor, ref, 'team.listMembers', TEAM_MEMBERS, page);
  }

  /**
   * Makes the caller a member of the team that has this invite code.
   * @throws DomainError not_found: no such code; conflict: a member already; forbidden: plan limit
   */
  joinByCode(actor: Actor, inviteCode: string, write: IdempotentWrite<Team> | null): Promise<Team> {
    const work = withIdempotencyKey(write, {}, async (tx) => {
      const [, id] = await Promise.all([
        this.users.lockShared(tx, actor),
        lockByInviteCode(tx, inviteCode),
      ]);
      const team = id === null ? null : await this.reads.findIn(tx, id, actor.id);
      if (team === null) throw notFound('team with this invite code');
      const details = { role: 'member', by: 'code' } as const;
      record(tx, team.id, actor, { action: 'member.joined', ...onUser(actor.id), details });
      return this.admit(tx, actor, team, 'member');
    });
    // All who come by one code wait for the lock of one team.
    return this.database.transaction(work, { callerId: actor.id, purpose: inviteCode });
  }

  /**
   * Adds the caller to a team, in a transaction that holds the caller's record and has the membership
   * lock.
   * @param team as it was read under the lock
   * @throws DomainError conflict: a member already; forbidden: plan limit
   */
  admit(tx: Transaction, actor: Actor, team: FoundTeam, role: TeamRole): Team {
    if (team.role !== null) throw memberAlready();
    addToTeam(tx, team.id, actor.id, role);
    growUsage(tx, team, 'users');
    const usage = { ...team.usage, users: team.usage.users + 1 };
    return asSeenBy(actor, { ...team, role, usage });
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
      const [, team, before, otherOwner, inviteIds, now] = await Promise.all([
        // Users come before teams in the order of locks.
        role === 'owner' && lockUserExclusive(tx, userId),
        this.teams.lockForAction(tx, actor, id, 'team.managePeople'),
        roleInTeam(tx, id, userId),
        findOtherOwner(tx, id, userId),
        // Nobody is demoted to owner.
        role === 'owner' ? [] : invitesToRevoke(tx, id, userId, role),
        timeOf(tx),
      ]);
      if (before === null) throw notFound('member');
      enforceCanManage(team.role, [before, role]);
      if (role === before) return;
      if (role === 'owner') await assertMayOwnAnother(tx, userId, this.config);
      else if (otherOwner === null) throw lastOwner();
      setTeamRole(tx, id, userId, role);
      const action = 'member.role_changed';
      const isDemoted = userId !== actor.id && isAtLeast(before, role);
      const revoked = isDemoted ? preventReentry(tx, id, inviteIds, action, now) : [];
      const details = { from: before, to: role, inviteCodeRenewed: isDemoted };
      record(tx, id, actor, { action, ...onUser(userId), details }, ...revoked);
    }, by);
  }
}

// What keeps people from coming back, or from regaining a role, after somebody else took it away.

/**
 * The pending invites that somebody sent and could not send with the role that is left, and those to
 * their own email. The transaction must hold the membership lock.
 * @param role what is left; null: they are not in the team any more
 * @returns their ids
 */
export function invitesToRevoke(
  tx: Transaction,
  teamId: string,
  userId: string,
  role: TeamRole | null,
): Promise<string[]> {
  const kept = TEAM_ROLES.filter((invited) => role !== null && canManage(role, [invited]));
  return pendingInvitesOf(tx, teamId, userId, kept);
}

/**
 * Renews the team's invite code, which the person may know, and revokes invites, in the transaction
 * that removes or demotes them.
 * @param inviteIds from invitesToRevoke()
 * @returns what is to be recorded about the invites
 */
export function preventReentry(
  tx: Transaction,
  teamId: string,
  inviteIds: string[],
  because: 'member.removed' | 'member.role_changed',
  now: Date,
): NewEntry[] {
  setInviteCode(tx, teamId, newInviteCode(), now);
  revokeInvites(tx, teamId, inviteIds);
  return inviteIds.map((id) => ({
    action: 'invite.revoked',
    ...onInvite(id),
    details: { because },
  }));
}
