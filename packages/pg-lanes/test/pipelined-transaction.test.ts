import { jest } from '@jest/globals';
import type { PipelinedClient } from '../src/pipelined-reads.js';
import { PipelinedTransaction } from '../src/pipelined-transaction.js';

const STATEMENT = { name: 'statement', text: 'SELECT' };

/** A transaction on a connection whose server responds when the test says so. */
function aTransaction() {
  const sent: string[] = [];
  let responses: (() => void)[] = [];
  const query = (given: string | { text: string }) => {
    const text = typeof given === 'string' ? given : given.text;
    sent.push(text);
    return new Promise((resolve) => {
      responses.push(() => resolve({ rows: [], command: text }));
    });
  };
  const stream = { cork: () => undefined, uncork: () => undefined };
  const client = { connection: { stream }, query } as unknown as PipelinedClient;
  const respond = async () => {
    for (const each of responses.splice(0)) each();
    responses = [];
    await jest.advanceTimersByTimeAsync(0);
  };
  return { tx: new PipelinedTransaction(client), sent, respond };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a transaction that takes too long is given up: its COMMIT never leaves', async () => {
  const { tx, sent, respond } = aTransaction();
  const work = async () => {
    await tx.query(STATEMENT, []);
    await tx.commit();
  };
  const done = tx.orGivenUp(work(), 8_000).catch(({ code }) => code);
  await jest.advanceTimersByTimeAsync(8_001);
  expect(await done).toBe('busy');
  await respond();
  expect(sent).toEqual(['BEGIN', 'SELECT']);
});

test('one whose COMMIT has left is waited for: it may succeed', async () => {
  const { tx, sent, respond } = aTransaction();
  const done = tx.orGivenUp(tx.commit([[STATEMENT, []]]), 8_000);
  await jest.advanceTimersByTimeAsync(8_001);
  expect(sent).toEqual(['BEGIN', 'SELECT', 'COMMIT']);
  await respond();
  expect(await done).toEqual([[]]);
});
