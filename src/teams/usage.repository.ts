import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { PLANS, type Plan, type Resource } from '../config/plan-limits.js';
import type { RawTransaction } from '../database/raw-transaction.js';
import { forbidden, notFound } from '../errors/domain-error.js';
import { Prisma } from '../generated/prisma/client.js';

const COLUMNS: Record<Resource, Prisma.Sql> = {
  pages: Prisma.raw('pages'),
  users: Prisma.raw('users'),
  workspaces: Prisma.raw('workspaces'),
};

/** The counters of a team: they equal the rows at every commit, and never pass the plan's limit. */
@Injectable()
export class UsageRepository {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Adds `delta` to a counter, within the transaction that makes or deletes the rows. The team's row
   * is shared by all writers: call this last, right before the commit.
   * @throws DomainError forbidden where growth would pass the plan's limit
   */
  async change(
    tx: RawTransaction,
    teamId: string,
    resource: Resource,
    delta: number,
  ): Promise<void> {
    if (delta === 0) return;
    const column = COLUMNS[resource];
    const changed = await tx.$executeRaw`
      UPDATE team_usage SET ${column} = ${column} + ${delta}::int
      WHERE team_id = ${teamId}::uuid
        AND (${delta}::int < 0 OR ${this.limitOf(resource)} = 0 OR ${column} + ${delta}::int <= ${this.limitOf(resource)})`;
    if (changed === 0) throw await this.refusal(tx, teamId, resource);
  }

  private limitOf(resource: Resource): Prisma.Sql {
    const cases = PLANS.map(
      (plan) => Prisma.sql`WHEN ${plan} THEN ${this.config.planLimits[plan][resource]}::int`,
    );
    return Prisma.sql`(SELECT CASE plan ${Prisma.join(cases, ' ')} END FROM teams WHERE id = team_id)`;
  }

  private async refusal(tx: RawTransaction, teamId: string, resource: Resource): Promise<Error> {
    const [team] = await tx.$queryRaw<{ plan: Plan }[]>`
      SELECT plan FROM teams WHERE id = ${teamId}::uuid`;
    if (!team) return notFound('team');
    const limit = this.config.planLimits[team.plan][resource];
    return forbidden(
      `the ${team.plan} plan's limit of ${limit} ${resource} (limit.${resource}) is reached`,
    );
  }
}
