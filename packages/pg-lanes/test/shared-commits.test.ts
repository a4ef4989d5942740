import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.js';
import { Lanes } from '../src/lanes.js';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
  await client.query('CREATE TABLE things (name text UNIQUE, at timestamptz DEFAULT now())');
});
beforeEach(() => client.query('DELETE FROM things'));
afterAll(async () => {
  await client.end();
  await database.drop();
});

const INSERT = { name: 'test.insert', text: 'INSERT INTO things VALUES ($1) RETURNING name' };
const COUNT = { name: 'test.count', text: 'SELECT count(*)::int FROM things' };
const RENAME = { name: 'test.rename', text: 'UPDATE things SET name = $2 WHERE name = $1' };

const names = async () =>
  (await client.query('SELECT name FROM things ORDER BY name')).rows.map(({ name }) => name);

describe.each([
  ['in a session', true],
  ['through a pooler', false],
])('%s', (_, hasSession) => {
  let lanes: Lanes;
  beforeEach(() => {
    lanes = new Lanes({
      ...{ connectionString: database.url, applicationName: 'test', hasSession },
      // One connection for writers.
      ...{ size: 4, checksRows: true },
      explain: ({ code }) => new Error(code),
      onRetry: () => undefined,
    });
  });
  afterEach(() => lanes.end());

  const insert = (name: string, teamId = 'acme') => lanes.write({ teamId }, [[INSERT, [name]]]);

  test('the statements of a write run one after the other, in one transaction', async () => {
    const written = lanes.write({ teamId: 'acme' }, [
      [INSERT, ['a']],
      [COUNT, []],
      [RENAME, ['a', 'b']],
      [INSERT, ['a']],
      [COUNT, []],
    ]);
    expect(await written).toEqual([
      [{ name: 'a' }],
      [{ count: 1 }],
      [],
      [{ name: 'a' }],
      [{ count: 2 }],
    ]);
    const { rows } = await client.query('SELECT DISTINCT at FROM things');
    expect([await names(), rows.length]).toEqual([['a', 'b'], 1]);
  });

  test('nothing is written if one fails, and its connection prepares what was left out', async () => {
    await insert('a');
    for (const failing of [INSERT, { name: 'test.wrong', text: 'SELECT FROM nothing WHERE $1' }]) {
      const written = lanes.write({ teamId: 'acme' }, [
        [INSERT, ['b']],
        [failing, ['a']],
        [RENAME, ['b', 'c']],
      ]);
      await expect(written).rejects.toThrow(/duplicate key|does not exist/);
      expect(await names()).toEqual(['a']);
    }
    await lanes.write({ teamId: 'acme' }, [[RENAME, ['a', 'z']]]);
    await insert('b');
    expect(await names()).toEqual(['b', 'z']);
  });

  test('a value that cannot be sent fails before anything is', async () => {
    const endless: unknown[] = [];
    endless.push({ endless });
    const written = lanes.write({ teamId: 'acme' }, [
      [INSERT, ['a']],
      [INSERT, [{ endless }]],
    ]);
    await expect(written).rejects.toThrow('outcome_unknown');
    await insert('b');
    expect(await names()).toEqual(['b']);
  });

  test('what fails in a commit of several teams fails alone', async () => {
    await insert('a');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = lanes.pipelined({ teamId: 'holder' }, () => released);
    const together = ['b', 'a', 'c'].map((name, n) => insert(name, `team ${n}`));
    release();
    await held;
    const settled = await Promise.allSettled(together);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  test('writes of several teams that wait for a connection are committed together', async () => {
    const held = lanes.pipelined(
      { teamId: 'holder' },
      async (tx) => void (await tx.query(COUNT, [])),
    );
    await Promise.all(['a', 'b', 'c'].map((name, n) => insert(name, `team ${n}`)));
    await held;
    const { rows } = await client.query('SELECT DISTINCT at FROM things');
    expect([await names(), rows.length]).toEqual([['a', 'b', 'c'], 1]);
  });
});
