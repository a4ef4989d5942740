import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.module.js';
import type { Transaction } from '../../database/database.js';
import { forbidden } from '../../errors/domain-error.js';
import { TeamMembersRepository } from './team-members.repository.js';

/** How many teams a person owns. */
@Injectable()
export class Ownership {
  constructor(
    private readonly members: TeamMembersRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Lets somebody become the owner of one more team. The transaction must hold their record alone
   * (UsersRepository.holdAlone()), so that nobody else counts at the same time.
   * @throws DomainError forbidden: they own TEAMS_PER_OWNER teams
   */
  async assertRoom(tx: Transaction, userId: string): Promise<void> {
    const most = this.config.teamsPerOwner;
    if (most === 0 || (await this.members.countOwned(tx, userId)) < most) return;
    throw tooManyTeams(most);
  }
}

export const tooManyTeams = (most: number) =>
  forbidden(
    `a person can own at most ${most} teams: make someone else an owner of one and leave it`,
  );
