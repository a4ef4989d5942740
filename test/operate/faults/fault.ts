import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { SECRET } from '../../support/app.js';
import { build } from '../../support/build.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { sql } from '../../support/sql.js';
import { endProcesses, type ServiceProcess, startProcess, until } from '../process.js';
import { assertResponses, countLost } from './consistency.js';
import { type LiveTimes, probeLive } from './live-probe.js';
import { type Asked, MixedLoad } from './mixed-load.js';

/** Milliseconds of a test that causes a fault. */
export const TIMEOUT = 400_000;

/** Milliseconds in which the service works again, once the fault is over. */
const RECOVERY = 5_000;
/** Milliseconds in which /health/live responds; and of processor time, at most, before it does. */
const LIVE = 100;
/** Milliseconds of load before a fault, and after the recovery. */
const BEFORE = 700;
const AFTER = 1_500;

interface Row {
  fault: string;
  requests: number;
  statuses: string;
  recovery: string;
  live: string;
  lost: number;
}

const rows: Row[] = [];

/**
 * Registers the hooks of a file that causes faults: it begins with a build, and ends with its table.
 * @param start opens what the tests need, and returns what closes it; services that were started end before
 */
export function faultHooks(start: () => Promise<() => Promise<unknown>>): void {
  let stop = async (): Promise<unknown> => undefined;
  beforeAll(async () => {
    await build();
    stop = await start();
  }, 300_000);
  afterAll(async () => {
    await endProcesses();
    await stop();
    printTable();
  }, 60_000);
}

/** A database of the file's own, from the first test on; registers faultHooks(). */
export function ownDatabase(): TestDatabase {
  const at = {} as TestDatabase;
  faultHooks(async () => Object.assign(at, await createTestDatabase()).drop);
  return at;
}

/** The service as in production, with no limits in the way. */
export const startUnlimited = (env: Record<string, string>): Promise<ServiceProcess> =>
  startProcess({
    LOG_LEVEL: 'error',
    PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0,"users":0}}',
    ...env,
  });

/**
 * Lets a fault happen under a mixed load: `during` causes it, and ends it. Asserts that every request
 * is answered, that the process lives, that it works again by itself in time, that nothing is lost,
 * and that `verify` finds the database whole.
 * @returns what was asked while the fault was there
 */
export async function causeFault(
  fault: string,
  service: ServiceProcess,
  during: () => Promise<void>,
): Promise<Asked[]> {
  const load = await MixedLoad.prepare(service.url);
  load.start();
  await sleep(BEFORE);
  // Not earlier: a fresh process compiles what its first requests run through.
  const live = probeLive(service.url, service.child.pid ?? 0);
  const start = performance.now();
  await during();
  const end = performance.now();
  while (load.recoveredAt(end) === null && performance.now() < end + 3 * RECOVERY) await sleep(20);
  await sleep(AFTER);
  await load.stop();
  const times = await live.stop();

  const meanwhile = load.asked.filter((one) => one.start + one.took >= start && one.start <= end);
  const recovery = recoveryOf(load, end);
  const lost = await countLost(load);
  const ready = await fetch(`${service.url}/health/ready`);
  addRow(fault, meanwhile, recovery, times, lost);
  expect(service.child.exitCode).toBeNull();
  assertResponses(load.asked);
  assertAlive(times);
  expect(recovery).toBeLessThan(RECOVERY);
  expect(ready.status).toBe(200);
  await verify(service.databaseUrl);
  return meanwhile;
}

/** Milliseconds until every kind of request succeeds, and none fails any more. */
function recoveryOf(load: MixedLoad, end: number): number {
  const failures = load.asked.filter(({ start, status }) => start >= end && status !== 200);
  const lastFailure = Math.max(end, ...failures.map(({ start }) => start));
  return Math.max(lastFailure, load.recoveredAt(end) ?? Number.POSITIVE_INFINITY) - end;
}

/** The longest response says as much about the machine as about the service: it is only printed. */
function assertAlive({ asked, failed, median, maxProcessor }: LiveTimes): void {
  expect(asked).toBeGreaterThan(0);
  expect(failed).toBe(0);
  expect(median).toBeLessThan(LIVE);
  expect(maxProcessor).toBeLessThan(LIVE);
}

/** The sessions of a killed process end on their own; what they had committed by then stays. */
export async function sessionsAreOver(databaseUrl: string): Promise<void> {
  const others = `SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'teamspaces'`;
  await until(async () => (await sql(databaseUrl, others)).length === 0);
}

/** What an operator runs: verify. @throws with what it found */
export async function verify(databaseUrl: string): Promise<void> {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    AUTH_JWT_SECRET: SECRET,
  };
  await promisify(execFile)(process.execPath, ['dist/cli.js', 'verify'], { env });
}

/** Adds a row to the table that printTable() prints. */
export function addRow(
  fault: string,
  during: readonly Asked[],
  recovery: number,
  live: LiveTimes | null,
  lost: number,
): void {
  const statuses = new Map<string, number>();
  for (const { status } of during) {
    const name = String(status ?? 'cut');
    statuses.set(name, (statuses.get(name) ?? 0) + 1);
  }
  rows.push({
    fault,
    requests: during.length,
    statuses: [...statuses]
      .sort()
      .map(([status, n]) => `${n} × ${status}`)
      .join(', '),
    recovery: `${Math.round(recovery)} ms`,
    live: live
      ? `${[live.median, live.max, live.maxProcessor].map(Math.round).join(' / ')} ms`
      : '–',
    lost,
  });
}

/** Prints what the tests of this file saw, as Markdown. */
function printTable(): void {
  if (rows.length === 0) return;
  const table = [
    '| fault | requests during it | responses | recovered in | /health/live: median / max / most processor time of the service | lost |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${Object.values(row).join(' | ')} |`),
  ];
  process.stdout.write(`\n${table.join('\n')}\n`);
}
