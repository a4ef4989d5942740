import { UsersRepository } from '../../auth/users.repository.js';
import type { Config } from '../../config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { DomainError } from '../../errors/domain-error.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { takeMembershipLock } from '../../teams/membership-lock.repository.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { MemberDeparture } from '../../workspaces/members/member-departure.js';
import { WorkspaceMembersRepository } from '../../workspaces/members/workspace-members.repository.js';

/** How much of somebody is gone. */
export interface Erased {
  memberships: number;
  invites: number;
  answers: number;
}

interface TeamRow {
  id: string;
  slug: string;
}

/** Forgets people, whole or not at all, while the service runs. */
export class Erasure {
  private readonly database: Database;
  private readonly users: UsersRepository;
  private readonly departure: MemberDeparture;

  constructor(config: Config) {
    this.database = new Database(config);
    this.users = new UsersRepository(this.database);
    this.departure = new MemberDeparture(
      new TeamMembersRepository(this.database),
      new WorkspaceMembersRepository(this.database),
      new TeamUsageRepository(),
    );
  }

  /**
   * Ends the memberships of a person or a service, and replaces what is recorded of them.
   * @returns null: nobody is recorded under this issuer and subject
   * @throws Error naming the teams that they are the last owner of: nothing was changed
   */
  person(issuer: string, subject: string): Promise<Erased | null> {
    return this.database.transaction(async (tx) => {
      const user = await this.users.lockForErasure(tx, issuer, subject);
      if (user === null) return null;
      // An address that is not known to be theirs may be somebody else's, and so may its invites.
      const email = user.emailVerified ? user.email : null;
      const memberships = await teamsOf(tx, user.id);
      await lockAll(tx, [...memberships, ...(await teamsInviting(tx, email))]);
      const left = await this.leave(tx, user.id, memberships);
      const invites = await deleteInvites(tx, email);
      const { count: answers } = await tx.idempotencyKey.deleteMany({ where: { userId: user.id } });
      await this.users.erase(tx, user.id);
      return { memberships: left, invites, answers };
    });
  }

  /** Deletes the invites to an address, in any letter case. @returns how many */
  invitesTo(email: string): Promise<number> {
    return this.database.transaction(async (tx) => {
      await lockAll(tx, await teamsInviting(tx, email));
      return deleteInvites(tx, email);
    });
  }

  close(): Promise<void> {
    return this.database.onApplicationShutdown();
  }

  /** Goes through all teams before it refuses, so that the operator learns of all at once. */
  private async leave(tx: Transaction, userId: string, teams: TeamRow[]): Promise<number> {
    const ownedAlone: string[] = [];
    let left = 0;
    for (const { id, slug } of teams) {
      const where = { teamId_userId: { teamId: id, userId } };
      // Somebody else may have taken them out before the lock was ours.
      if ((await tx.teamMember.findUnique({ where, select: { role: true } })) === null) continue;
      try {
        await this.departure.depart(tx, id, userId);
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
    SELECT DISTINCT team_id::text AS id FROM team_invites WHERE lower(email) = lower(${email}::text)`;
}

const deleteInvites = (tx: Transaction, email: string | null): Promise<number> =>
  tx.$executeRaw`DELETE FROM team_invites WHERE lower(email) = lower(${email}::text)`;

/** In the order of their ids, so that two commands do not wait for each other. */
async function lockAll(tx: Transaction, teams: { id: string }[]): Promise<void> {
  const ids = new Set(teams.map(({ id }) => id));
  for (const id of [...ids].sort()) await takeMembershipLock(tx, id);
}
