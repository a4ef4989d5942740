import type { Config } from '../../config/config.js';
import type { Transaction } from '../../database/database.js';
import { forbidden } from '../../errors/domain-error.js';
import { countOwnedTeams } from './team-members.repository.js';

/**
 * Lets somebody become the owner of one more team. The transaction must hold their record exclusively
 * (UsersRepository.lockExclusive()), so that nobody else counts at the same time.
 * @throws DomainError forbidden: they own TEAMS_PER_OWNER teams
 */
export async function assertMayOwnAnother(
  tx: Transaction,
  userId: string,
  { teamsPerOwner }: Config,
): Promise<void> {
  if (teamsPerOwner === 0 || (await countOwnedTeams(tx, userId)) < teamsPerOwner) return;
  throw tooManyTeams(teamsPerOwner);
}

export const tooManyTeams = (most: number) =>
  forbidden(
    `a person can own at most ${most} teams: make someone else an owner of one and leave it`,
  );
