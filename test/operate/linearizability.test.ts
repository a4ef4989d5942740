import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Instances } from '../linearizability/campaign.js';
import { startService, type TestService } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.js';
import { assertInvariants } from '../support/invariants.js';
import { sql } from '../support/sql.js';
import { endProcesses, freePort, type ServiceProcess, startProcess } from './process.js';

// Concurrent histories of two instances on one database, each checked against a tree that does one
// command after another (test/linearizability). SEED=… repeats what the clients of a history want.

const NIGHTLY = process.env.NIGHTLY === '1';
/** Milliseconds for each kind of fault. */
const TIME = NIGHTLY ? 120_000 : 10_000;
const TIMEOUT = TIME + 120_000;
const LIMITS = { PLAN_LIMITS: '{"free":{"pages":0,"workspaces":0}}' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => assertInvariants(database.url));
afterAll(() => database.drop());

const chance = (probability: number): boolean => Math.random() < probability;

describe('two instances', () => {
  /** Few connections: with several teams at once, their commits are shared. */
  const FEW = { ...LIMITS, DATABASE_POOL_SIZE: '4' };
  let proxy: DatabaseProxy;
  let services: TestService[];
  let instances: Instances;
  beforeAll(async () => {
    proxy = await startDatabaseProxy(database.url);
    services = [await startService(FEW, proxy.url), await startService(FEW, proxy.url)];
    instances = { count: 2, urlOf: (n) => (services[n] as TestService).url };
  }, 60_000);
  afterEach(() => {
    proxy.decide = () => 'pass';
    proxy.cutAt = () => null;
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await proxy.stop();
  });
  const OPTIONS = { time: TIME, least: 20, together: 4 };

  test('while nothing fails', () => check('quiet', instances, OPTIONS), TIMEOUT);

  test(
    'while sessions of the database are terminated',
    async () => {
      const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'teamspaces'
          AND random() < CASE state WHEN 'idle' THEN 0.1 ELSE 0.5 END`;
      const beside = async (progress: () => number) => {
        for (let n = 40; n < 340; n += 30) {
          await until(progress, n);
          await sql(database.url, kill);
        }
      };
      await check('sessions terminated', instances, { ...OPTIONS, beside });
    },
    TIMEOUT,
  );

  test(
    'while connections to the database are cut at any byte',
    async () => {
      const beside = async (progress: () => number) => {
        await until(progress, 30);
        proxy.cutAt = (bytes) => (chance(0.03) ? Math.floor(Math.random() * bytes) : null);
        await until(progress, 250);
        proxy.cutAt = () => null;
      };
      await check('connections cut', instances, { ...OPTIONS, beside });
    },
    TIMEOUT,
  );

  test(
    'while commits are lost, or their confirmations',
    async () => {
      const beside = async (progress: () => number) => {
        await until(progress, 30);
        proxy.decide = ({ name, text }) => {
          const isCommit = text === 'COMMIT' || name.endsWith('Guarded');
          if (!isCommit || !chance(0.1)) return 'pass';
          return chance(0.3) ? 'cut before' : 'cut after';
        };
        // Fewer than the clients of four histories send in any case.
        await until(progress, 380);
        proxy.decide = () => 'pass';
      };
      await check('confirmations lost', instances, { ...OPTIONS, beside });
    },
    TIMEOUT,
  );
});

describe('two processes', () => {
  const processes: ServiceProcess[] = [];
  const start = (port: number) =>
    startProcess({
      ...LIMITS,
      LOG_LEVEL: 'error',
      DATABASE_URL: database.url,
      PORT: String(port),
    });
  beforeAll(async () => {
    for (let n = 0; n < 2; n++) processes.push(await start(await freePort()));
  }, 300_000);
  afterAll(() => endProcesses());

  test(
    'while one of them is killed and started again',
    async () => {
      const instances = { count: 2, urlOf: (n: number) => (processes[n] as ServiceProcess).url };
      const together = 8;
      let killed = 0;
      const beside = async (progress: () => number) => {
        await until(progress, together * (20 + Math.random() * 60));
        const n = killed++ % 2;
        const { port, end } = processes[n] as ServiceProcess;
        await end('SIGKILL');
        processes[n] = await start(port);
      };
      await check('killed', instances, { time: TIME, least: 16, together, beside });
    },
    TIMEOUT,
  );
});

/** Waits until this many operations have begun or ended. */
async function until(progress: () => number, count: number): Promise<void> {
  while (progress() < count) await sleep(1);
}
