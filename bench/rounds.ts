import type { Databases } from './databases.js';
import type { Loader } from './load.js';
import type { CpuTimes, Job, Result } from './loader/job.js';
import type { Operation } from './operations/operation.js';
import { seed, setAsideInIndex, spacesOf } from './seed.js';
import { DELAY_MS, type Server, type ServerName, startServer, tokensFor } from './servers.js';
import type { Shape } from './shapes.js';

export interface Measured {
  /** Requests a second, and milliseconds: each the median of the rounds. */
  rate: number;
  p50: number;
  p99: number;
  /** Microseconds for a request: the median of the rounds; null: unknown. */
  cpu: CpuTimes<number | null>;
  errors: number;
  lastError: string;
}

export interface Compared {
  operation: Operation;
  servers: Partial<Record<ServerName, Measured>>;
  /** Service / baseline: the median of the ratios of the rounds. */
  ratios: { light: number | null; fair: number | null };
}

export interface RoundOptions {
  rounds: number;
  seconds: number;
}

/** Pages whose ids the load knows; more would only make the job longer. */
const KNOWN_PAGES = 1_000;

/** A seeded database, and a server on a copy of it for each name. */
export class Field {
  private readonly delayed = new Map<ServerName, Server>();

  private constructor(
    private readonly databases: Databases,
    readonly template: string,
    readonly servers: readonly Server[],
    readonly urls: readonly string[],
  ) {}

  static async prepare(
    databases: Databases,
    names: readonly ServerName[],
    shapes: readonly Shape[],
    otherTeams: number,
  ): Promise<Field> {
    const template = await databases.create();
    await seed(template, { shapes: distinct(shapes), otherTeams });
    const servers: Server[] = [];
    const urls: string[] = [];
    for (const name of names) {
      const url = await databases.copy(template);
      if (name === 'service') await setAsideInIndex(url);
      urls.push(url);
      servers.push(await startServer(name, url));
    }
    return new Field(databases, template, servers, urls);
  }

  /** Runs rounds of an operation, the servers in turn, and compares them. */
  async compare(
    loader: Loader,
    operation: Operation,
    options: RoundOptions,
    seedOffset = 0,
  ): Promise<Compared> {
    const servers = await this.serversFor(operation);
    const results = new Map<ServerName, Result[]>(servers.map(({ name }) => [name, []]));
    await this.databases.checkpoint();
    for (let round = 0; round <= options.rounds; round++) {
      const job = await this.job(operation, round, options, seedOffset);
      // Each round begins with another one of them.
      for (const [n] of servers.entries()) {
        const server = servers[(round + n) % servers.length] as Server;
        const postgres = await this.databases.backends(server.databaseUrl);
        const pids = { server: [server.pid], postgres };
        const result = await loader.run({ ...job, port: server.port, pids });
        if (round > 0) results.get(server.name)?.push(result);
      }
    }
    return compared(operation, results);
  }

  /** Those that have the operation; for a row with a delay, second ones behind a slow network. */
  private async serversFor({ servers: names, isDelayed }: Operation): Promise<Server[]> {
    const near = this.servers.filter(({ name }) => names?.includes(name) ?? true);
    if (!isDelayed) return near;
    return Promise.all(
      near.map(async (server) => this.delayed.get(server.name) ?? this.delay(server)),
    );
  }

  private async delay({ name, databaseUrl }: Server): Promise<Server> {
    const server = await startServer(name, databaseUrl, DELAY_MS);
    this.delayed.set(name, server);
    return server;
  }

  private async job(
    operation: Operation,
    round: number,
    { seconds }: RoundOptions,
    seedOffset: number,
  ): Promise<Omit<Job, 'port' | 'pids'>> {
    const most = operation.requestsPerSecond;
    const spaces = await spacesOf(this.template, operation.shapes(round), KNOWN_PAGES);
    const scenario = operation.scenario(spaces);
    return {
      tokens: tokensFor(scenario),
      connections: operation.connections,
      scenario,
      ...(most === undefined ? { seconds } : { requests: Math.ceil(most * seconds) }),
      seed: 1 + round + seedOffset,
    };
  }

  async close(): Promise<void> {
    for (const server of [...this.servers, ...this.delayed.values()]) await server.stop();
    for (const url of [...this.urls, this.template]) await this.databases.drop(url);
  }
}

/** All that the operations work on, over all rounds. */
export const shapesOf = (operations: readonly Operation[], rounds: number): Shape[] =>
  operations.flatMap(({ shapes }) =>
    Array.from({ length: rounds + 1 }, (_, round) => shapes(round)).flat(),
  );

function distinct(shapes: readonly Shape[]): Shape[] {
  return [...new Map(shapes.map((shape) => [`${shape.team}/${shape.workspace}`, shape])).values()];
}

function compared(operation: Operation, results: Map<ServerName, Result[]>): Compared {
  const servers: Compared['servers'] = {};
  for (const [name, rounds] of results) {
    servers[name] = {
      rate: median(rounds.map(({ requests, seconds }) => requests / seconds)),
      p50: median(rounds.map(({ p50 }) => p50)),
      p99: median(rounds.map(({ p99 }) => p99)),
      cpu: {
        server: medianOf(rounds.map(({ cpu }) => cpu.server)),
        postgres: medianOf(rounds.map(({ cpu }) => cpu.postgres)),
      },
      errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
      lastError: rounds.findLast(({ lastError }) => lastError)?.lastError ?? '',
    };
  }
  const value = ({ requests, seconds, p50 }: Result): number =>
    operation.compares === 'rate' ? requests / seconds : p50;
  const ratio = (baseline: ServerName): number | null => {
    const service = results.get('service');
    const other = results.get(baseline);
    if (!service || !other) return null;
    return median(service.map((result, n) => value(result) / value(other[n] as Result)));
  };
  return { operation, servers, ratios: { light: ratio('light'), fair: ratio('fair') } };
}

/** null if it is unknown of one of them. */
const medianOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : median(known);
};

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
