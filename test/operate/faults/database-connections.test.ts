import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { sql } from '../../support/sql.js';
import type { ServiceProcess } from '../process.js';
import { causeFault, faultHooks, startUnlimited, TIMEOUT } from './fault.js';
import { describeWithServer, PostgresServer } from './postgres.js';

/** Milliseconds of a fault. */
const LONG = 3_000;
const MOST_CONNECTIONS = 20;

describeWithServer('under a mixed load', () => {
  let postgres: PostgresServer;
  let service: ServiceProcess;
  faultHooks(async () => {
    postgres = await PostgresServer.create(
      `max_connections=${MOST_CONNECTIONS}`,
      'superuser_reserved_connections=0',
      'autovacuum=off',
    );
    service = await startUnlimited({ DATABASE_URL: postgres.url });
    return () => postgres.remove();
  });

  const KILL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'teamspaces'`;

  test(
    'the connections are killed, again and again',
    async () => {
      const { url } = postgres;
      await causeFault('connections killed, every 50 ms', service, async () => {
        for (const end = performance.now() + LONG; performance.now() < end; await sleep(50)) {
          await sql(url, KILL);
        }
      });
    },
    TIMEOUT,
  );

  /** Takes connections until there are none left. */
  async function takeAll(url: string, taken: pg.Client[]): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: url, application_name: 'others' });
      client.on('error', () => undefined);
      try {
        await client.connect();
        taken.push(client);
      } catch {
        return;
      }
    }
  }

  test(
    'every connection is taken by others',
    async () => {
      const { url } = postgres;
      const asked = await causeFault('every connection taken by others', service, async () => {
        const taken: pg.Client[] = [];
        await takeAll(url, taken);
        const [first] = taken as [pg.Client];
        // What the service loses, others take.
        while (taken.length < MOST_CONNECTIONS) {
          await Promise.all([first.query(KILL), takeAll(url, taken)]);
        }
        await sleep(LONG);
        await Promise.all(taken.map((client) => client.end()));
      });
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200, 500]));
    },
    TIMEOUT,
  );
});
