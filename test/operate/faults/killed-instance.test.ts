import { setTimeout as sleep } from 'node:timers/promises';
import { startHaproxy } from '../../instances/haproxy.js';
import { describeWith } from '../../support/programs.js';
import { freePort, type ServiceProcess } from '../process.js';
import { assertResponses, countLost } from './consistency.js';
import { addRow, ownDatabase, startUnlimited, TIMEOUT, verify } from './fault.js';
import { MixedLoad } from './mixed-load.js';

const TIMES = 4;
/** Milliseconds of load before a kill. */
const LONG = 1_200;
/** Milliseconds in which every kind of request succeeds again, with the other instance alone. */
const RECOVERY = 5_000;

const database = ownDatabase();

describeWith('haproxy')('two instances behind the balancer', () => {
  test(
    'one is killed in the midst of writes: what is safe to repeat succeeds, and nothing is lost or done twice',
    async () => {
      const start = async () =>
        startUnlimited({ DATABASE_URL: database.url, PORT: String(await freePort()) });
      const instances: ServiceProcess[] = [await start(), await start()];
      const balancer = await startHaproxy(instances.map(({ port }) => port));
      const load = await MixedLoad.prepare(balancer.url);
      load.start();
      let slowest = 0;
      for (let n = 0; n < TIMES; n++) {
        await sleep(LONG);
        const { port } = instances[n % 2] as ServiceProcess;
        const killed = performance.now();
        await instances[n % 2]?.end('SIGKILL');
        while (load.recoveredAt(killed) === null && performance.now() < killed + 3 * RECOVERY) {
          await sleep(20);
        }
        slowest = Math.max(
          slowest,
          (load.recoveredAt(killed) ?? Number.POSITIVE_INFINITY) - killed,
        );
        const env = { DATABASE_URL: database.url, PORT: String(port) };
        instances[n % 2] = await startUnlimited(env);
      }
      await sleep(LONG);
      await load.stop();

      const repeatable = load.asked.filter(
        ({ kind, key }) => key !== null || kind === 'tree' || kind === 'read',
      );
      const failed = repeatable.filter(({ status }) => status !== 200);
      expect(failed).toEqual([]);
      expect(load.asked.filter(({ status }) => status !== 200)).not.toEqual([]);
      assertResponses(load.asked, { mayBeCut: true, byBalancer: true });
      const lost = await countLost(load);
      addRow(`SIGKILL of one of two instances, ${TIMES} times`, load.asked, slowest, null, lost);
      expect(slowest).toBeLessThan(RECOVERY);
      await balancer.stop();
      await verify(database.url);
    },
    TIMEOUT,
  );
});
