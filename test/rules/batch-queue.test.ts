import { setImmediate as nextTurn } from 'node:timers/promises';
import { BatchQueue } from '../../src/collections/writer/batch-queue.js';

interface Work {
  bytes: number;
  isExclusive?: boolean;
}

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

/** @returns the bytes of the works of each batch; the first work never waits */
async function batchesOf(works: Work[]): Promise<number[][]> {
  const { batches, add } = aQueue();
  for (const work of works) add(work);
  for (let n = 0; n < batches.length; n++) {
    batches[n]?.end();
    await nextTurn();
    await nextTurn();
  }
  return batches.map((batch) => batch.works.map(({ bytes }) => bytes));
}

const alone = (bytes: number): Work => ({ bytes, isExclusive: true });
const many = (...bytes: number[]): Work[] => bytes.map((each) => ({ bytes: each }));

test.each<[string, Work[], number[][]]>([
  ['at most four', many(1, 2, 3, 4, 5, 6), [[1], [2, 3, 4, 5], [6]]],
  ['at most 100 bytes', many(1, 60, 40, 1, 99), [[1], [60, 40], [1, 99]]],
  ['a larger one goes alone', many(1, 101, 2, 3), [[1], [101], [2, 3]]],
  [
    'an exclusive one goes alone',
    [...many(1, 2), alone(3), ...many(4, 5)],
    [[1], [2], [3], [4, 5]],
  ],
  ['two exclusive ones', [...many(1), alone(2), alone(3)], [[1], [2], [3]]],
])('what waits goes in batches, in its order: %s', async (_, works, batches) => {
  expect(await batchesOf(works)).toEqual(batches);
});

test('what comes right after a batch has ended goes with what waited', async () => {
  const { batches, add } = aQueue();
  for (let n = 0; n < 2; n++) add(small);
  batches[0]?.end();
  await nextTurn();
  add(small);
  await nextTurn();
  batches[1]?.end();
  await nextTurn();
  await nextTurn();
  expect(batches.flatMap(({ works }) => works)).toHaveLength(3);
});

test('a queue that was empty works again', async () => {
  const { batches, add } = aQueue();
  add(small);
  batches[0]?.end();
  await nextTurn();
  await nextTurn();
  add(small);
  expect(batches).toHaveLength(2);
});
