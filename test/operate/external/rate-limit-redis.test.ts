import { setTimeout as sleep } from 'node:timers/promises';
import { type Person, somebody, startService, type TestService } from '../../support/app.js';
import { describeWith } from '../../support/programs.js';
import { type SilentProxy, startSilentProxy } from '../faults/silent-proxy.js';
import { until } from '../process.js';
import { RedisServer } from './redis-server.js';

const LIMIT = 10;

let redis: RedisServer;
let services: [TestService, TestService];

/** Asks the instances in turns. */
const ask = async (person: Person, turn: number): Promise<number> =>
  (await (services[turn % 2] as TestService).as(person).get('/me')).status;

describeWith('redis-server')('two instances with one Redis', () => {
  beforeAll(async () => {
    redis = await RedisServer.start();
    const env = { RATE_LIMIT_PER_MINUTE: String(LIMIT), REDIS_URL: redis.url };
    const first = await startService(env);
    services = [first, await startService({ ...env, DATABASE_URL: first.databaseUrl })];
  });
  afterAll(async () => {
    for (const service of services.reverse()) await service.stop();
    await redis.stop();
  });

  test('count a user together', async () => {
    const ada = somebody();
    for (let turn = 0; turn < LIMIT; turn++) expect(await ask(ada, turn)).toBe(200);
    expect([await ask(ada, 0), await ask(ada, 1)]).toEqual([429, 429]);
  });

  test('admit exactly as many at the same moment as the limit says', async () => {
    const ada = somebody();
    const statuses = await Promise.all(
      Array.from({ length: LIMIT * 3 }, (_, turn) => ask(ada, turn)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(LIMIT * 2);
  });

  test('count each by itself while Redis hangs or is gone, and together when it is back', async () => {
    const [ada, bob] = [somebody(), somebody('Bob')];
    await redis.stop('SIGSTOP');
    expect(await ask(bob, 0)).toBe(200);
    await redis.stop();
    for (let i = 0; i < LIMIT; i++) expect(await ask(ada, 0)).toBe(200);
    expect([await ask(ada, 0), await ask(ada, 1)]).toEqual([429, 200]);

    await redis.start();
    await until(async () => {
      const eve = somebody('Eve');
      for (let turn = 0; turn < LIMIT; turn++) await ask(eve, turn);
      return (await ask(eve, 0)) === 429 && (await ask(eve, 1)) === 429;
    });
  });
});

describeWith('redis-server')('one instance whose Redis takes its time', () => {
  const GENEROUS = 1_000;
  let server: RedisServer;
  let proxy: SilentProxy;
  let service: TestService;
  beforeAll(async () => {
    server = await RedisServer.start();
    proxy = await startSilentProxy(server.port);
    service = await startService({
      RATE_LIMIT_PER_MINUTE: String(GENEROUS),
      REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
    });
  });
  afterAll(async () => {
    await service.stop();
    await proxy.stop();
    await server.stop();
  });

  test('counts the requests that come while Redis is being asked', async () => {
    // A round shows something where Redis responds within 100 ms: most do, on a busy machine, too.
    const wrong: object[] = [];
    for (let round = 0; round < 10; round++) {
      const ada = service.as(somebody());
      const used = async (): Promise<number> =>
        GENEROUS - Number(/;r=(\d+);/.exec((await ada.get('/me')).headers.ratelimit ?? '')?.[1]);
      await used();
      proxy.fallSilent();
      const asked = [1, 2, 3].map(used);
      await sleep(20);
      proxy.goOn();
      const counted = (await Promise.all(asked)).sort();
      const next = await used();
      if (counted.join() !== '2,3,4' || next !== 5) wrong.push({ round, counted, next });
    }
    expect(wrong).toEqual([]);
  });
});
