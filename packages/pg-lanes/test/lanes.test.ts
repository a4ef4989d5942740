import { jest } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import type { LaneErrorCode } from '../src/errors.js';
import { Lanes, type Transaction } from '../src/lanes.js';
import { manyRows, scan, write } from '../src/statements.js';

/** What `explain` makes of an error of the package. */
class Explained extends Error {}

const ONE = { name: 'test.one', text: 'SELECT 1 AS one' };
const BY = { callerId: 'ada', teamId: 'acme' };

let database: TestDatabase;
let lanes: Lanes;
let release: () => void;
const held: Promise<void>[] = [];
let stream: AsyncGenerator<unknown[], void>;
beforeAll(async () => {
  database = await createTestDatabase();
  lanes = new Lanes({
    ...{ connectionString: database.url, applicationName: 'test', hasSession: true },
    ...{ size: 4, checksRows: true, hasNoTimeouts: true },
    explain: ({ code }) => new Explained(code),
    onRetry: () => undefined,
  });
  // All that one caller may hold of each pool.
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = (run: (work: (tx: Transaction) => Promise<void>) => Promise<void>) =>
    new Promise<void>((isHeld) => {
      const work = async (tx: Transaction) => {
        await tx.query(ONE, []);
        isHeld();
        await released;
      };
      held.push(run(work));
    });
  await hold((work) => lanes.transaction(work, BY));
  await hold((work) => lanes.pipelined(BY, work));
  stream = lanes.large.forCaller('ada', [manyRows(ONE), []]);
  await stream.next();
});
afterAll(async () => {
  release();
  await stream.return();
  await Promise.all(held);
  await lanes.end();
  await database.drop();
});
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

test.each<[string, LaneErrorCode, () => Promise<unknown>]>([
  ['a write', 'busy', () => lanes.query(write(ONE), [], BY)],
  ['a scan', 'too_many_reads', () => lanes.query(scan(ONE), [], BY)],
  ['portions', 'too_many_reads', () => lanes.large.portions([manyRows(ONE), []], BY).next()],
  ['a stream', 'too_many_streams', () => lanes.large.forCaller('ada', [manyRows(ONE), []]).next()],
  ['a shared commit', 'busy', () => lanes.write(BY, [ONE, []])],
  ['a transaction', 'busy', () => lanes.transaction(async () => undefined, BY)],
  ['a pipelined transaction', 'busy', () => lanes.pipelined(BY, async () => undefined)],
])('%s that gets no connection in time is %s, as explained', async (_, code, run) => {
  const refused = run().catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(await refused).toBeInstanceOf(Explained);
  expect(await refused).toMatchObject({ message: code });
});
