import { isAtLeast, type TeamRole } from '../../access/roles.js';
import { UsersRepository } from '../../auth/users.repository.js';
import type { Config } from '../../config/config.js';
import { Database, type Transaction } from '../../database/database.js';
import { DomainError } from '../../errors/domain-error.js';
import { InvitesRepository } from '../../teams/invites/invites.repository.js';
import { InvitesByEmailRepository } from '../../teams/invites/invites-by-email.repository.js';
import { ReentryService } from '../../teams/members/reentry.service.js';
import { lastOwner } from '../../teams/members/team-member.js';
import { TeamMembersRepository } from '../../teams/members/team-members.repository.js';
import { takeMembershipLock } from '../../teams/membership-lock.repository.js';
import { limitReached } from '../../teams/team.js';
import { TeamUsageRepository } from '../../teams/team-usage.repository.js';
import { TeamsRepository } from '../../teams/teams.repository.js';

/** Who is to become a member, of which team. */
export interface NewMember {
  /** The team's slug. */
  team: string;
  /** `iss` of their tokens; '' for tokens without one. */
  issuer: string;
  /** `sub` of their tokens. */
  subject: string;
  /** What to call them until their first request says it. */
  name: string;
  role: TeamRole;
  /** True: one who is a member already gets the role, too. */
  changeRole: boolean;
}

/** Bytes of an issuer and of a subject, as in tokens. */
const MAX_IDENTITY = 1024;

/** Lets people and services into teams, while the service runs. */
export class MemberAddition {
  private readonly database: Database;
  private readonly users: UsersRepository;
  private readonly teams: TeamsRepository;
  private readonly members: TeamMembersRepository;
  private readonly reentry: ReentryService;
  private readonly usage = new TeamUsageRepository();

  constructor(config: Config) {
    this.database = new Database(config);
    this.users = new UsersRepository(this.database);
    this.teams = new TeamsRepository(config);
    this.members = new TeamMembersRepository(this.database);
    this.reentry = new ReentryService(
      this.teams,
      this.members,
      new InvitesRepository(this.database),
      new InvitesByEmailRepository(this.database),
    );
  }

  /**
   * Makes somebody a member, as joining does: behind the membership lock, with exact counters.
   * @returns a sentence about what was done
   * @throws Error with a sentence: no such team, the plan's limit, another role, the last owner
   */
  async add(member: NewMember): Promise<string> {
    assertPossible('subject', member.subject);
    if (member.issuer !== '') assertPossible('issuer', member.issuer);
    try {
      return await this.database.transaction((tx) => this.addIn(tx, member), {});
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw new Error(`Nothing was changed in ${member.team}: ${error.message}.`);
    }
  }

  close(): Promise<void> {
    return this.database.onApplicationShutdown();
  }

  private async addIn(tx: Transaction, member: NewMember): Promise<string> {
    const { team: slug, issuer, subject, name, role, changeRole } = member;
    const row = await tx.team.findUnique({ where: { slug }, select: { id: true } });
    if (row === null) throw new Error(`There is no team with the slug "${slug}".`);
    // Users come before teams in the order of locks.
    const userId = await this.users.recordUnknown(tx, { issuer, subject, name });
    await takeMembershipLock(tx, row.id);
    const team = await this.teams.find(tx, row.id, userId);
    if (team === null) throw new Error(`There is no team with the slug "${slug}" any more.`);
    if (team.role === null) {
      await this.members.add(tx, team.id, userId, role);
      if (!(await this.usage.grow(tx, team, 'users'))) throw limitReached(team, 'users');
      return `${subject} is in ${slug} now, as ${role}.`;
    }
    if (team.role === role) return `${subject} is in ${slug} already, as ${role}.`;
    if (!changeRole) {
      throw new Error(
        `${subject} is in ${slug} already, as ${team.role}; --change-role makes that ${role}.`,
      );
    }
    await this.members.setRole(tx, team.id, userId, role);
    if ((await this.members.firstOwner(tx, team.id)) === null) throw lastOwner();
    if (isAtLeast(team.role, role)) await this.reentry.prevent(tx, team.id, userId, role);
    return `${subject} is in ${slug} as ${role} now, and was ${team.role}.`;
  }
}

function assertPossible(what: string, text: string): void {
  if (text === '' || Buffer.byteLength(text) > MAX_IDENTITY || !text.isWellFormed()) {
    throw new Error(`The ${what} must be a text of 1 to ${MAX_IDENTITY} bytes.`);
  }
}
