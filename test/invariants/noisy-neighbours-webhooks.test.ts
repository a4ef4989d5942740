import { channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { SYSTEM_NAMES } from '../../src/webhooks/attempts/names.js';
import type { WebhookSender } from '../../src/webhooks/delivery/webhook-sender.js';
import { until } from '../operate/process.js';
import { type Caller, type InsideService, somebody, startServiceInside } from '../support/app.js';
import { aTeam, ok } from '../support/builders.js';
import { holdLock } from '../support/locks.js';
import { type NameServer, startNameServer } from '../support/name-server.js';
import {
  type DeliveryBody,
  type Receiver,
  startReceiver,
  WEBHOOK_ENV,
  type WebhookBody,
} from '../support/receiver.js';
import { sql } from '../support/sql.js';

// Callers whose receivers and name servers are slow, silent or endless: they delay nobody's messages but their own.

let at: InsideService;
let names: NameServer;
let sender: WebhookSender;
beforeAll(async () => {
  names = await startNameServer((name) => (name.startsWith('silent') ? null : ['127.0.0.1']));
  at = await startServiceInside(WEBHOOK_ENV);
  sender = at.provider<WebhookSender>('WebhookSender');
  sender.thread.names = { ...SYSTEM_NAMES, servers: [names.address] };
});
afterAll(async () => {
  await at.stop();
  names.stop();
});

/** Somebody with a team, whose webhook has a receiver that is well. */
let bob: Caller;
let quiet: string;
let good: Receiver;
beforeEach(async () => {
  bob = at.as(somebody('Bob'));
  quiet = await aTeam(bob);
  good = await startReceiver();
});
afterEach(async () => {
  await sql(at.databaseUrl, 'DELETE FROM webhook_states');
  await good.stop();
});

const aWebhook = (caller: Caller, team: string, url: string) =>
  ok<WebhookBody>(
    caller.post(`/teams/${team}/webhooks`, { url: url.replace('127.0.0.1', 'localhost') }),
  );
/** Sets a URL of a name that no operator allows: its address is. */
const setHost = (webhook: WebhookBody, host: string) =>
  sql(at.databaseUrl, 'UPDATE webhooks SET url = $2 WHERE id = $1', [
    webhook._id,
    webhook.url.replace('localhost', host),
  ]);
const testIt = (caller: Caller, team: string, { _id }: WebhookBody) =>
  ok(caller.post(`/teams/${team}/webhooks/${_id}/test`));
const statuses = async (caller: Caller, team: string, { _id }: WebhookBody) => {
  const path = `/teams/${team}/webhooks/${_id}/deliveries`;
  return (await ok<DeliveryBody[]>(caller.get(path))).map(({ status }) => status);
};

/** Teams of one person, each with webhooks of which a test message is queued. */
async function busyTeams(caller: Caller, url: string, teams: number, each: number) {
  const made: { team: string; webhook: WebhookBody }[] = [];
  for (let n = 0; n < teams; n++) {
    const team = await aTeam(caller);
    for (let m = 0; m < each; m++) {
      const webhook = await aWebhook(caller, team, url);
      await testIt(caller, team, webhook);
      made.push({ team, webhook });
    }
  }
  return made;
}

/** Bob's message arrives, and what he reads comes. */
async function bobIsServed(host = '127.0.0.1'): Promise<void> {
  const webhook = await aWebhook(bob, quiet, good.url);
  await setHost(webhook, host);
  await testIt(bob, quiet, webhook);
  await good.arrival(1);
  await until(async () => (await statuses(bob, quiet, webhook)).length > 0);
  expect(await statuses(bob, quiet, webhook)).toEqual(['200']);
}

/** A receiver whose responses the test gives, all at once. */
async function heldReceiver() {
  const receiver = await startReceiver();
  const held: (() => void)[] = [];
  receiver.always((response) => held.push(() => response.end('ok')));
  const release = () => {
    receiver.always(200);
    for (const respond of held) respond();
  };
  return { receiver, release };
}

describe('what a receiver sends', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** A receiver that sends something again and again, once it has been called. */
  async function endless(first: string, again: string) {
    const sent = { bytes: 0 };
    const server = createServer((socket: Socket) => {
      const block = Buffer.from(again.repeat(Math.ceil(65_536 / again.length)));
      const write = () => {
        socket.write(block, (error) => {
          if (error) return;
          sent.bytes += block.length;
          setImmediate(write);
        });
      };
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(first);
        write();
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sent };
  }

  test.each([
    ['informational responses', 'HTTP/1.1 103 C\r\n\r\n', 'HTTP/1.1 100 C\r\n\r\n', 'unreachable'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x-more: 1\r\n', 'unreachable'],
    [
      'chunks of one byte',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      '1\r\na\r\n',
      '200',
    ],
    [
      'trailers',
      'HTTP/1.1 202 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
      'x-more: 1\r\n',
      '202',
    ],
  ])(
    '%s without end are cut, and the status that has come stands',
    async (_name, first, again, status) => {
      const ada = at.as(somebody('Ada'));
      const { url, sent } = await endless(first, again);
      const [busy] = await busyTeams(ada, url, 1, 1);
      if (!busy) throw new Error('no team');
      await bobIsServed();
      await until(async () => (await statuses(ada, busy.team, busy.webhook)).length > 0);
      expect(await statuses(ada, busy.team, busy.webhook)).toEqual([status]);
      // The system's buffers take some megabytes more than is read.
      expect(sent.bytes).toBeLessThan(16 * 1024 * 1024);
    },
  );

  test('is not read on the event loop of requests', async () => {
    const called: string[] = [];
    const onRequest = (message: unknown) => {
      const { request } = message as { request: ClientRequest };
      called.push(...[request.getHeader('webhook-id') ?? []].flat().map(String));
    };
    // Of this thread, in which the service answers.
    channel('http.client.request.start').subscribe(onRequest);
    await bobIsServed();
    channel('http.client.request.start').unsubscribe(onRequest);
    expect(called).toEqual([]);
  });
});

test('names that nobody answers are the timeout of their own messages only', async () => {
  const ada = at.as(somebody('Ada'));
  const eve = at.as(somebody('Eve'));
  const silent: { caller: Caller; team: string; webhook: WebhookBody }[] = [];
  for (const caller of [ada, ada, ada, eve, eve, eve]) {
    const team = await aTeam(caller);
    const webhook = await aWebhook(caller, team, good.url);
    await setHost(webhook, `silent-${silent.length}.example`);
    await testIt(caller, team, webhook);
    silent.push({ caller, team, webhook });
  }
  // All are being looked up at once.
  await until(() => new Set(names.asked.filter((name) => name.startsWith('silent'))).size === 6);
  await bobIsServed('good.example');
  const over = () =>
    Promise.all(silent.map(({ caller, team, webhook }) => statuses(caller, team, webhook)));
  expect((await over()).flat()).toEqual([]);
  await until(async () => (await over()).flat().length === 6);
  expect((await over()).flat()).toEqual(Array(6).fill('timeout'));
});

describe('receivers that take their time', () => {
  test('are 32 at once of one maker, two of a team; another maker has four then, and others go on', async () => {
    const [slow, slower] = [await heldReceiver(), await heldReceiver()];
    try {
      await busyTeams(at.as(somebody('Ada')), slow.receiver.url, 25, 3);
      await slow.receiver.arrival(32);
      await busyTeams(at.as(somebody('Eve')), slower.receiver.url, 3, 3);
      await slower.receiver.arrival(4);
      await bobIsServed();
      expect([slow.receiver.received.length, slower.receiver.received.length]).toEqual([32, 4]);
      const ids = slow.receiver.received.map(({ body }) => idOf(body));
      const teams = await sql<{ count: number }>(
        at.databaseUrl,
        'SELECT count(*)::int AS count FROM webhooks WHERE id = ANY ($1) GROUP BY team_id',
        [ids],
      );
      expect(Math.max(...teams.map(({ count }) => count))).toBeLessThanOrEqual(2);
      slow.release();
      slower.release();
      await slow.receiver.arrival(75);
      await slower.receiver.arrival(9);
    } finally {
      await slow.receiver.stop();
      await slower.receiver.stop();
    }
  });

  const idOf = (body: object) => (body as { data: { webhook: string } }).data.webhook;

  test('hide nobody, however many messages have been due for longer', async () => {
    const slow = await heldReceiver();
    try {
      const ada = at.as(somebody('Ada'));
      const [busy] = await busyTeams(ada, slow.receiver.url, 1, 1);
      // As if she had 100 teams.
      await sql(
        at.databaseUrl,
        `WITH made AS (
           INSERT INTO webhooks (team_id, id, url, events, maker_id)
           SELECT t.id, gen_random_uuid(), h.url, h.events, h.maker_id
           FROM webhooks h, teams t, generate_series(1, 2000)
           WHERE h.id = $1 AND t.id = h.team_id RETURNING *
         )
         INSERT INTO webhook_states (team_id, webhook_id, scope_id, message_id, body, due_at)
         SELECT m.team_id, m.id, m.id, 'msg_1', s.body, now() - interval '1 hour'
         FROM made m, webhook_states s WHERE s.webhook_id = $1 AND s.scope_id = $1`,
        [busy?.webhook._id],
      );
      await slow.receiver.arrival(2);
      await bobIsServed();
      expect(slow.receiver.received).toHaveLength(2);
      await sql(at.databaseUrl, 'DELETE FROM webhook_states');
      slow.release();
    } finally {
      await slow.receiver.stop();
    }
  });
});

test('while changes cannot be looked for, what is due is sent', async () => {
  const round = await holdLock(at.databaseUrl, 'UPDATE webhook_rounds SET id = id', []);
  try {
    await bobIsServed();
  } finally {
    await round.release();
  }
});

test('an attempt whose thread is lost is no failure of its receiver: the same message is sent again', async () => {
  const webhook = await aWebhook(bob, quiet, good.url);
  good.next(() => undefined);
  await testIt(bob, quiet, webhook);
  await good.arrival(1);
  const { thread } = sender.thread as unknown as { thread: { worker: Worker } };
  await thread.worker.terminate();
  const [lost, again] = await good.arrival(2);
  expect(again?.text).toBe(lost?.text);
  expect(again?.id).toBe(lost?.id);
  await until(async () => (await statuses(bob, quiet, webhook)).length > 0);
  expect(await statuses(bob, quiet, webhook)).toEqual(['200']);
});

test('an outcome that came while the service was busy counts: its thread does not count as hanging', async () => {
  const attempt = { url: 'http://10.0.0.1/', body: '', headers: {}, teamId: quiet, makerId: quiet };
  const unreachable = { status: 'unreachable' };
  expect(await sender.thread.send({ ...attempt, within: 0 })).toEqual(unreachable);
  const running = () => (sender.thread as unknown as { thread: object | null }).thread;
  const before = running();
  // Timers come next, before anything is read.
  await new Promise((resolve) => setImmediate(resolve));
  // 17 seconds beyond `within` a thread hangs.
  const outcome = sender.thread.send({ ...attempt, within: 100 - 17_000 });
  // Nothing is read meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  expect(await outcome).toEqual(unreachable);
  expect(await sender.thread.send({ ...attempt, within: 0 })).toEqual(unreachable);
  expect(running() === before).toBe(true);
});
