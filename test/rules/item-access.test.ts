import { retryIfTransferred } from '../../src/collections/items/item-access.js';
import { type DomainError, notFound } from '../../src/errors/domain-error.js';

// An item that is transferred while a request about it is handled. What holds a request up between
// its two looks at the place of an item is no lock: the looks are given here.

const A = { teamId: 'team', workspaceId: 'A' };
const B = { teamId: 'team', workspaceId: 'B' };
const item = notFound('collection or page');

/**
 * Follows an item that is found in these places, one after another, and then in the last one.
 * @param uses what comes of each use of a place; null: it succeeds
 */
async function follow(places: (typeof A)[], uses: (DomainError | null)[]) {
  const found = [...places];
  const used: string[] = [];
  const use = async (find: (reads: []) => Promise<typeof A>) => {
    const { workspaceId } = await find([]);
    const error = uses[used.push(workspaceId) - 1] ?? null;
    if (error) throw error;
    return 'done';
  };
  const next = async () => (found.length > 1 ? found.shift() : found[0]) as typeof A;
  const result = await retryIfTransferred(next, use).catch((error: DomainError) => error);
  return { result, used: used.join('') };
}

test.each([
  ['in its place', [A], [null], 'A'],
  ['in the place that it was transferred to', [A, B], [item, null], 'AB'],
  ['back in its place, where it was not meanwhile', [A, A], [item, null], 'AA'],
  ['back after two rounds', [A, B, A, A], [item, item, item, null], 'ABAA'],
])('an item is found %s', async (_, places, uses, used) => {
  expect(await follow(places, uses)).toEqual({ result: 'done', used });
});

test('a parent that is not there is not looked for again', async () => {
  const parent = notFound('parent');
  expect(await follow([A, A], [parent, null])).toEqual({ result: parent, used: 'A' });
  expect(await follow([A, B], [parent, null])).toEqual({ result: 'done', used: 'AB' });
});

test('an item that is never found in its place is not looked for without end', async () => {
  const { result, used } = await follow([A], Array(9).fill(item));
  expect({ result, used }).toEqual({ result: item, used: 'AAAAA' });
});
