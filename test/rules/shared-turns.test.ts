import { SharedTurns, yieldToEventLoop } from '../../src/event-loop.js';

test('one turn between two looks at the event loop, in the order in which they asked', async () => {
  const turns = new SharedTurns();
  const seen: string[] = [];
  const work = async (name: string) => {
    for (let n = 0; n < 2; n++) {
      await turns.next();
      seen.push(name);
    }
  };
  const working = Promise.all(['a', 'b', 'c'].map(work));
  let most = 0;
  for (let before = 0; seen.length < 6; before = seen.length) {
    await yieldToEventLoop();
    most = Math.max(most, seen.length - before);
  }
  await working;
  expect([seen, most]).toEqual([['a', 'b', 'c', 'a', 'b', 'c'], 1]);
});

test('owners have their turns one after the other, however many pieces of work one has', async () => {
  const turns = new SharedTurns();
  const seen: string[] = [];
  const work = (owner: string, count: number) =>
    Array.from({ length: count }, () => turns.next(owner).then(() => seen.push(owner)));
  await Promise.all([...work('ada', 4), ...work('bob', 1), ...work('eve', 2)]);
  expect(seen).toEqual(['ada', 'bob', 'eve', 'ada', 'eve', 'ada', 'ada']);
});
