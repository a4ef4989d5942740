import type pg from 'pg';
import { wasLost } from './driver-errors.js';
import { LaneError } from './errors.js';
import { GateTimeout } from './fair-gate.js';
import type { GatedPool, OnBehalfOf } from './gated-pool.js';
import type { PipelinedClient } from './pipelined-reads.js';
import { PipelinedTransaction, type Rows, type Statement } from './pipelined-transaction.js';
import { DISCARD_PLANS, shouldDiscardPlans } from './service-client.js';
import { TIMEOUTS } from './timeouts.js';

/** Whose rows are written. */
export type WriteOnBehalfOf = OnBehalfOf & { teamId: string };

interface Write {
  by: WriteOnBehalfOf;
  statement: Statement;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

/** Statements that are committed together, at most. */
const MAX_GROUP = 16;

/** Where groups wait for a connection. */
const QUEUE = 'shared commits';

/** In a commit of several teams, nobody waits for the lock of another for longer than this. */
const SHORT_WAIT: Statement = [
  { name: 'database.shortWait', text: "SELECT set_config('lock_timeout', '100ms', true)" },
  [],
];

/**
 * Group commit of statements that are transactions of their own, each of one team: what waits for a
 * connection goes in one message and one commit. Where nothing waits, each goes alone, at once.
 *
 * One statement for each team, in the order of the teams, so that no two groups wait for each other.
 * What is refused in a group, or would wait for a lock, runs individually, and so does what a team writes
 * that holds as many connections as it may: only a write that is alone waits for a lock, and counts.
 */
export class SharedCommits {
  private readonly waiting: Write[] = [];
  private isConnecting = false;

  /** @param pool clients in pipeline mode */
  constructor(private readonly pool: GatedPool) {}

  /**
   * Runs one statement that writes rows of a team, as a transaction of its own.
   * @throws LaneError outcome_unknown
   */
  write(by: WriteOnBehalfOf, statement: Statement): Promise<Rows> {
    if (!this.pool.hasRoomFor(by)) return this.commitSeparately(by, statement);
    return new Promise((resolve, reject) => {
      this.waiting.push({ by, statement, resolve, reject });
      if (!this.isConnecting) void this.commitNextGroup();
    });
  }

  private async commitSeparately(by: WriteOnBehalfOf, statement: Statement): Promise<Rows> {
    return commitOne(await this.pool.connect(by, TIMEOUTS.lock), statement);
  }

  private async commitNextGroup(): Promise<void> {
    this.isConnecting = true;
    // It may have to wait as long for a lock.
    const connecting = this.pool.connectWithin(QUEUE, [], TIMEOUTS.lock);
    const connected = await connecting.catch((error: unknown) => {
      const reason = error instanceof GateTimeout ? new LaneError('busy', error) : error;
      for (const { reject } of this.waiting.splice(0)) reject(reason);
    });
    this.isConnecting = false;
    if (!connected) return;
    const group = this.take();
    if (this.waiting.length > 0) void this.commitNextGroup();
    const [first, ...others] = group;
    if (!first) return connected.release();
    // It waited: meanwhile its team may have got as many connections as it may hold.
    if (others.length > 0 || !this.pool.hasRoomFor(first.by)) {
      return this.commitGroup(connected, group);
    }
    const end = this.pool.hold(first.by);
    settle(first, commitOne(connected, first.statement).finally(end));
  }

  /** The first that wait, one of each team, in the order of the teams. */
  private take(): Write[] {
    const group = new Map<string, Write>();
    for (const write of this.waiting) {
      const { teamId } = write.by;
      if (group.size < MAX_GROUP && !group.has(teamId)) group.set(teamId, write);
    }
    const taken = new Set(group.values());
    const left = this.waiting.filter((write) => !taken.has(write));
    this.waiting.splice(0, this.waiting.length, ...left);
    return [...taken].sort((a, b) => (a.by.teamId < b.by.teamId ? -1 : 1));
  }

  private async commitGroup(client: pg.PoolClient, group: Write[]): Promise<void> {
    const tx = new PipelinedTransaction(client as unknown as PipelinedClient);
    try {
      const [, ...rows] = await tx.commit([SHORT_WAIT, ...group.map(({ statement }) => statement)]);
      for (const [n, { resolve }] of group.entries()) resolve(rows[n] as Rows);
    } catch (error) {
      for (const write of group) {
        if (error instanceof LaneError) write.reject(error);
        else settle(write, this.commitSeparately(write.by, write.statement));
      }
    } finally {
      client.release(await tx.close());
    }
  }
}

async function commitOne(
  client: pg.PoolClient,
  [{ name, text }, values]: Statement,
): Promise<Rows> {
  let broken: Error | undefined;
  try {
    if (shouldDiscardPlans(client, 1)) client.query(DISCARD_PLANS).catch(() => undefined);
    return (await client.query({ name, text, values })).rows as Rows;
  } catch (error) {
    if (!wasLost(error)) throw error;
    broken = error as Error;
    throw new LaneError('outcome_unknown', error);
  } finally {
    client.release(broken);
  }
}

const settle = ({ resolve, reject }: Write, rows: Promise<Rows>): void => {
  rows.then(resolve, reject);
};
