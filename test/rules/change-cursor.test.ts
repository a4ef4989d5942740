import { maxChanges } from '../../src/collections/changes/change-cursor.js';

test('the log of a workspace may have 20 rows for each page of the plan, at least 100,000', () => {
  expect([1, 1_000, 5_000, 5_001, 50_000, 1_000_000].map(maxChanges)).toEqual([
    100_000, 100_000, 100_000, 100_020, 1_000_000, 20_000_000,
  ]);
});

test('a plan with any number of pages has no bound', () => {
  expect(maxChanges(0)).toBeNull();
});
