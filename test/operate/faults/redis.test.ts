import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../support/build.js';
import { RedisServer } from '../external/redis-server.js';
import { endProcesses, type ServiceProcess } from '../process.js';
import { causeFault, printTable, startUnlimited, TIMEOUT } from './fault.js';
import { has } from './postgres.js';

/** Milliseconds of a fault. */
const LONG = 3_000;

let redis: RedisServer | null = null;
let service: ServiceProcess;
beforeAll(async () => {
  if (!has('redis-server', '--version')) return;
  await build();
  redis = await RedisServer.start();
  // A limit that nobody reaches, near which Redis decides: everyone is asked about all the time.
  service = await startUnlimited({ REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '1000000' });
}, 300_000);
afterAll(async () => {
  await endProcesses();
  await redis?.stop();
  printTable();
}, 60_000);

test.each([
  ['is killed and started again', 'SIGKILL'],
  ['accepts everything and answers nothing', 'SIGSTOP'],
] as const)(
  'Redis %s: nobody notices',
  async (what, signal) => {
    if (!redis) return;
    const server = redis;
    const asked = await causeFault(`Redis ${what}`, service, async () => {
      await server.stop(signal);
      await sleep(LONG);
      if (signal === 'SIGSTOP') await server.stop('SIGKILL');
      await server.start();
    });
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  },
  TIMEOUT,
);
