import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { somebody, tokenOf } from '../../support/app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type HeldLock, holdLock } from '../../support/locks.js';
import type { ServiceProcess } from '../process.js';
import { causeFault, faultHooks, startUnlimited, TIMEOUT } from './fault.js';
import { type SilentProxy, startSilentProxy } from './silent-proxy.js';

/** Milliseconds of a fault: longer than any request may take. */
const LONG = 11_000;

let database: TestDatabase;
let proxy: SilentProxy;
let service: ServiceProcess;
faultHooks(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  proxy = await startSilentProxy(Number(url.port || 5432));
  url.host = `127.0.0.1:${proxy.port}`;
  service = await startUnlimited({ DATABASE_URL: url.href });
  return async () => {
    await proxy.stop();
    await database.drop();
  };
});

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
  // In the order in which transfers lock two of them.
  ['the rows of the workspaces', 'SELECT FROM workspaces ORDER BY id FOR UPDATE'],
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
  'a read with several long waits returns an error in time, HEAD with the head of GET',
  async () => {
    const person = somebody();
    /** A caller whose name is new: the record is written before anything is read. */
    const ask = async (name: string, method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${tokenOf({ ...person, name })}`,
        ...(body && { 'content-type': 'application/json' }),
      };
      const response = await fetch(`${service.url}${path}`, {
        ...{ method, headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    await ask('Ada', 'POST', '/teams', { name: 'Team', slug: 'slow-reads' });
    await ask('Ada', 'POST', '/teams/slow-reads/workspaces', { name: 'Docs' });
    const path = '/teams/slow-reads/workspaces/docs/collections';
    const page = await ask('Ada', 'POST', path, { object: 'item' });
    expect(page.status).toBe(200);
    // Each wait is shorter than one for a lock may be.
    const holders: HeldLock[] = [];
    for (const table of ['users', 'workspaces', 'collections']) {
      const lock = `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`;
      holders.push(await holdLock(database.url, lock, []));
    }
    const responses = Promise.all([ask('Get', 'GET', path), ask('Head', 'HEAD', path)]);
    for (const holder of holders) {
      await sleep(3_400);
      await holder.release();
    }
    const [get, head] = await responses;
    expect([get.status, get.text]).toEqual([500, expect.stringContaining('longer than 9 seconds')]);
    expect(head.status).toBe(500);
    for (const name of ['content-type', 'content-length']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
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
    const statuses = new Set(asked.map(({ status }) => status));
    // What waited for a batch that hung, and had not begun (decisions 8.4).
    statuses.delete(409);
    expect(statuses).toEqual(new Set([200, 500]));
  },
  TIMEOUT,
);
