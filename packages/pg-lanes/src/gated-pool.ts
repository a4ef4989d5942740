import type pg from 'pg';
import { LaneError, type LaneErrorCode } from './errors.js';
import { type Bound, FairGate, GateTimeout } from './fair-gate.js';
import { TIMEOUTS } from './timeouts.js';

/** On whose behalf a connection is used. */
export interface OnBehalfOf {
  callerId?: string;
  teamId?: string;
  /** For what the service does by itself, or before it knows a caller or a team. */
  purpose?: string;
}

/** Connections of a pool, and callers that wait for one. */
export interface PoolStatus {
  total: number;
  idle: number;
  waiting: number;
}

/** A pool whose connections no team and no caller holds all of: see divide(). */
export class GatedPool {
  private readonly gate: FairGate;

  /**
   * @param name what it is called in the log
   * @param each connections that one team may hold at a time, and one caller
   */
  constructor(
    readonly pool: pg.Pool,
    name: string,
    private readonly each: number,
  ) {
    this.gate = new FairGate(pool.options.max, name);
  }

  /**
   * Runs work that takes one connection of the pool at a time.
   * @throws LaneError busy: none became free in eight seconds
   */
  async use<T>(by: OnBehalfOf, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(by);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * The same for work that only reads: it is patient.
   * @throws LaneError too_many_reads: none became free in thirty seconds
   */
  async read<T>(by: OnBehalfOf, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(by, TIMEOUTS.read, 'too_many_reads');
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** A connection; released by its own release(). @throws LaneError busy after `timeout` ms */
  async connect(by: OnBehalfOf, timeout: number = TIMEOUTS.pool): Promise<pg.PoolClient> {
    return this.connectAfter(await this.enter(by, timeout));
  }

  /** The same for work that only reads. @throws LaneError as read() */
  async connectToRead(by: OnBehalfOf): Promise<pg.PoolClient> {
    return this.connectAfter(await this.enter(by, TIMEOUTS.read, 'too_many_reads'));
  }

  /** A connection held under bounds of the caller's own. @throws GateTimeout after `timeout` ms */
  async connectWithin(
    queue: string,
    bounds: readonly Bound[],
    timeout: number = TIMEOUTS.pool,
  ): Promise<pg.PoolClient> {
    return this.connectAfter(await this.gate.enter(queue, bounds, timeout));
  }

  /** True while somebody waits in this queue; of a caller, its name is the id. */
  isWaiting(queue: string): boolean {
    return this.gate.isWaiting(queue);
  }

  /** True where this one may hold one connection more. */
  hasRoomFor(by: OnBehalfOf): boolean {
    return this.gate.hasRoomFor(this.boundsOf(by));
  }

  /** Counts a connection that is held already for this one. @returns a function that releases them */
  hold(by: OnBehalfOf): () => void {
    return this.gate.hold(this.boundsOf(by));
  }

  status(): PoolStatus {
    const { totalCount: total, idleCount: idle, waitingCount } = this.pool;
    return { total, idle, waiting: waitingCount + this.gate.waiting };
  }

  private async enter(
    by: OnBehalfOf,
    timeout: number = TIMEOUTS.pool,
    code: LaneErrorCode = 'busy',
  ): Promise<() => void> {
    const { callerId, teamId, purpose = '' } = by;
    try {
      return await this.gate.enter(callerId ?? teamId ?? purpose, this.boundsOf(by), timeout);
    } catch (error) {
      throw error instanceof GateTimeout ? new LaneError(code, error) : error;
    }
  }

  private async connectAfter(leave: () => void): Promise<pg.PoolClient> {
    const client = await this.pool.connect().catch((error: unknown) => {
      leave();
      throw error;
    });
    const { release } = client;
    client.release = (error) => {
      // As it was: the pool gives the same client out again.
      client.release = release;
      release.call(client, error);
      leave();
    };
    return client;
  }

  private boundsOf(by: OnBehalfOf): Bound[] {
    return Object.entries(by).map(([kind, id]) => ({ key: `${kind} ${id}`, most: this.each }));
  }
}
