import type { Socket } from 'node:net';
import pg from 'pg';
import { GatedPool } from './gated-pool.js';
import { PipelinedReads } from './pipelined-reads.js';
import { type Address, connectionOptions } from './service-client.js';
import { TIMEOUTS } from './timeouts.js';

export interface PoolOptions extends Address {
  /** Connections altogether; with fewer than 4, 4 are made. */
  size: number;
  /** Fails a read that returns more rows than it states: for tests and development. */
  checksRows: boolean;
  /** For an operator's command: its transactions may wait, and take, as long as they need. */
  hasNoTimeouts?: true | undefined;
}

/** All connections of the process. */
export interface Pools {
  /** For writes about people, and responses of many rows. */
  general: GatedPool;
  /** For transactions in pipeline mode. */
  writers: GatedPool;
  /** For point reads. */
  reads: PipelinedReads;
}

/** How the connections of a process are divided: the only place that says so. */
export interface Division {
  /** Shared by all point reads; nobody holds one (pipelined-reads.ts). */
  reads: number;
  /** For the tree's writers. */
  writers: number;
  /** The most writers that any one team, or any one caller, may hold. */
  writersEach: number;
  /** For all else: writes about people and settings, reads that walk or return many rows, large responses. */
  general: number;
  /** The most of `general` that any one team, or any one caller, may hold for transactions and reads. */
  generalEach: number;
  /** The most of `general` that large responses may hold: a third of all connections at most. */
  streams: number;
  /** The most of `streams` that one caller may hold. */
  streamsEach: number;
}

/**
 * Divides connections; with fewer than 4 the process takes 4.
 *
 * The caller that has a connection may wait with it: for a row that somebody has locked (4 s), or for a
 * caller who reads a large response slowly. So that nobody takes the last ones, a team and a caller
 * hold about half of each pool, and what one caller can hold of the general pool in both ways leaves
 * one connection free, from a size of 6 on. Below that there are too few to divide.
 *
 * Reads are pipelined, so that two connections carry all of them. Writers commit in groups, a group
 * takes one connection: they need fewer than the rest.
 * The general pool gets 60 % of the remaining connections. Throughput relative to that, with 10
 * connections, 200 teams and 32 clients (differences below 0.05 are noise):
 *
 * | share | mixed load | updateTeam | acceptInvite | createCollection |
 * | ----: | ---------: | ---------: | -----------: | ---------------: |
 * |  40 % |       0.98 |       0.88 |         0.92 |             0.95 |
 * |  75 % |       1.04 |       0.97 |         0.99 |             1.00 |
 *
 * The resulting division:
 *
 * |  size | reads | writers (each) | general (each) | of it streams (each) |
 * | ----: | ----: | -------------: | -------------: | -------------------: |
 * | 1 – 4 |     1 |          1 (1) |          2 (1) |                1 (1) |
 * |     6 |     1 |          2 (1) |          3 (1) |                1 (1) |
 * |    10 |     2 |          3 (2) |          5 (2) |                3 (2) |
 * |    20 |     2 |          7 (4) |         11 (5) |                6 (2) |
 */
export function divide(size: number): Division {
  const reads = size < 8 ? 1 : 2;
  const left = Math.max(3, size - reads);
  const general = Math.round(left * 0.6);
  const writers = left - general;
  const streams = Math.max(1, Math.min(Math.floor(size / 3), general - 2));
  const streamsEach = Math.min(2, streams);
  const half = Math.min(Math.floor(general / 2), general - streamsEach - 1);
  return {
    reads,
    writers,
    writersEach: Math.ceil(writers / 2),
    general,
    generalEach: Math.max(1, half),
    streams,
    streamsEach,
  };
}

/** Makes the pools; each connection is made when it is needed. */
export function connectPools(options: PoolOptions, division: Division): Pools {
  const connection = connectionOptions(options);
  const pooled = {
    ...connection,
    connectionTimeoutMillis: TIMEOUTS.pool,
    idleTimeoutMillis: 60_000,
  };
  const general = {
    ...pooled,
    max: division.general,
    statement_timeout: TIMEOUTS.portions,
  };
  const writers = {
    ...pooled,
    max: division.writers,
    pipeline: true,
    query_timeout: TIMEOUTS.answer,
    ...(options.hasNoTimeouts && { statement_timeout: 0, lock_timeout: 0, query_timeout: 0 }),
  };
  const generalPool = destroyIdleSockets(listened(new pg.Pool(general)));
  const writerPool = listened(new pg.Pool(writers as pg.PoolConfig));
  return {
    general: new GatedPool(generalPool, 'the general pool', division.generalEach),
    writers: new GatedPool(writerPool, 'the pool of writers', division.writersEach),
    reads: new PipelinedReads(
      {
        ...connection,
        query_timeout: TIMEOUTS.answer,
        pipeline: options.hasSession,
        checksRows: options.checksRows,
      },
      division.reads,
    ),
  };
}

/** Closes a pool's connections that are in use and say nothing: they would wait for ever. */
function destroyIdleSockets(pool: pg.Pool): pg.Pool {
  const streamOf = (client: pg.ClientBase) =>
    (client as unknown as { connection: { stream: Socket } }).connection.stream;
  pool.on('connect', (client) => {
    const stream = streamOf(client);
    stream.on('timeout', () => stream.destroy());
  });
  pool.on('acquire', (client) => streamOf(client).setTimeout(TIMEOUTS.answer));
  pool.on('release', (_error, client) => streamOf(client).setTimeout(0));
  return pool;
}

/**
 * A connection that dies is replaced; without a listener it would end the process. On each client,
 * for good: what ends a connection in pipeline mode may belong to no statement.
 */
function listened(pool: pg.Pool): pg.Pool {
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
