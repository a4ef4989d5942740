import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { Lanes } from '../src/lanes.js';

let database: TestDatabase;
let client: pg.Client;
let lanes: Lanes;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await client.query('CREATE TABLE things (name text UNIQUE, at timestamptz DEFAULT now())');
  lanes = new Lanes({
    ...{ connectionString: database.url, applicationName: 'test', hasSession: true },
    // One connection for writers.
    ...{ size: 4, checksRows: true },
    explain: ({ code }) => new Error(code),
    onRetry: () => undefined,
  });
});
beforeEach(() => client.query('DELETE FROM things'));
afterAll(async () => {
  await lanes.end();
  await client.end();
  await database.drop();
});

const INSERT = { name: 'test.insert', text: 'INSERT INTO things VALUES ($1) RETURNING name' };

const insert = (name: string, teamId = 'acme') => lanes.write({ teamId }, [INSERT, [name]]);
const names = async () =>
  (await client.query('SELECT name FROM things ORDER BY name')).rows.map(({ name }) => name);

/** Writes of several teams that have waited for the same connection. */
async function together(written: string[]) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = lanes.pipelined({ teamId: 'holder' }, () => released);
  const writes = written.map((name, n) => insert(name, `team ${n}`));
  release();
  await held;
  return (await Promise.allSettled(writes)).map(({ status }) => status);
}

test('what waits for a connection is committed together', async () => {
  expect(await together(['a', 'b', 'c'])).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  const { rows } = await client.query('SELECT DISTINCT at FROM things');
  expect([await names(), rows.length]).toEqual([['a', 'b', 'c'], 1]);
});

test('what is refused in a shared commit fails alone', async () => {
  await insert('a');
  expect(await together(['b', 'a', 'c'])).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await names()).toEqual(['a', 'b', 'c']);
});
