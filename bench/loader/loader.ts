import { Connection } from './connection.js';
import { cpuMicroseconds } from './cpu.js';
import type { Job, Result } from './job.js';
import { cyclesOf, type Phase } from './scenarios.js';

/**
 * The process that makes the load: takes a job, returns its result. Alone, so that what it does
 * is no part of what is measured in the process of the service.
 */
process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit());

async function run(job: Job): Promise<Result> {
  const load = new Load(job);
  try {
    for (const cycle of cyclesOf(job)) {
      for (const phase of cycle) await load.run(phase);
      if (load.isOver()) break;
    }
    return load.result();
  } finally {
    load.close();
  }
}

class Load {
  private readonly connections: Connection[];
  private readonly latencies: number[] = [];
  private milliseconds = 0;
  private errors = 0;
  private lastError = '';
  private started = 0;
  private fail: (error: Error) => void = () => undefined;
  private readonly deadline: number;
  private readonly mostRequests: number;

  /** While requests that count were sent; null: unknown on this system. */
  private readonly cpu: Result['cpu'] = { server: 0, postgres: 0 };

  constructor(private readonly job: Job) {
    const { seconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = job;
    this.connections = Array.from(
      { length: job.connections },
      () => new Connection(job.port, (error) => this.fail(error)),
    );
    this.mostRequests = requests;
    this.deadline = seconds * 1000;
  }

  /** What is counted has taken its time, or its number of requests. */
  isOver(): boolean {
    return this.milliseconds >= this.deadline || this.latencies.length >= this.mostRequests;
  }

  /** Sends the requests of a phase over all connections. An endless one stops when the job is over. */
  async run(phase: Phase): Promise<void> {
    if (!phase.counts) return this.send(phase);
    const before = this.cpuSoFar();
    await this.send(phase);
    const after = this.cpuSoFar();
    for (const part of ['server', 'postgres'] as const) {
      const [sum, from, to] = [this.cpu[part], before[part], after[part]];
      this.cpu[part] = sum === null || from === null || to === null ? null : sum + to - from;
    }
  }

  private cpuSoFar(): Result['cpu'] {
    const { server, postgres } = this.job.pids;
    return { server: cpuMicroseconds(server), postgres: cpuMicroseconds(postgres) };
  }

  private send({ next, counts, isEndless }: Phase): Promise<void> {
    const begin = performance.now();
    const end = begin + this.deadline - this.milliseconds;
    let open = this.connections.length;
    return new Promise((resolve, reject) => {
      this.fail = reject;
      const stop = (): void => {
        open -= 1;
        if (open > 0) return;
        if (counts) this.milliseconds += performance.now() - begin;
        resolve();
      };
      const step = (connection: Connection): void => {
        const sent = performance.now();
        const isDone = isEndless && (sent >= end || this.started >= this.mostRequests);
        const shot = isDone ? null : next();
        if (!shot) {
          stop();
          return;
        }
        if (counts) this.started += 1;
        connection.send(shot.request, shot.read !== undefined, (status, body) => {
          if (counts) this.latencies.push(performance.now() - sent);
          if (status === 200) shot.read?.(body);
          else this.refused(shot.request, status);
          step(connection);
        });
      };
      for (const connection of this.connections) step(connection);
    });
  }

  result(): Result {
    const sorted = Float64Array.from(this.latencies).sort();
    const at = (share: number): number =>
      sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
    const each = (cpu: number | null) => (cpu === null ? null : cpu / sorted.length);
    return {
      requests: sorted.length,
      seconds: this.milliseconds / 1000,
      p50: at(0.5),
      p99: at(0.99),
      cpu: { server: each(this.cpu.server), postgres: each(this.cpu.postgres) },
      errors: this.errors,
      lastError: this.lastError,
    };
  }

  close(): void {
    for (const connection of this.connections) connection.close();
  }

  private refused(request: string, status: number): void {
    this.errors += 1;
    this.lastError = `${status} for ${request.slice(0, request.indexOf(' HTTP'))}`;
  }
}
