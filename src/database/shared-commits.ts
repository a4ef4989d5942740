import type pg from 'pg';
import { DomainError, outcomeUnknown } from '../errors/domain-error.js';
import { wasLost } from './database-errors.js';
import type { PipelinedClient } from './pipelined-reads.js';
import { PipelinedTransaction, type Rows, type Statement } from './pipelined-transaction.js';
import { needsNewPlans, REFRESH } from './plan-refresh.js';

interface Write {
  teamId: string;
  statement: Statement;
  resolve: (rows: Rows) => void;
  reject: (error: unknown) => void;
}

/** Statements that are committed together, at most. */
const MOST = 16;

/** In a commit of several teams, nobody waits for the lock of another for longer than this. */
const SHORT_WAIT: Statement = [
  { name: 'database.shortWait', text: "SELECT set_config('lock_timeout', '100ms', true)" },
  [],
];

/**
 * Group commit of statements that are transactions of their own, a team each: what waits for a
 * connection goes in one message and one commit. Where nothing waits, each goes alone, at once.
 *
 * One statement for each team, in the order of the teams, so that no two groups wait for each other.
 * What is refused in a group, or would wait for a lock, runs alone.
 */
export class SharedCommits {
  private readonly waiting: Write[] = [];
  private isConnecting = false;

  /** @param pool clients in pipeline mode */
  constructor(private readonly pool: pg.Pool) {}

  /**
   * Runs one statement that writes rows of a team, as a transaction of its own.
   * @throws DomainError internal_server_error where nobody can know whether it was committed
   */
  write(teamId: string, statement: Statement): Promise<Rows> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ teamId, statement, resolve, reject });
      if (!this.isConnecting) void this.commitNext();
    });
  }

  private async commitNext(): Promise<void> {
    this.isConnecting = true;
    const connected = await this.pool.connect().catch((error: unknown) => {
      for (const { reject } of this.waiting.splice(0)) reject(error);
    });
    this.isConnecting = false;
    if (!connected) return;
    const group = this.take();
    if (this.waiting.length > 0) void this.commitNext();
    if (group.length > 1) await this.commitTogether(connected, group);
    else for (const write of group) settle(write, commitAlone(connected, write));
  }

  /** The first that wait, one of each team, in the order of the teams. */
  private take(): Write[] {
    const group = new Map<string, Write>();
    for (const write of this.waiting) {
      if (group.size < MOST && !group.has(write.teamId)) group.set(write.teamId, write);
    }
    const taken = new Set(group.values());
    const left = this.waiting.filter((write) => !taken.has(write));
    this.waiting.splice(0, this.waiting.length, ...left);
    return [...taken].sort((a, b) => (a.teamId < b.teamId ? -1 : 1));
  }

  private async commitTogether(client: pg.PoolClient, group: Write[]): Promise<void> {
    const tx = new PipelinedTransaction(client as unknown as PipelinedClient);
    try {
      const [, ...rows] = await tx.commit([SHORT_WAIT, ...group.map(({ statement }) => statement)]);
      for (const [n, { resolve }] of group.entries()) resolve(rows[n] as Rows);
    } catch (error) {
      for (const write of group) {
        if (error instanceof DomainError) write.reject(error);
        else
          settle(
            write,
            this.pool.connect().then((alone) => commitAlone(alone, write)),
          );
      }
    } finally {
      client.release(await tx.close());
    }
  }
}

async function commitAlone(client: pg.PoolClient, { statement }: Write): Promise<Rows> {
  const [{ name, text }, values] = statement;
  let broken: Error | undefined;
  try {
    if (needsNewPlans(client, 1)) client.query(REFRESH).catch(() => undefined);
    return (await client.query({ name, text, values })).rows as Rows;
  } catch (error) {
    if (!wasLost(error)) throw error;
    broken = error as Error;
    throw outcomeUnknown(error);
  } finally {
    client.release(broken);
  }
}

const settle = ({ resolve, reject }: Write, rows: Promise<Rows>): void => {
  rows.then(resolve, reject);
};
