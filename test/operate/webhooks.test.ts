import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokenOf } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { createTestDatabase } from '../support/database.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { after, startReceiver, verify, WEBHOOK_ENV } from '../support/receiver.js';
import { dumpOf } from '../support/sql.js';
import { endProcesses, freePort, type ServiceProcess, startProcess, until } from './process.js';

afterAll(endProcesses);

const ada = { sub: 'ada', email: 'ada@example.com', name: 'Ada' };

/** Sends a request as Ada. @returns the body of the response, which must be 200 */
async function send<Body>(
  { url }: ServiceProcess,
  route: string,
  body?: object,
  idempotencyKey?: string,
): Promise<Body> {
  const [method = '', path] = route.split(' ');
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf(ada)}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text) as Body;
}

async function startBoth(more: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, ...WEBHOOK_ENV, ...more };
  const one = await startProcess(env);
  await send(one, 'POST /teams', { name: 'Acme', slug: 'acme' });
  await send(one, 'POST /teams/acme/workspaces', { name: 'Docs' });
  return { one, other: () => startProcess(env), database };
}

const QUERY = '?team_slug=acme&workspace_slug=docs';
const save = (service: ServiceProcess) => send(service, `POST /collections${QUERY}`, {});
const make = (service: ServiceProcess, url: string) =>
  send<{ _id: string; secret: string }>(
    service,
    'POST /teams/acme/webhooks',
    { url, events: ['workspace.changed'] },
    randomUUID(),
  );

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
    receiver.always(after(300));
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
  for (const receiver of receivers) await receiver.stop();
  await endProcesses();
  await database.drop();
}, 120_000);

test('a secret leaves the service in two responses only: not by its log, traces, metrics, exports or a dump', async () => {
  const spans: Buffer[] = [];
  const collector = createServer(async (request, response) => {
    for await (const chunk of request) spans.push(chunk as Buffer);
    response.end();
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const metricsPort = String(await freePort());
  const receiver = await startReceiver();
  const { one, database } = await startBoth({
    LOG_LEVEL: 'trace',
    METRICS_PORT: metricsPort,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  });
  receiver.next(500);
  const { _id, secret } = await make(one, receiver.url);
  const path = `/teams/acme/webhooks/${_id}`;
  const renewed = await send<{ secret: string }>(one, `POST ${path}/secret`, {}, randomUUID());
  await save(one);
  // The message that fails, and the same again.
  await until(() => receiver.received.length === 2);
  const read = async (route: string) => JSON.stringify(await send(one, `GET ${route}`));
  const shown = await Promise.all([
    read(path),
    read('/teams/acme/webhooks'),
    read(`${path}/deliveries`),
    read('/teams/acme/audit-log'),
    read(`/collections/changes${QUERY}`),
    fetch(`http://127.0.0.1:${metricsPort}/metrics`).then((response) => response.text()),
  ]);
  const folder = await aFolder();
  const exported = await runCommand(
    ['export', '--team', 'acme', '--workspace', 'docs', '--url', one.url, folder],
    { TEAMSPACES_TOKEN: tokenOf(ada) },
  );
  expect(exported.status).toBe(0);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  const dump = await dumpOf(database.url);
  await one.end();
  const traces = Buffer.concat(spans).toString('latin1');
  expect(traces).toContain('webhooks.insert');
  expect(dump).toContain(_id);
  expect(one.output()).toContain(path.replace(_id, ':webhook_id').replace('acme', ':team_slug'));
  const written = { shown: shown.join(), files: files.join(), dump, traces, log: one.output() };
  for (const [where, text] of Object.entries(written)) {
    for (const { key, form } of [secret, renewed.secret].flatMap(formsOf)) {
      expect([where, form, text.includes(key)]).toEqual([where, form, false]);
    }
    expect([where, text.includes(WEBHOOK_ENV.WEBHOOK_KEY)]).toEqual([where, false]);
  }
  collector.close();
  await receiver.stop();
  await removeFolders();
  await endProcesses();
  await database.drop();
}, 120_000);

/** A secret as it could be written. */
function formsOf(secret: string) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return (['base64', 'base64url', 'hex', 'latin1'] as const).map((form) => ({
    form,
    key: key.toString(form).replace(/=$/, ''),
  }));
}
