import { IndexQueue } from '../../src/collections/search/index-queue.js';

const of = (teamId: string, id: string) => ({ teamId, id });
const turns = (queue: IndexQueue, count: number, now = 0) =>
  Array.from({ length: count }, () => queue.next(now)?.id);

test('teams take turns, and so do the workspaces of a team', () => {
  const queue = new IndexQueue();
  for (const id of ['a1', 'a2', 'a3']) queue.add(of('a', id), 0);
  queue.add(of('b', 'b1'), 0);
  expect(turns(queue, 7)).toEqual(['a1', 'b1', 'a2', 'b1', 'a3', 'b1', 'a1']);
});

test('a workspace that is added again keeps its place and its age', () => {
  const queue = new IndexQueue();
  for (const id of ['a1', 'a2']) queue.add(of('a', id), 5);
  queue.add(of('a', 'a1'), 9);
  expect(turns(queue, 3)).toEqual(['a1', 'a2', 'a1']);
  expect(queue.oldest).toBe(5);
});

test('one that is not due is passed over, and its team with it', () => {
  const queue = new IndexQueue();
  queue.add(of('a', 'a1'), 0);
  queue.add(of('b', 'b1'), 0);
  const first = queue.next(0);
  if (first) first.dueAt = 10;
  expect(turns(queue, 2)).toEqual(['b1', 'b1']);
  expect(turns(queue, 2, 10)).toEqual(['a1', 'b1']);
});

test('one that is removed has no turn', () => {
  const queue = new IndexQueue();
  queue.add(of('a', 'a1'), 3);
  queue.remove(of('a', 'a1'));
  queue.remove(of('b', 'b1'));
  expect([queue.next(0), queue.oldest]).toEqual([null, null]);
});
