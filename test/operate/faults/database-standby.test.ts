import { somebody, tokenOf } from '../../support/app.js';
import { sql } from '../../support/sql.js';
import { freePort, type ServiceProcess, startProcess, until } from '../process.js';
import { faultHooks } from './fault.js';
import { describeWithServer, PostgresServer } from './postgres.js';

/** Milliseconds in which an instance is ready again. */
const RECOVERY = 5_000;
const TIMEOUT = 120_000;

describeWithServer('an instance whose database accepts no changes', () => {
  let postgres: PostgresServer;
  let service: ServiceProcess;
  const headers = {
    authorization: `Bearer ${tokenOf(somebody())}`,
    'content-type': 'application/json',
  };
  let metricsPort: number;
  faultHooks(async () => {
    postgres = await PostgresServer.create();
    metricsPort = await freePort();
    service = await startProcess({
      DATABASE_URL: postgres.url,
      METRICS_PORT: String(metricsPort),
    });
    expect((await create('first')).status).toBe(200);
    return () => postgres.remove();
  });

  const create = (slug: string) =>
    fetch(`${service.url}/teams`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Team', slug }),
    });
  const ready = () => fetch(`${service.url}/health/ready`);
  const metric = async () =>
    /^teamspaces_ready (\d)$/m.exec(
      await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
    )?.[1];
  const about = () => service.lines().filter(({ msg }) => /^(not )?ready: /.test(String(msg)));

  test.each([
    ['a hot standby', () => postgres.demote(), () => postgres.promote()],
    [
      'under default_transaction_read_only',
      () => set('default_transaction_read_only = on'),
      () => set('default_transaction_read_only = off'),
    ],
  ])(
    '%s: it is not ready and says why once, until it accepts them again',
    async (what, begin, end) => {
      const before = about().length;
      await begin();
      await until(async () => (await ready()).status === 503 && about().length > before);
      const response = await ready();
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({
        error: { database: { status: 'down', message: 'read-only' } },
      });
      expect(await metric()).toBe('0');
      expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
      expect((await fetch(`${service.url}/teams`, { headers })).status).toBe(200);
      expect((await create('second')).status).toBe(500);

      await end();
      const start = performance.now();
      await until(async () => (await ready()).status === 200);
      expect(performance.now() - start).toBeLessThan(RECOVERY);
      expect(await metric()).toBe('1');
      expect((await create(what === 'a hot standby' ? 'third' : 'fourth')).status).toBe(200);
      await until(() => about().length > before + 1);
      expect(about().slice(before)).toEqual([
        expect.objectContaining({
          level: 'error',
          msg: 'not ready: the database is read-only (a standby, or default_transaction_read_only), so changes fail: connect to the primary',
        }),
        expect.objectContaining({ level: 'info', msg: 'ready: the database accepts changes' }),
      ]);
    },
    TIMEOUT,
  );

  async function set(setting: string): Promise<void> {
    await sql(postgres.url, `ALTER SYSTEM SET ${setting}`);
    await sql(postgres.url, 'SELECT pg_reload_conf()');
  }
});
