import { execFileSync } from 'node:child_process';
import type { Databases } from './databases.js';
import type { Loader } from './load.js';
import type { Operation } from './operations/operation.js';
import type { Options } from './options.js';
import type { Findings } from './publish.js';
import { chosen } from './ratios.js';
import { figure, line, table } from './report.js';
import { Field, median, shapesOf } from './rounds.js';
import { spacesOf } from './seed.js';
import { type Server, startServer, tokensFor } from './servers.js';
import type { Shape } from './shapes.js';

const BOUNDS = { startMs: 1_500, loadedMiB: 256, growth: 1.1 };
const SAMPLE_MS = 2_000;
const SOAK: Shape[] = Array.from({ length: 4 }, (_, n) => ({
  ...{ team: 'main', workspace: `soak-${n + 1}`, collections: 50, pages: 19 },
}));

/** Resident memory of the service after the load and over a soak, and how fast it starts. */
export async function measureMemory(
  databases: Databases,
  loader: Loader,
  options: Options,
): Promise<Findings> {
  const operations = chosen(options.only);
  const shapes = [...SOAK, ...shapesOf(operations, 1)];
  const field = await Field.prepare(databases, ['service'], shapes, 0);
  const [service] = field.servers as [Server];
  const startMs = await medianStart(field.urls[0] ?? '');
  const idle = residentMiB(service.pid);
  await loadAll(field, loader, operations, options);
  const loaded = residentMiB(service.pid);
  console.log(`${figure(loaded)} MiB after the load; the soak takes ${options.minutes} minutes.`);
  const samples = await soak(field, loader, options.minutes);
  await field.close();

  const share = Math.max(1, Math.floor(samples.length / 10));
  const [before, after] = [samples.slice(0, share), samples.slice(-share)].map(median) as [
    number,
    number,
  ];
  const growth = after / before;
  const markdown = table([
    ['', 'measured', 'bound'],
    ['start to first response', `${figure(startMs)} ms`, bound(startMs, BOUNDS.startMs, 'ms')],
    ['resident, idle', `${figure(idle)} MiB`, ''],
    ['resident, after the load', `${figure(loaded)} MiB`, bound(loaded, BOUNDS.loadedMiB, 'MiB')],
    [`resident, first tenth of a soak of ${options.minutes} min`, `${figure(before)} MiB`, ''],
    ['resident, last tenth', `${figure(after)} MiB`, ''],
    ['largest', `${figure(Math.max(...samples))} MiB`, ''],
    ['growth over the soak', `${figure(growth)} ×`, bound(growth, BOUNDS.growth, '×')],
  ]);
  return { markdown, results: { startMs, idle, loaded, samples, growth } };
}

const bound = (value: number, most: number, unit: string): string =>
  `${value <= most ? '✓' : '✗'} (≤ ${most} ${unit})`;

/** Of five starts beside the one that is under load later. */
async function medianStart(databaseUrl: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const server = await startServer('service', databaseUrl);
    times.push(server.startMs);
    await server.stop();
  }
  return median(times);
}

async function loadAll(
  field: Field,
  loader: Loader,
  operations: readonly Operation[],
  { seconds }: Options,
): Promise<void> {
  for (const operation of operations) {
    console.log(line(await field.compare(loader, operation, { rounds: 1, seconds })));
  }
}

/** The mixed load for some minutes, over data of constant size. */
async function soak(field: Field, loader: Loader, minutes: number): Promise<number[]> {
  const [{ port, pid }] = field.servers as [Server];
  const spaces = await spacesOf(field.template, SOAK, 1_000);
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(residentMiB(pid)), SAMPLE_MS);
  try {
    const scenario = { kind: 'soak', spaces } as const;
    const { requests, errors, lastError } = await loader.run({
      ...{
        port,
        pids: { server: [pid], postgres: [] },
        tokens: tokensFor(scenario),
        connections: 32,
        seconds: minutes * 60,
        seed: 1,
      },
      scenario,
    });
    if (errors > 0) throw new Error(`${errors} of ${requests} requests failed: ${lastError}`);
  } finally {
    clearInterval(timer);
  }
  return samples;
}

function residentMiB(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
}
