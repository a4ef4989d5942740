import { jest } from '@jest/globals';
import type pg from 'pg';
import type { LaneError } from '../src/errors.js';
import { GatedPool } from '../src/gated-pool.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A pool of one connection, which somebody holds. */
async function aBusyPool(): Promise<GatedPool> {
  const pool = new GatedPool({ options: { max: 1 } } as pg.Pool, 'the test', 1);
  void pool.use({ callerId: 'ada' }, () => new Promise(() => undefined));
  await jest.advanceTimersByTimeAsync(0);
  return pool;
}

const errorOf = (work: Promise<unknown>): Promise<LaneError> =>
  work.then(
    () => Promise.reject(new Error('it was let in')),
    (error: LaneError) => error,
  );

test('a read waits thirty seconds for a connection, then it is refused', async () => {
  const pool = await aBusyPool();
  let isOver = false;
  const failed = errorOf(pool.read({ callerId: 'bob' }, async () => undefined)).finally(() => {
    isOver = true;
  });
  await jest.advanceTimersByTimeAsync(29_999);
  expect(isOver).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(await failed).toMatchObject({ code: 'too_many_reads' });
});

test('a connection to read portions on is waited for as long', async () => {
  const pool = await aBusyPool();
  const failed = errorOf(pool.connectToRead({ callerId: 'bob' }));
  await jest.advanceTimersByTimeAsync(30_000);
  expect(await failed).toMatchObject({ code: 'too_many_reads' });
});

test('a write waits eight seconds, then it is refused', async () => {
  const pool = await aBusyPool();
  const failed = errorOf(pool.use({ callerId: 'bob' }, async () => undefined));
  await jest.advanceTimersByTimeAsync(8_000);
  expect(await failed).toMatchObject({ code: 'busy' });
});
