import { UsersRepository } from '../../auth/users.repository.js';
import type { Config } from '../../config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { DomainError } from '../../errors/domain-error.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { takeMembershipLock } from '../../teams/membership-lock.repository.js';
import { newInviteCode } from '../../teams/team.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { TeamsRepository } from '../../teams/teams.repository.js';
import { MemberRemoval } from '../../workspaces/members/member-removal.js';
import { WorkspaceMembersRepository } from '../../workspaces/members/workspace-members.repository.js';

/** How much of somebody is gone. */
export interface Erased {
  memberships: number;
  invites: number;
  answers: number;
}

const BY_OPERATOR = { purpose: 'erase' };

interface TeamRow {
  id: string;
  slug: string;
}

/** Forgets people, whole or not at all, while the service runs. */
export class Erasure {
  private readonly database: Database;
  private readonly users: UsersRepository;
  private readonly members: TeamMembersRepository;
  private readonly removal: MemberRemoval;
  private readonly teams: TeamsRepository;

  constructor(config: Config) {
    this.database = new Database(config);
    this.users = new UsersRepository(this.database);
    this.members = new TeamMembersRepository(this.database);
    this.removal = new MemberRemoval(
      this.members,
      new WorkspaceMembersRepository(this.database),
      new TeamUsageRepository(),
    );
    this.teams = new TeamsRepository(config);
  }

  /**
   * Ends the memberships of a person or a service, and replaces what is recorded of them.
   * @returns null: nobody is recorded under this issuer and subject
   * @throws Error naming the teams that they are the last owner of: nothing was changed
   */
  person(issuer: string, subject: string): Promise<Erased | null> {
    return this.database.transaction(async (tx) => {
      // First, by the order of locks: nobody makes them a member, and they invite nobody, from now on.
      const user = await this.users.lockForErasure(tx, issuer, subject);
      if (user === null) return null;
      // An address that is not known to be theirs may be somebody else's, and so may its invites.
      const email = user.emailVerified ? user.email : null;
      const memberships = await teamsOf(tx, user.id);
      const inviting = await teamsInviting(tx, email);
      const invited = await teamsInvitedBy(tx, user.id);
      await lockAll(tx, [...memberships, ...inviting, ...invited]);
      const left = await this.leave(tx, user.id, memberships);
      const invites = (await deleteInvites(tx, email)) + (await deleteInvitesBy(tx, user.id));
      const answers = await deleteAnswers(tx, user.id);
      await this.users.erase(tx, user.id);
      return { memberships: left, invites, answers };
    }, BY_OPERATOR);
  }

  /** Deletes the invites to an address, in any letter case. @returns how many */
  invitesTo(email: string): Promise<number> {
    return this.database.transaction(async (tx) => {
      await lockAll(tx, await teamsInviting(tx, email));
      return deleteInvites(tx, email);
    }, BY_OPERATOR);
  }

  close(): Promise<void> {
    return this.database.onApplicationShutdown();
  }

  /** Goes through all teams before it refuses, so that the operator learns of all at once. */
  private async leave(tx: Transaction, userId: string, teams: TeamRow[]): Promise<number> {
    const ownedAlone: string[] = [];
    let left = 0;
    for (const { id, slug } of teams) {
      // Somebody else may have taken them out before the lock was ours.
      if ((await this.members.roleOf(tx, id, userId)) === null) continue;
      try {
        // Whoever could see the code has it still.
        await this.teams.setInviteCode(tx, id, newInviteCode());
        await this.removal.remove(tx, id, userId);
        left++;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        ownedAlone.push(slug);
      }
    }
    if (ownedAlone.length > 0) {
      throw new Error(
        `Nothing was erased: this is the last owner of ${ownedAlone.join(', ')}. Make somebody else one first.`,
      );
    }
    return left;
  }
}

const teamsOf = (tx: Transaction, userId: string): Promise<TeamRow[]> =>
  tx.team.findMany({
    where: { members: { some: { userId } } },
    select: { id: true, slug: true },
    orderBy: { slug: 'asc' },
  });

/** The teams with invites to this address, in any state; null: no address. */
async function teamsInviting(tx: Transaction, email: string | null): Promise<{ id: string }[]> {
  return tx.$queryRaw`
    SELECT DISTINCT team_id::text AS id FROM team_invites
    WHERE lower(email COLLATE "C") = lower(${email}::text COLLATE "C")`;
}

/** Deletes the invites to this address, and the record of when it was mailed. @returns how many */
async function deleteInvites(tx: Transaction, email: string | null): Promise<number> {
  await tx.$executeRaw`
    DELETE FROM mail_sends WHERE address = lower(${email}::text COLLATE "C")`;
  return tx.$executeRaw`
    DELETE FROM team_invites WHERE lower(email COLLATE "C") = lower(${email}::text COLLATE "C")`;
}

/** The teams with pending invites that this person sent, also those that the person has left. */
const teamsInvitedBy = (tx: Transaction, invitedBy: string): Promise<{ id: string }[]> =>
  tx.team.findMany({
    where: { invites: { some: { invitedBy, state: 'pending' } } },
    select: { id: true },
  });

async function deleteInvitesBy(tx: Transaction, invitedBy: string): Promise<number> {
  const { count } = await tx.teamInvite.deleteMany({ where: { invitedBy, state: 'pending' } });
  return count;
}

/** Passes over what a request of theirs holds: it may itself wait for the lock of their record. */
const deleteAnswers = (tx: Transaction, userId: string): Promise<number> => tx.$executeRaw`
  DELETE FROM idempotency_keys WHERE user_id = ${userId}::uuid AND key IN (
    SELECT key FROM idempotency_keys WHERE user_id = ${userId}::uuid FOR UPDATE SKIP LOCKED
  )`;

/** In the order of their ids, so that two commands do not wait for each other. */
async function lockAll(tx: Transaction, teams: { id: string }[]): Promise<void> {
  const ids = new Set(teams.map(({ id }) => id));
  for (const id of [...ids].sort()) await takeMembershipLock(tx, id);
}
