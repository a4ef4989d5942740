import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../support/build.js';
import { endProcesses, type ServiceProcess, until } from '../process.js';
import { causeFault, printTable, startUnlimited, TIMEOUT } from './fault.js';
import { describeWithServer, PostgresServer } from './postgres.js';

/** Milliseconds for which the database is away. */
const AWAY = 2_500;

describeWithServer('under a mixed load', () => {
  let postgres: PostgresServer;
  let service: ServiceProcess;
  beforeAll(async () => {
    await build();
    postgres = await PostgresServer.create();
    service = await startUnlimited({ DATABASE_URL: postgres.url });
  }, 300_000);
  afterAll(async () => {
    await endProcesses();
    await postgres.remove();
    printTable();
  }, 60_000);

  const readiness = async (): Promise<number> =>
    (await fetch(`${service.url}/health/ready`)).status;

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
          expect(await readiness()).toBe(503);
          await postgres.start();
        },
      );
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 500]));
    },
    TIMEOUT,
  );
});
