import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { tokenOf } from '../support/app.js';
import { aWorkspace, ok, theTree } from '../support/builders.js';
import { scene } from '../support/scene.js';
import { everyItem, idsOf, putRows, type RowToPut, usageOf } from '../support/tree.js';

const at = scene({
  env: { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' },
  once: 'team',
  verify: 'each',
});

/** A collection, then collections in it, each with pages, depth first. */
const aForest = (collections: number, pagesEach: number): RowToPut[] => [
  { object: 'collection' },
  ...Array.from({ length: collections }, (_, index) => [
    { object: 'collection' as const, parent: 0 },
    ...Array.from({ length: pagesEach }, () => ({
      object: 'item' as const,
      parent: 1 + index * (pagesEach + 1),
    })),
  ]).flat(),
];

/** Runs requests outside this thread, whose event loop is the service's; answers milliseconds. */
function timesOf(path: string, { count, pause = 0 }: { count: number; pause?: number }) {
  const code = `
    const { parentPort, workerData: { url, token, count, pause } } = require('node:worker_threads');
    (async () => {
      const times = [];
      for (let n = 0; n < count; n++) {
        const start = performance.now();
        const answer = await fetch(url, { headers: { authorization: 'Bearer ' + token } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error('status ' + answer.status);
        times.push(performance.now() - start);
        await new Promise((wake) => setTimeout(wake, pause));
      }
      parentPort.postMessage(times);
    })();`;
  const workerData = { url: `${at.url}${path}`, token: tokenOf(at.ada.person), count, pause };
  const worker = new Worker(code, { eval: true, workerData });
  return new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
}

const shown = (times: readonly number[]): string =>
  `${Math.round(times.reduce((a, b) => a + b, 0) / times.length)} ms, at most ${Math.round(Math.max(...times))} ms`;

test('10,000 items are read in one request, complete and in order, beside other callers', async () => {
  const { id, query } = await aWorkspace(at.ada, at.team);
  const rows = aForest(101, 98);
  const ids = await putRows(at.databaseUrl, id, rows);
  expect(ids).toHaveLength(10_000);
  expect(idsOf(everyItem(await theTree(at.ada, query)))).toEqual(ids);

  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [trees, gets] = await Promise.all([
    timesOf(`/collections${query}`, { count: 5 }),
    timesOf(`/collections/${ids[1]}`, { count: 40, pause: 10 }),
  ]);
  delay.disable();
  const max = (delay.max / 1e6).toFixed(0);
  process.stdout.write(
    `large: 10,000 items in ${shown(trees)}; another caller's GETs meanwhile ${shown(gets)}; ` +
      `event loop held at most ${max} ms (p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms)\n`,
  );
});

test('deleting a collection with 5,000 descendants gives its pages back', async () => {
  const { id, query } = await aWorkspace(at.ada, at.team);
  const { pages: before } = await usageOf(at.ada, at.team);
  const [root, ...below] = await putRows(at.databaseUrl, id, aForest(50, 99));
  expect(below).toHaveLength(5_000);
  expect((await usageOf(at.ada, at.team)).pages).toBe(before + 4_950);
  const start = performance.now();
  await ok(at.ada.delete(`/collections/${root}`));
  const took = Math.round(performance.now() - start);
  process.stdout.write(`large: 5,001 items deleted in ${took} ms\n`);
  expect((await usageOf(at.ada, at.team)).pages).toBe(before);
  expect(await theTree(at.ada, query)).toEqual([]);
});
