import { startHaproxy } from '../instances/haproxy.js';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { testWith } from '../support/programs.js';
import { endProcesses, startProcess, until } from './process.js';

/** Requests of one caller that may wait for changes in one process. */
const MOST_WAITING = 10;

const headers = {
  authorization: `Bearer ${tokenOf(somebody())}`,
  'content-type': 'application/json',
};

beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

testWith('haproxy')(
  'callers who hang up while they wait for changes free their places at once, behind the balancer, too',
  async () => {
    const service = await startProcess();
    const balancer = await startHaproxy([service.port]);
    try {
      for (const [path, body] of [
        ['/teams', { name: 'Acme', slug: 'acme' }],
        ['/teams/acme/workspaces', { name: 'Docs' }],
      ] as const) {
        const init = { method: 'POST', headers, body: JSON.stringify(body) };
        expect((await fetch(`${service.url}${path}`, init)).status).toBe(200);
      }
      const path = '/teams/acme/workspaces/docs/collections/changes';
      const first = await fetch(`${service.url}${path}`, { headers });
      const { cursor } = (await first.json()) as { cursor: string };
      const statusOf = async (url: string, wait: number, signal?: AbortSignal) => {
        const init = { headers, ...(signal && { signal }) };
        return (await fetch(`${url}${path}?cursor=${cursor}&wait=${wait}`, init)).status;
      };
      const isFull = async () => (await statusOf(service.url, 1)) === 429;
      for (const url of [service.url, balancer.url]) {
        const leaving = new AbortController();
        const waits = Array.from({ length: MOST_WAITING }, () =>
          statusOf(url, 25, leaving.signal).catch((error: Error) => error.name),
        );
        await until(isFull);
        const left = performance.now();
        leaving.abort();
        expect(await Promise.all(waits)).toEqual(waits.map(() => 'AbortError'));
        await until(async () => !(await isFull()));
        // Long before the waits would have ended.
        expect(performance.now() - left).toBeLessThan(10_000);
      }
    } finally {
      await balancer.stop();
    }
  },
  120_000,
);
