import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { build } from '../../support/build.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { endProcesses, type ServiceProcess } from '../process.js';
import { causeFault, printTable, startUnlimited, TIMEOUT } from './fault.js';
import { type SilentProxy, startSilentProxy } from './silent-proxy.js';

/** Milliseconds of a fault: longer than any request may take. */
const LONG = 11_000;

let database: TestDatabase;
let proxy: SilentProxy;
let service: ServiceProcess;
beforeAll(async () => {
  await build();
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await startSilentProxy(Number(url.port || 5432));
  url.host = `127.0.0.1:${proxy.port}`;
  service = await startUnlimited({ DATABASE_URL: url.href });
}, 300_000);
afterAll(async () => {
  await endProcesses();
  await proxy.stop();
  await database.drop();
  printTable();
}, 60_000);

/** Holds a lock in a session of its own. */
async function hold(lock: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(lock);
  await sleep(LONG);
  await client.query('COMMIT');
  await client.end();
}

test.each([
  ['the rows of the workspaces', 'SELECT FROM workspaces FOR UPDATE'],
  ['the table of collections', 'LOCK TABLE collections IN ACCESS EXCLUSIVE MODE'],
  ['the row of the team', 'SELECT FROM teams FOR UPDATE'],
])(
  'another session holds a lock on %s',
  async (what, lock) => {
    await causeFault(`another session locks ${what}`, service, () => hold(lock));
  },
  TIMEOUT,
);

test(
  'the network to the database falls silent',
  async () => {
    const asked = await causeFault('network to the database silent', service, async () => {
      proxy.fallSilent();
      await sleep(LONG);
      const { status } = await fetch(`${service.url}/health/ready`);
      expect(status).toBe(503);
      proxy.goOn();
    });
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 500]));
  },
  TIMEOUT,
);
