import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { BatchQueue } from '../../src/collections/writer/batch-queue.js';

interface Work {
  bytes: number;
  isExclusive?: boolean;
}

/** A batch that takes so long that others are waited for afterwards. */
const LONG = 40;

/** A queue of which the test ends each batch. */
function aQueue() {
  const batches: { works: Work[]; end: () => void }[] = [];
  const rules = {
    most: 4,
    mostBytes: 100,
    sizeOf: ({ bytes }: Work) => bytes,
    isExclusive: ({ isExclusive = false }: Work) => isExclusive,
  };
  const queue = new BatchQueue<Work, void>(rules, (batch) => {
    return new Promise((end) => {
      batches.push({ works: batch.map(({ work }) => work), end });
    });
  });
  return { batches, add: (work: Work) => void queue.add('key', work) };
}

const small = { bytes: 1 };

const turns = async () => {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
};

/** A queue whose second batch, of two, is under way. */
async function whereTwoRun() {
  const queue = aQueue();
  for (let n = 0; n < 3; n++) queue.add(small);
  queue.batches[0]?.end();
  await turns();
  return queue;
}

test.each([
  ['as many wait as go into a batch', Array<Work>(5).fill(small)],
  ['as many bytes wait as go into a batch', Array<Work>(2).fill({ bytes: 60 })],
  ['what waits goes alone', [{ bytes: 1, isExclusive: true }]],
  ['what waits goes before one that goes alone', [small, { bytes: 1, isExclusive: true }]],
])('a batch leaves at once where %s', async (_, waiting: Work[]) => {
  const { batches, add } = await whereTwoRun();
  expect(batches[1]?.works).toHaveLength(2);
  for (const work of waiting) add(work);
  await sleep(LONG);
  batches[1]?.end();
  await turns();
  expect(batches).toHaveLength(3);
});

test('else it waits for those who were answered just now', async () => {
  const { batches, add } = await whereTwoRun();
  add(small);
  await sleep(LONG);
  batches[1]?.end();
  await nextTurn();
  add(small);
  add(small);
  await turns();
  expect(batches[2]?.works).toHaveLength(3);
});
