import { Injectable } from '@nestjs/common';
import { enforceCanManage } from '../../access/decide.js';
import {
  type Author,
  byService,
  type NewEntry,
  onUser,
  record,
} from '../../audit/audit-entries.repository.js';
import type { Actor } from '../../auth/actor.js';
import { Database, type Transaction } from '../../database/database.js';
import { timeOf } from '../../database/time.js';
import { notFound } from '../../errors/domain-error.js';
import { lastOwner } from '../../teams/errors.js';
import {
  findOtherOwner,
  removeFromTeam,
  roleInTeam,
} from '../../teams/members/team-members.repository.js';
import { invitesToRevoke, preventReentry } from '../../teams/members/team-members.service.js';
import type { TeamRef } from '../../teams/team.js';
import { shrinkUsage } from '../../teams/team-usage.repository.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type Succession, setWorkspaceRoles, successors } from './workspace-members.repository.js';

/** Takes people out of a team, and with that out of its workspaces. */
@Injectable()
export class MemberRemovalService {
  constructor(
    private readonly database: Database,
    private readonly teams: TeamsService,
  ) {}

  /**
   * Takes someone out of a team and all its workspaces; everyone may leave. What becomes of private
   * workspaces: see removeMember(). Somebody who is removed by another loses what would lead back: see
   * preventReentry().
   * @throws DomainError forbidden; not_found: team or member; conflict: the last owner
   */
  async remove(actor: Actor, ref: TeamRef, userId: string): Promise<void> {
    const leaves = userId === actor.id;
    const action = leaves ? 'team.leave' : 'team.managePeople';
    const { id } = await this.teams.forAction(actor, ref, action);
    const by = { callerId: actor.id, teamId: id };
    await this.database.transaction(async (tx) => {
      const [team, role, removal, inviteIds, now] = await Promise.all([
        this.teams.lockForAction(tx, actor, id, action),
        roleInTeam(tx, id, userId),
        loadRemoval(tx, id, userId),
        leaves ? [] : invitesToRevoke(tx, id, userId, null),
        timeOf(tx),
      ]);
      if (role === null) throw notFound('member');
      if (!leaves) enforceCanManage(team.role, [role]);
      const about = onUser(userId);
      if (leaves) {
        const left = { action: 'member.left', ...about, details: { role } } as const;
        return removeMember(tx, id, userId, removal, actor, [left]);
      }
      const details = { role, inviteCodeRenewed: true } as const;
      const removed = { action: 'member.removed', ...about, details } as const;
      const revoked = preventReentry(tx, id, inviteIds, removed.action, now);
      removeMember(tx, id, userId, removal, actor, [removed, ...revoked]);
    }, by);
  }
}

/** What decides whether a member may go, and who succeeds them. */
export interface RemovalContext {
  /** The longest-standing owner but this member; null: there is none. */
  otherOwner: string | null;
  successions: Succession[];
}

/** What removeMember() depends on, in a transaction that holds the membership lock. */
export async function loadRemoval(
  tx: Transaction,
  teamId: string,
  userId: string,
): Promise<RemovalContext> {
  const [otherOwner, successions] = await Promise.all([
    findOtherOwner(tx, teamId, userId),
    successors(tx, teamId, userId),
  ]);
  return { otherOwner, successions };
}

/**
 * Takes a member out of a team and all its workspaces. A private workspace that loses its last editor
 * gets another one: its longest-standing other member, else the team's longest-standing owner.
 * @param context from loadRemoval(), in the same transaction
 * @param entries what is recorded about it
 * @throws DomainError conflict: the last owner
 */
export function removeMember(
  tx: Transaction,
  teamId: string,
  userId: string,
  { otherOwner, successions }: RemovalContext,
  author: Author,
  entries: NewEntry[],
): void {
  if (otherOwner === null) throw lastOwner();
  const action = 'workspace_member.promoted';
  const role = 'editor';
  const promotions = successions.map((succession): NewEntry => {
    const { workspaceId, userId: successor } = succession;
    const promoted = successor ?? otherOwner;
    setWorkspaceRoles(tx, { id: workspaceId, teamId }, [{ userId: promoted, role }]);
    return { action, ...onUser(promoted, workspaceId), details: { role } };
  });
  removeFromTeam(tx, teamId, userId);
  record(tx, teamId, author, ...entries);
  record(tx, teamId, byService(author), ...promotions);
  shrinkUsage(tx, teamId, { users: 1 });
}
