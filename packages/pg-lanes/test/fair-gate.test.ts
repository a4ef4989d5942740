import { setImmediate as nextTurn } from 'node:timers/promises';
import { divide } from '../src/divided-pools.js';
import { FairGate } from '../src/fair-gate.js';

const TIMEOUTS = 5_000;

/** A gate, and who was let in, in order. */
function aGate(size: number, most: number) {
  const gate = new FairGate(size, 'the test');
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = async (lane: string, name: string, keys = [lane]) => {
    const bounds = keys.map((key) => ({ key, most }));
    leaves.set(name, await gate.enter(lane, bounds, TIMEOUTS));
    inside.push(name);
  };
  const leave = async (name: string) => {
    leaves.get(name)?.();
    await nextTurn();
  };
  return { gate, inside, enter, leave };
}

test('a key holds no more than its part, and the others get the rest', async () => {
  const { inside, enter, leave } = aGate(5, 2);
  for (let n = 1; n <= 4; n++) void enter('busy', `busy ${n}`);
  void enter('other', 'other');
  await nextTurn();
  expect(inside).toEqual(['busy 1', 'busy 2', 'other']);
  await leave('busy 1');
  await leave('busy 2');
  expect(inside.slice(3)).toEqual(['busy 3', 'busy 4']);
});

test('it is known in which lanes somebody waits', async () => {
  const { gate, enter, leave } = aGate(1, 1);
  await enter('busy', 'busy 1');
  expect(gate.isWaiting('busy')).toBe(false);
  void enter('other', 'other');
  expect([gate.isWaiting('busy'), gate.isWaiting('other')]).toEqual([false, true]);
  await leave('busy 1');
  expect(gate.isWaiting('other')).toBe(false);
});

test('lanes take turns, whatever waits in each', async () => {
  const { inside, enter, leave } = aGate(1, 1);
  await enter('busy', 'busy 1');
  for (let n = 2; n <= 4; n++) void enter('busy', `busy ${n}`);
  void enter('other', 'other');
  await leave('busy 1');
  await leave('busy 2');
  await leave('other');
  await leave('busy 3');
  expect(inside).toEqual(['busy 1', 'busy 2', 'other', 'busy 3', 'busy 4']);
});

test('in a lane, one whose key is full does not hold up the next', async () => {
  const { inside, enter, leave } = aGate(2, 1);
  await enter('ada', 'in team 1', ['team 1']);
  await enter('eve', 'in team 2', ['team 2']);
  void enter('ada', 'in team 1 again', ['team 1']);
  void enter('ada', 'in team 3', ['team 3']);
  await leave('in team 2');
  expect(inside).toEqual(['in team 1', 'in team 2', 'in team 3']);
  await leave('in team 1');
  expect(inside.at(-1)).toBe('in team 1 again');
});

test('whoever waits too long is refused, and holds nothing', async () => {
  const gate = new FairGate(1, 'the test');
  const bounds = [{ key: 'ada', most: 1 }];
  const leave = await gate.enter('ada', bounds, TIMEOUTS);
  await expect(gate.enter('eve', [{ key: 'eve', most: 1 }], 5)).rejects.toThrow(
    'nothing of the test became free within 5 ms',
  );
  expect(gate.waiting).toBe(0);
  leave();
  leave();
  await gate.enter('ada', bounds, TIMEOUTS);
  expect(gate.hasRoomFor(bounds)).toBe(false);
});

test.each(Array.from({ length: 40 }, (_, n) => n + 1))(
  'of %i connections nobody can hold the last ones',
  (size) => {
    const of = divide(size);
    expect(of.reads + of.writers + of.general).toBe(Math.max(4, size));
    expect(of.streams).toBeLessThanOrEqual(Math.max(1, Math.floor(size / 3)));
    expect(of.streamsEach).toBeLessThanOrEqual(Math.min(2, of.streams));
    for (const some of [of.reads, of.writersEach, of.generalEach, of.streamsEach]) {
      expect(some).toBeGreaterThan(0);
    }
    if (size < 6) return;
    expect(of.writersEach).toBeLessThan(of.writers);
    expect(of.generalEach + of.streamsEach).toBeLessThan(of.general);
  },
);
