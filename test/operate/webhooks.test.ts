import { setTimeout as sleep } from 'node:timers/promises';
import { tokenOf } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { startReceiver, verify, WEBHOOK_ENV } from '../support/receiver.js';
import { endProcesses, type ServiceProcess, startProcess, until } from './process.js';

afterAll(endProcesses);

const ada = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };

/** Sends a request as Ada. @returns the body of the response, which must be 200 */
async function send<Body>({ url }: ServiceProcess, route: string, body?: object): Promise<Body> {
  const [method = '', path] = route.split(' ');
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf(ada)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text) as Body;
}

async function startBoth() {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, ...WEBHOOK_ENV };
  const one = await startProcess(env);
  await send(one, 'POST /teams', { name: 'Acme', slug: 'acme' });
  await send(one, 'POST /teams/acme/workspaces', { name: 'Docs' });
  return { one, other: () => startProcess(env), database };
}

const QUERY = '?team_slug=acme&workspace_slug=docs';
const save = (service: ServiceProcess) => send(service, `POST /collections${QUERY}`, {});
const make = (service: ServiceProcess, url: string) =>
  send<{ _id: string; secret: string }>(service, 'POST /teams/acme/webhooks', {
    url,
    events: ['workspace.changed'],
  });

test('an instance that is killed while it sends is succeeded within a minute, by the same message', async () => {
  const receiver = await startReceiver();
  const { one, other, database } = await startBoth();
  // Nobody answers: the message is on its way when its instance dies.
  receiver.next(() => undefined);
  const { secret } = await make(one, receiver.url);
  await save(one);
  const [lost] = await receiver.arrival(1);
  await one.end('SIGKILL');
  const killed = performance.now();
  const successor = await other();
  await save(successor);
  await until(() => receiver.received.length === 2);
  expect(performance.now() - killed).toBeLessThan(60_000);
  const [, again] = receiver.received;
  if (!lost || !again) throw new Error('no message');
  expect([again.id, again.text]).toEqual([lost.id, lost.text]);
  verify(secret, again);
  // What was saved meanwhile is the next one, of the newest state.
  await until(() => receiver.received.length === 3);
  const { version } = await send<{ version: string }>(successor, 'GET /teams/acme/workspaces/docs');
  expect(receiver.received[2]?.body.data.version).toBe(version);
  expect(receiver.most()).toBe(1);
  await receiver.stop();
  await endProcesses();
  await database.drop();
}, 180_000);

test('two instances send each message once, and none of a webhook at the same time', async () => {
  const receivers = await Promise.all(Array.from({ length: 5 }, () => startReceiver()));
  const { one, other, database } = await startBoth();
  const second = await other();
  for (const receiver of receivers) {
    receiver.always((response) => void setTimeout(() => response.end('ok'), 300));
    await make(one, receiver.url);
  }
  const end = performance.now() + 15_000;
  while (performance.now() < end) {
    await Promise.all([save(one), save(second)]);
    await sleep(200);
  }
  const { version } = await send<{ version: string }>(second, 'GET /teams/acme/workspaces/docs');
  for (const receiver of receivers) {
    await until(() => receiver.received.at(-1)?.body.data.version === version);
    expect(receiver.most()).toBe(1);
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(1);
    expect(ids.length).toBeLessThan(7);
    expect(new Set(ids).size).toBe(ids.length);
  }
  for (const { output } of [one, second]) expect(output()).not.toContain('whsec_');
  for (const receiver of receivers) await receiver.stop();
  await endProcesses();
  await database.drop();
}, 120_000);
