import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startHaproxy } from '../instances/haproxy.js';
import { assertInvariants } from '../support/invariants.js';
import { countLost } from './faults/consistency.js';
import { MixedLoad } from './faults/mixed-load.js';
import { endProcesses, type ServiceProcess, startProcess } from './process.js';

/** Milliseconds of load between two steps. */
const LONG = 1_000;
/** Items in the table whose index the migration creates. */
const FILLING = { requests: 10, items: 1_000 };

/** Runs `migrate` of the build in a folder. */
export const migrate = (databaseUrl: string, folder: string) =>
  promisify(execFile)(process.execPath, ['dist/cli.js', 'migrate'], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });

/**
 * Two instances of the previous build serve a load behind haproxy while `upgrade` changes the database; then
 * this build replaces one after the other. No request fails, and nothing is lost.
 * @param databaseUrl a database that the previous build has migrated
 * @param previous the folder of that build
 */
export async function upgradeUnderLoad(
  databaseUrl: string,
  previous: string,
  upgrade: () => Promise<unknown>,
): Promise<void> {
  const env = {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
    PLAN_LIMITS: '{"free":{"pages":0,"users":0}}',
    SHUTDOWN_DELAY_MS: '1500',
  };
  const old = [
    await startProcess(env, 'ready', previous),
    await startProcess(env, 'ready', previous),
  ];
  const balancer = await startHaproxy(old.map(({ port }) => port));
  try {
    const load = await MixedLoad.prepare(balancer.url);
    await fill(load);
    load.start();
    await sleep(LONG);

    await upgrade();
    await sleep(LONG);
    expect(await Promise.all(old.map(isReady))).toEqual([true, true]);

    for (const instance of old) {
      expect((await instance.end()).status).toBe(0);
      await startProcess({ ...env, PORT: String(instance.port) });
      await sleep(LONG);
    }
    await load.stop();
    expect(failuresOf(load)).toEqual({ failed: 0, first: [] });
    expect(load.asked.length).toBeGreaterThan(500);
    expect(await countLost(load)).toBe(0);
    await assertInvariants(databaseUrl);
    console.log(`upgrade: ${load.asked.length} requests, all 200, nothing lost`);
  } finally {
    await balancer.stop();
    await endProcesses();
  }
}

async function fill(load: MixedLoad): Promise<void> {
  const { slug } = load;
  await load.must('POST', `/teams/${slug}/workspaces`, { name: 'Archive' });
  const items = Array.from({ length: FILLING.items }, (_, n) => ({ name: `old ${n}` }));
  for (let request = 0; request < FILLING.requests; request++) {
    await load.must('POST', `/teams/${slug}/workspaces/archive/collections/batch`, { items });
  }
}

/** How many requests failed, and the first ones. */
function failuresOf({ asked }: MixedLoad) {
  const failed = asked.filter(({ status }) => status !== 200);
  const first = failed.slice(0, 5).map(({ kind, status, text }) => `${kind} ${status} ${text}`);
  return { failed: failed.length, first };
}

const isReady = async ({ url }: ServiceProcess): Promise<boolean> =>
  (await fetch(`${url}/health/ready`)).ok;
