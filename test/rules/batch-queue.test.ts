import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { BatchQueue } from '../../src/collections/writer/batch-queue.js';

interface Work {
  bytes: number;
  isExclusive?: boolean;
  caller?: string;
}

/** A queue of which the test ends each batch. */
function aQueue(timeout = 60_000) {
  const batches: { works: Work[]; end: () => void }[] = [];
  const rules = {
    most: 4,
    mostBytes: 100,
    shareBytes: 20,
    callerOf: ({ caller = 'ada' }: Work) => caller,
    timeout,
    timeoutError: () => new Error('late'),
    bytesOf: ({ bytes }: Work) => bytes,
    isExclusive: ({ isExclusive = false }: Work) => isExclusive,
  };
  const queue = new BatchQueue<Work, void>(rules, (batch) => {
    return new Promise((end) => {
      batches.push({ works: batch.map(({ work }) => work), end });
    });
  });
  return { batches, queue, add: (work: Work) => void queue.add('key', work) };
}

const small = { bytes: 1 };

/** Ends all batches, one after the other. */
async function endAll(batches: { end: () => void }[], from = 0): Promise<void> {
  for (let n = from; n < batches.length; n++) {
    batches[n]?.end();
    await nextTurn();
    await nextTurn();
  }
}

/** @returns the bytes of the works of each batch; the first work never waits */
async function batchesOf(works: Work[]): Promise<number[][]> {
  const { batches, add } = aQueue();
  for (const work of works) add(work);
  await endAll(batches);
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

/** @returns the callers of the works of each batch, after ada's first work, which never waits */
const turnsOf = async (works: Work[]) => {
  const { batches, add } = aQueue();
  for (const work of [{ bytes: 1, caller: 'ada' }, ...works]) add(work);
  await endAll(batches);
  return batches
    .slice(1)
    .map((batch) => batch.works.map(({ caller, bytes }) => `${caller} ${bytes}`).join(', '));
};
const of = (caller: string, ...bytes: number[]): Work[] =>
  bytes.map((each) => ({ bytes: each, caller }));

test.each<[string, Work[], string[]]>([
  [
    'one of each, then another one of each',
    [...of('ada', 1, 2, 3), ...of('bob', 4), ...of('eve', 5, 6)],
    ['bob 4, eve 5, ada 1, eve 6', 'ada 2, ada 3'],
  ],
  [
    'whoever was not in the batch before is first',
    [...of('ada', 90, 91), ...of('bob', 30)],
    ['bob 30', 'ada 90', 'ada 91'],
  ],
  [
    'each gets a share of the number',
    [...of('ada', 1, 2, 3, 4, 5, 6), ...of('bob', 7, 8, 9)],
    ['bob 7, ada 1, bob 8, ada 2', 'bob 9, ada 3, ada 4', 'ada 5, ada 6'],
  ],
  [
    'each gets a share of the bytes, the first one also more',
    [...of('ada', 10, 10, 10), ...of('bob', 30, 5)],
    ['bob 30, ada 10, ada 10', 'bob 5, ada 10'],
  ],
  [
    'an exclusive one holds up its own caller alone',
    [
      ...of('bob', 1),
      { bytes: 2, caller: 'bob', isExclusive: true },
      ...of('bob', 3),
      ...of('eve', 4, 5),
    ],
    ['bob 1, eve 4, eve 5', 'bob 2', 'bob 3'],
  ],
])('callers take turns: %s', async (_, works, batches) => {
  expect(await turnsOf(works)).toEqual(batches);
});

test('a thousand works of one caller delay the work of another by one batch', async () => {
  const { batches, add } = aQueue();
  for (let n = 0; n < 1_000; n++) add({ bytes: 90, caller: 'ada' });
  batches[0]?.end();
  await nextTurn();
  await nextTurn();
  add({ bytes: 1, caller: 'bob' });
  await endAll(batches, 1);
  const batchOfBob = batches.findIndex(({ works }) => works.some(({ caller }) => caller === 'bob'));
  expect(batchOfBob).toBe(2);
  expect(batches).toHaveLength(1_001);
});

test('work that has not got its turn in time is rejected, and nothing of it happens', async () => {
  const { batches, queue } = aQueue(20);
  void queue.add('key', { bytes: 1, caller: 'ada' });
  const results = [
    queue.add('key', { bytes: 2, caller: 'ada' }),
    queue.add('key', { bytes: 3, caller: 'bob' }),
    queue.add('key', { bytes: 4, caller: 'bob' }),
  ];
  const errors = await Promise.all(
    results.map((result) => result.catch(({ message }: Error) => message)),
  );
  expect(errors).toEqual(['late', 'late', 'late']);
  await endAll(batches);
  expect(batches).toHaveLength(1);
});

test('work that has got its turn in time is not late afterwards', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  try {
    const { batches, add } = aQueue();
    for (let n = 0; n < 3; n++) add(small);
    expect(jest.getTimerCount()).toBe(2);
    await endAll(batches);
    expect(batches).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
