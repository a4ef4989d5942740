import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '../../support/programs.js';
import { RedisServer } from '../external/redis-server.js';
import type { ServiceProcess } from '../process.js';
import { causeFault, faultHooks, startUnlimited, TIMEOUT } from './fault.js';

/** Milliseconds of a fault. */
const LONG = 3_000;

describeWith('redis-server')('under a mixed load', () => {
  let redis: RedisServer;
  let service: ServiceProcess;
  faultHooks(async () => {
    redis = await RedisServer.start();
    // A limit that nobody reaches, near which Redis decides: everyone is asked about all the time.
    service = await startUnlimited({ REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '1000000' });
    return () => redis.stop();
  });

  test.each([
    ['is killed and started again', 'SIGKILL'],
    ['accepts everything and never responds', 'SIGSTOP'],
  ] as const)(
    'Redis %s: nobody notices',
    async (what, signal) => {
      const asked = await causeFault(`Redis ${what}`, service, async () => {
        await redis.stop(signal);
        await sleep(LONG);
        if (signal === 'SIGSTOP') await redis.stop('SIGKILL');
        await redis.start();
      });
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    },
    TIMEOUT,
  );
});
