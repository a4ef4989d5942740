import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type ServiceProcess, until } from '../process.js';
import { causeFault, faultHooks, startUnlimited, TIMEOUT } from './fault.js';
import { describeWithServer, PostgresServer } from './postgres.js';

/** Milliseconds for which the database is away. */
const AWAY = 2_500;

describeWithServer('under a mixed load', () => {
  let postgres: PostgresServer;
  let service: ServiceProcess;
  let metrics: string;
  faultHooks(async () => {
    postgres = await PostgresServer.create();
    const METRICS_PORT = String(await freePort());
    metrics = `http://127.0.0.1:${METRICS_PORT}/metrics`;
    service = await startUnlimited({ DATABASE_URL: postgres.url, METRICS_PORT });
    return () => postgres.remove();
  });

  const readiness = async (): Promise<number> =>
    (await fetch(`${service.url}/health/ready`)).status;

  /** What the alert TeamspacesNotReady reads, and that the process lives. */
  async function observed() {
    const live = await fetch(`${service.url}/health/live`);
    const scraped = await fetch(metrics);
    const [, ready] = /^teamspaces_ready (\d)$/m.exec(await scraped.text()) ?? [];
    return { live: live.status, scraped: scraped.status, ready };
  }

  test.each(['fast', 'immediate'] as const)(
    'the database is stopped (%s) and started again',
    async (mode) => {
      const asked = await causeFault(
        `database stopped (${mode}) and started`,
        service,
        async () => {
          await postgres.stop(mode);
          await until(async () => (await readiness()) === 503);
          await sleep(AWAY);
          expect(await observed()).toEqual({ live: 200, scraped: 200, ready: '0' });
          expect(await readiness()).toBe(503);
          await postgres.start();
        },
      );
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 500]));
      expect(await observed()).toEqual({ live: 200, scraped: 200, ready: '1' });
    },
    TIMEOUT,
  );
});
