import pg from 'pg';
import { Metrics } from '../../src/observability/metrics.js';
import { type InsideService, somebody, startServiceInside } from '../support/app.js';
import { aTeam } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { waitingForLocks } from '../support/locks.js';

let service: InsideService;
beforeAll(async () => {
  service = await startServiceInside();
});
afterAll(() => service.stop());

testInside('a transaction that meets a deadlock is run again, and counted', async () => {
  const retries = async (reason: string) => {
    const text = await service.app.get(Metrics).read();
    const name = `teamspaces_transaction_retries_total{reason="${reason}"}`;
    return text.split('\n').find((line) => line.startsWith(name));
  };
  for (const reason of ['deadlock', 'serialization', 'connection', 'other']) {
    expect(await retries(reason)).toMatch(/ 0$/);
  }
  const ada = service.as(somebody());
  const team = await aTeam(ada);
  const holder = new pg.Client({ connectionString: service.databaseUrl });
  await holder.connect();
  // The service notices the deadlock, not we.
  await holder.query(`SET deadlock_timeout = '30s'`);
  await holder.query('BEGIN');
  await holder.query(
    'SELECT 1 FROM team_usage JOIN teams t ON t.id = team_id WHERE t.slug = $1 FOR UPDATE OF team_usage',
    [team],
  );
  const making = ada.post(`/teams/${team}/workspaces`, { name: 'New' }).then((answer) => answer);
  await waitingForLocks(service, 1);
  await holder.query('SELECT 1 FROM teams WHERE slug = $1 FOR UPDATE', [team]);
  await holder.query('COMMIT');
  await holder.end();
  expect((await making).status).toBe(200);
  expect(await retries('deadlock')).toMatch(/ 1$/);
});
