import type pg from 'pg';
import { PipelinedReads } from '../../src/database/pipelined-reads.js';

/** Connections that are made when the test says so, and the names of what they have sent. */
function fakeConnections() {
  const connects: (() => void)[] = [];
  const sent: string[] = [];
  class Client {
    private readonly written: string[] = [];
    readonly connection = {
      stream: { cork: () => undefined, uncork: () => sent.push(...this.written.splice(0)) },
    };
    on = () => this;
    connect = () => new Promise<void>((resolve) => connects.push(resolve));
    query({ name }: { name: string }) {
      this.written.push(name);
      return Promise.resolve({ rows: [] });
    }
  }
  return { Client: Client as unknown as typeof pg.Client, connects, sent };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('nobody shares a read that has left, also where its connection is new', async () => {
  const { Client, connects, sent } = fakeConnections();
  const reads = new PipelinedReads({ Client });
  const ask = (name: string) => void reads.query({ name, text: name, values: [] });
  // Each of the two connections is awaited in a turn of its own.
  ask('one');
  await turn();
  ask('two');
  await turn();
  // The first is there, and will send at the end of this turn; just before, the next one begins on it.
  const later = new Promise<void>((resolve) => {
    setImmediate(() => {
      ask('three');
      setTimeout(resolve, 1);
      for (const start = performance.now(); performance.now() - start < 5; );
    });
  });
  connects[0]?.();
  await later;
  expect(sent).toEqual(['one', 'three']);
  ask('three');
  await turn();
  await turn();
  expect(sent).toEqual(['one', 'three', 'three']);
});
