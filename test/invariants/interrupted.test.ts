import { Agent, get } from 'node:http';
import { somebody, startService, tokenOf } from '../support/app.js';
import { anItem, aWorkspace, type ItemBody, ok, theTree } from '../support/builders.js';
import { testInside } from '../support/inside.js';
import { assertInvariants } from '../support/invariants.js';
import { scene } from '../support/scene.js';
import { sql } from '../support/sql.js';
import { everyItem, idsOf, usageOf } from '../support/tree.js';

const at = scene({ once: 'team' });
beforeAll(async () => {
  for (let count = 0; count < 8; count++) {
    const { query } = await aWorkspace(at.ada, at.team);
    parents.push({ query, id: (await anItem(at.ada, query)).id });
  }
});
/** A collection in each of several workspaces: in one of its own, a change waits for no other. */
const parents: { id: string; query: string }[] = [];

/** Twelve clients that each run `step` fifteen times, one after another. */
async function twelveClients(step: () => Promise<unknown>): Promise<void> {
  const client = async () => {
    for (let count = 0; count < 15; count++) await step();
  };
  await Promise.all(Array.from({ length: 12 }, client));
}

/** A new page somewhere, as a request not sent yet. */
const create = () => {
  const { id, query } = parents[Math.floor(Math.random() * parents.length)] ?? {};
  return at.ada.post(`/collections${query}`, { object: 'item', parent: id });
};

/** What was acknowledged is there, and what is there is whole. */
async function assertWhole(acknowledged: readonly string[]): Promise<void> {
  let shown: ItemBody[];
  let before: number;
  let after: number;
  // Nobody waits for what the service may still be at: read until nothing has changed meanwhile.
  do {
    shown = [];
    before = (await usageOf(at.ada, at.team)).pages;
    for (const { id, query } of parents) {
      // This waits for the workspace's lock.
      await ok(at.ada.put(`/collections/${id}`, { parent: null }));
      shown.push(...everyItem(await theTree(at.ada, query)));
    }
    after = (await usageOf(at.ada, at.team)).pages;
  } while (before !== after);
  expect(idsOf(shown)).toEqual(expect.arrayContaining([...acknowledged]));
  expect(shown.filter(({ object }) => object === 'item')).toHaveLength(after);
  await assertInvariants(at.databaseUrl);
}

test('callers that hang up half-way leave no half of anything', async () => {
  const acknowledged: string[] = [];
  await twelveClients(async () => {
    const request = create().timeout(5 + Math.random() * 100);
    const answer = await request.catch(() => undefined);
    if (!answer) return;
    expect(answer.status).toBe(200);
    acknowledged.push((answer.body as ItemBody).id);
  });
  await assertWhole(acknowledged);
});

test('connections to the database that die half-way leave no half of anything', async () => {
  const acknowledged: string[] = [];
  let over = false;
  const shoot = async () => {
    while (!over) {
      await sql(
        at.databaseUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'teamspaces'
          AND random() < 0.3`,
      );
      await new Promise((wake) => setTimeout(wake, 5));
    }
  };
  const clients = twelveClients(async () => {
    const { status, body } = await create();
    // 500: its connection was shot.
    expect([200, 500]).toContain(status);
    if (status === 200) acknowledged.push((body as ItemBody).id);
  });
  const shooter = shoot();
  await clients.finally(() => {
    over = true;
  });
  await shooter;
  await assertWhole(acknowledged);
});

testInside('a service that shuts down answers what has reached it', async () => {
  const leaving = await startService({ RATE_LIMIT_PER_MINUTE: '0' });
  const agent = new Agent({ keepAlive: true });
  const authorization = `Bearer ${tokenOf(somebody())}`;
  const statuses: (number | undefined)[] = [];
  const read = () =>
    new Promise<boolean>((done) => {
      get(`${leaving.url}/teams`, { agent, headers: { authorization } }, (answer) => {
        statuses.push(answer.statusCode);
        answer.resume().on('close', () => done(true));
      }).on('error', () => done(false)); // It closed the connection, or accepts none any more.
    });
  const client = async () => {
    while (await read());
  };
  const clients = Array.from({ length: 8 }, client);
  while (statuses.length < 80) await new Promise((wake) => setTimeout(wake, 10));
  await leaving.stop();
  await Promise.all(clients);
  agent.destroy();
  expect(new Set(statuses)).toEqual(new Set([200]));
});
