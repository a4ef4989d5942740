import { type Candidate, nextTurn } from '../../src/webhooks/delivery/turns.js';

let made = 0;
const of = (makerId: string, teamId = `team ${++made}`): Candidate => ({
  makerId,
  teamId,
  webhookId: `webhook ${++made}`,
});
const many = (count: number, makerId: string, teamId?: string): Candidate[] =>
  Array.from({ length: count }, () => of(makerId, teamId));
const makersOf = (all: readonly Candidate[]) => all.map(({ makerId }) => makerId);

/** Those that begin, one after the other, until none may. */
function begun(candidates: readonly Candidate[], inProgress: readonly Candidate[] = []) {
  const left = [...candidates];
  const running = [...inProgress];
  for (;;) {
    const next = nextTurn(left, running);
    if (next === null) return running.slice(inProgress.length);
    left.splice(left.indexOf(next), 1);
    running.push(next);
  }
}

test('a maker alone has 32 in progress, a team two', () => {
  expect(begun(many(100, 'ada'))).toHaveLength(32);
  expect(begun(many(20, 'ada', 'one team'))).toHaveLength(2);
  const owners = ['ada', 'bob', 'eve'].map((maker) => of(maker, 'one team'));
  expect(makersOf(begun(owners))).toEqual(['ada', 'bob']);
});

test('a maker has four while fewer than 32 are left to others, and all together have 64', () => {
  const ada = begun(many(100, 'ada'));
  expect(begun(many(100, 'bob'), ada)).toHaveLength(4);
  const others = Array.from({ length: 20 }, (_, n) => many(10, `maker ${n}`)).flat();
  const begunThen = begun(others, ada);
  expect(begunThen).toHaveLength(32);
  for (const { makerId } of begunThen) {
    expect(begunThen.filter((one) => one.makerId === makerId).length).toBeLessThanOrEqual(4);
  }
});

test('the next is of the maker with the fewest in progress, then of the team with the fewest, then the first', () => {
  const candidates = [...many(3, 'ada', 'a'), ...many(2, 'ada', 'b'), ...many(2, 'bob', 'c')];
  expect(begun(candidates).map(({ makerId, teamId }) => [makerId, teamId])).toEqual([
    ['ada', 'a'],
    ['bob', 'c'],
    ['ada', 'b'],
    ['bob', 'c'],
    ['ada', 'a'],
    ['ada', 'b'],
  ]);
  const [first, second] = many(2, 'eve');
  expect(nextTurn([first, second] as Candidate[], [])).toBe(first);
});

test('nobody waits for those who have no room, however many they are', () => {
  const busy = begun(many(100, 'ada'));
  const bob = of('bob');
  expect(nextTurn([...many(1_000, 'ada'), bob], busy)).toBe(bob);
});

test('a webhook has one in progress', () => {
  const webhook = of('ada');
  expect(nextTurn([webhook], [webhook])).toBeNull();
});
