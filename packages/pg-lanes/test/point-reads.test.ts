import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { PipelinedReads } from '../src/pipelined-reads.js';
import { point } from '../src/statements.js';

let database: TestDatabase;
let client: pg.Client;
let reads: PipelinedReads;

const connect = (): PipelinedReads =>
  new PipelinedReads(
    { connectionString: database.url, Client: pg.Client, pipeline: true, checksRows: true },
    2,
  );

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  reads = connect();
});
afterAll(async () => {
  await reads.end();
  await client.end();
  await database.drop();
});

test('the columns of a statement are those of its latest result, whatever a migration has changed', async () => {
  const statement = point(1, { name: 'test.things', text: 'SELECT * FROM things' });
  const read = () => reads.read(statement, []);
  await client.query(`CREATE TABLE things AS SELECT 1 AS a, 'x' AS b`);
  expect(await Promise.all([read(), read()])).toEqual([[{ a: 1, b: 'x' }], [{ a: 1, b: 'x' }]]);
  for (const [change, row] of [
    ['ALTER a TYPE text USING a::text', { a: '1', b: 'x' }],
    ['RENAME b TO c', { a: '1', c: 'x' }],
    ['ADD d timestamptz', { a: '1', c: 'x', d: null }],
    ['DROP c', { a: '1', d: null }],
  ] as const) {
    await client.query(`ALTER TABLE things ${change}`);
    // PostgreSQL keeps to what a connection has prepared: only a new one sees other columns.
    await reads.end();
    reads = connect();
    expect(await read()).toEqual([row]);
  }
});

test('reads of one turn of the event loop run in their order', async () => {
  const next = point(1, { name: 'test.next', text: `SELECT nextval('numbers')::int AS n` });
  await client.query('CREATE SEQUENCE numbers');
  const all = await Promise.all(
    Array.from({ length: 50 }, () => reads.read<{ n: number }>(next, [])),
  );
  expect(all.map(([row]) => row?.n)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
});

test('a read that returns more rows than it states fails, where that is checked', async () => {
  const two = point(1, { name: 'test.two', text: 'SELECT * FROM generate_series(1, 2) n' });
  await expect(reads.read(two, [])).rejects.toThrow(
    'test.two states 1 rows at most, and returned 2',
  );
});
