import { record } from '../../audit/audit-entries.repository.js';
import { OPERATOR, onInvite, onUser } from '../../audit/audit-entry.js';
import type { Config } from '../../config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { DomainError } from '../../errors/domain-error.js';
import { roleInTeam } from '../../teams/members/team-members.repository.js';
import { newInviteCode } from '../../teams/team.js';
import { setInviteCode, takeMembershipLock } from '../../teams/teams.repository.js';
import { loadRemoval, removeMember } from '../../workspaces/members/member-removal.service.js';
import {
  deleteInvites,
  deleteInvitesBy,
  deleteResponses,
  type ErasedInvite,
  eraseUser,
  lockForErasure,
  type TeamRow,
  teamsInvitedBy,
  teamsInviting,
  teamsOf,
} from './erased-rows.js';

/** What was deleted. */
export interface Erased {
  memberships: number;
  invites: number;
  responses: number;
}

const BY_OPERATOR = { purpose: 'erase' };

/** Erases people, completely or not at all, while the service runs. */
export class Erasure {
  private readonly database: Database;

  constructor(config: Config) {
    this.database = new Database(config);
  }

  /**
   * Ends the memberships of a person or a service, and replaces what is recorded of them.
   * @returns null: nobody is recorded under this issuer and subject
   * @throws Error naming the teams that they are the last owner of: nothing was changed
   */
  person(issuer: string, subject: string): Promise<Erased | null> {
    return this.database.transaction(async (tx) => {
      // First, by the order of locks: nobody makes them a member, and they invite nobody, from now on.
      const user = await lockForErasure(tx, issuer, subject);
      if (user === null) return null;
      // An address that is not known to be theirs may be somebody else's, and so may its invites.
      const email = user.emailVerified ? user.email : null;
      const memberships = await teamsOf(tx, user.id);
      const inviting = await teamsInviting(tx, email);
      const invited = await teamsInvitedBy(tx, user.id);
      lockAll(tx, [...memberships, ...inviting, ...invited]);
      const left = await this.leave(tx, user.id, memberships);
      const invites = [
        ...(await deleteInvites(tx, email)),
        ...(await deleteInvitesBy(tx, user.id)),
      ];
      recordRevoked(tx, invites);
      const responses = await deleteResponses(tx, user.id);
      eraseUser(tx, user.id);
      return { memberships: left, invites: invites.length, responses };
    }, BY_OPERATOR);
  }

  /** Deletes the invites to an address, in any letter case. @returns how many */
  invitesTo(email: string): Promise<number> {
    return this.database.transaction(async (tx) => {
      lockAll(tx, await teamsInviting(tx, email));
      const invites = await deleteInvites(tx, email);
      recordRevoked(tx, invites);
      return invites.length;
    }, BY_OPERATOR);
  }

  close(): Promise<void> {
    return this.database.onApplicationShutdown();
  }

  /** Checks all teams before it fails, so that the error names all of them. */
  private async leave(tx: Transaction, userId: string, teams: TeamRow[]): Promise<number> {
    const ownedAlone: string[] = [];
    let left = 0;
    for (const { id, slug } of teams) {
      // Somebody else may have removed them before the lock was acquired.
      const role = await roleInTeam(tx, id, userId);
      if (role === null) continue;
      try {
        // Everyone who could see the code still has it.
        setInviteCode(tx, id, newInviteCode());
        const removal = await loadRemoval(tx, id, userId);
        const details = { role, inviteCodeRenewed: true } as const;
        const removed = { action: 'member.removed', ...onUser(userId), details } as const;
        removeMember(tx, id, userId, removal, OPERATOR, [removed]);
        left++;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        ownedAlone.push(slug);
      }
    }
    if (ownedAlone.length > 0) {
      throw new Error(
        `Nothing was erased: they are the last owner of ${ownedAlone.join(', ')}. Make somebody else an owner first.`,
      );
    }
    return left;
  }
}

/** Records that invites which somebody could still accept are gone. */
function recordRevoked(tx: Transaction, invites: ErasedInvite[]): void {
  for (const { id, teamId, state } of invites) {
    if (state !== 'pending') continue;
    record(tx, teamId, OPERATOR, { action: 'invite.revoked', ...onInvite(id), details: {} });
  }
}

/** In the order of their ids, so that two commands do not deadlock. */
function lockAll(tx: Transaction, teams: { id: string }[]): void {
  const ids = new Set(teams.map(({ id }) => id));
  for (const id of [...ids].sort()) takeMembershipLock(tx, id);
}
