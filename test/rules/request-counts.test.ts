import { SYSTEM_CLOCK } from '../../src/config/config.module.js';
import {
  RequestCounts,
  type SharedCounts,
  type Usage,
} from '../../src/rate-limit/request-counts.js';

/** Counts of a limit of 3, which a shared count decides when the test says so: null is "unavailable". */
function counted() {
  const answers: ((usage: Usage | null) => void)[] = [];
  const shared: SharedCounts = {
    add: () => new Promise((resolve) => answers.push(resolve)),
  };
  const counts = new RequestCounts(3, shared, { ...SYSTEM_CLOCK, now: () => 0 });
  return {
    used: async () => (await counts.count('ada', 1)).used,
    isUsedUp: () => counts.isUsedUp('ada'),
    answer: (used: number | null) =>
      answers.shift()?.(used === null ? null : { used, endsAt: 60_000 }),
  };
}

test('what is being sent to the shared count is counted when that goes away meanwhile', async () => {
  const { used, isUsedUp, answer } = counted();
  const sent = [used(), used(), used()];
  answer(1);
  await sent[0];
  expect(isUsedUp()).toBe(true);
  answer(null);
  answer(null);
  expect(await Promise.all(sent)).toEqual([1, 2, 3]);
  const next = used();
  answer(null);
  expect(await next).toBe(4);
});

test('what the shared count has counted is not counted twice', async () => {
  const { used, isUsedUp, answer } = counted();
  const sent = [used(), used()];
  answer(1);
  answer(2);
  expect(await Promise.all(sent)).toEqual([1, 2]);
  expect(isUsedUp()).toBe(false);
  const next = used();
  answer(null);
  expect(await next).toBe(3);
});
