import { startHaproxy } from '../instances/haproxy.js';
import { somebody, tokenOf } from '../support/app.js';
import { build } from '../support/build.js';
import { testWith } from '../support/programs.js';
import { endProcesses, freePort, startProcess, until } from './process.js';

/** As many as may wait for one caller in one process. */
const WAITS = 10;

const headers = {
  authorization: `Bearer ${tokenOf(somebody())}`,
  'content-type': 'application/json',
};

beforeAll(build, 300_000);
afterEach(endProcesses, 60_000);

testWith('haproxy')(
  'callers who hang up while they wait for changes free their places at once, behind the balancer, too',
  async () => {
    const metricsPort = String(await freePort());
    const service = await startProcess({ METRICS_PORT: metricsPort });
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
      const waiting = async () => {
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return Number(/teamspaces_changes_waiters\{of="requests"\} (\d+)/.exec(text)?.[1]);
      };
      for (const url of [service.url, balancer.url]) {
        const leaving = new AbortController();
        const waits = Array.from({ length: WAITS }, () =>
          fetch(`${url}${path}?cursor=${cursor}&wait=25`, {
            headers,
            signal: leaving.signal,
          }).catch((error: Error) => error.name),
        );
        await until(async () => (await waiting()) === WAITS);
        const left = performance.now();
        leaving.abort();
        expect(await Promise.all(waits)).toEqual(waits.map(() => 'AbortError'));
        await until(async () => (await waiting()) === 0);
        // Long before the waits would have ended.
        expect(performance.now() - left).toBeLessThan(10_000);
      }
    } finally {
      await balancer.stop();
    }
  },
  120_000,
);
