import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/database.js';

/**
 * Lets one change at a time through to who is in a team and in its workspaces, so that «the last
 * owner» and «the last editor» are counted by one at a time.
 *
 * Order of locks, for all: this gate, then workspace rows, then the team's row (its counters).
 */
@Injectable()
export class PeopleGate {
  /** Waits for the team's gate and holds it until the transaction ends. Take it before reading. */
  async close(tx: Transaction, teamId: string): Promise<void> {
    // The function answers void, which the driver cannot read: hence the cast.
    await tx.$queryRaw`
      SELECT pg_advisory_xact_lock(hashtextextended(${teamId}, 7))::text`;
  }
}
