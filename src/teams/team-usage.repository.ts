import { Injectable } from '@nestjs/common';
import type { Limits, Resource } from '../config/plan-limits.js';
import type { Transaction } from '../database/database.js';
import type { FoundTeam } from './team.js';

/** What is counted: collections are limited as pages are, and not shown. */
type Usage = Limits & { collections: number };

/**
 * The counters of a team: they equal the rows at every commit. All writers of a team share the row:
 * change it last, right before the commit.
 */
@Injectable()
export class TeamUsageRepository {
  /**
   * Counts one more, unless that passes the plan's limit.
   * @returns false where it does
   */
  async grow(
    tx: Transaction,
    { id, limit }: Pick<FoundTeam, 'id' | 'limit'>,
    resource: Resource,
  ): Promise<boolean> {
    const most = limit[resource];
    const { count } = await tx.teamUsage.updateMany({
      where: { teamId: id, ...(most !== 0 && { [resource]: { lt: most } }) },
      data: { [resource]: { increment: 1 } },
    });
    return count === 1;
  }

  /** Counts what is gone. */
  async shrink(
    tx: Transaction,
    teamId: string,
    { pages = 0, users = 0, workspaces = 0, collections = 0 }: Partial<Usage>,
  ): Promise<void> {
    await tx.teamUsage.update({
      where: { teamId },
      data: {
        pages: { decrement: pages },
        users: { decrement: users },
        workspaces: { decrement: workspaces },
        collections: { decrement: collections },
      },
      select: { teamId: true },
    });
  }
}
