import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../operate/process.js';
import { auditLog } from '../../support/audit.js';
import { anItem, aTeam, aWorkspace, ok } from '../../support/builders.js';
import { runCommand } from '../../support/command.js';
import { INSTANCES, testInside } from '../../support/inside.js';
import { type HeldLock, holdLock, holdTeam } from '../../support/locks.js';
import { aMember, giveRole, type Known } from '../../support/members.js';
import {
  after,
  type DeliveryBody,
  type Received,
  type Receiver,
  startReceiver,
  verify,
  WEBHOOK_ENV,
  type WebhookBody,
} from '../../support/receiver.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

const at = scene({ env: WEBHOOK_ENV, each: 'workspace' });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());
beforeEach(() => receiver.forget());
// The next test has a receiver of its own, so to speak.
afterEach(() => sql(at.databaseUrl, 'UPDATE webhooks SET enabled = false'));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const aWebhook = (body: object = {}, as: Known = at.ada, team = at.team) =>
  ok<WebhookBody>(
    as.post(`/teams/${team}/webhooks`, {
      url: receiver.url,
      events: ['workspace.changed'],
      ...body,
    }),
  );
const pathOf = ({ _id }: WebhookBody) => `/teams/${at.team}/webhooks/${_id}`;
const read = (webhook: WebhookBody) => ok<WebhookBody>(at.ada.get(pathOf(webhook)));
const deliveriesOf = (webhook: WebhookBody, as = at.ada) =>
  ok<DeliveryBody[]>(as.get(`${pathOf(webhook)}/deliveries`));
const statuses = async (webhook: WebhookBody) =>
  (await deliveriesOf(webhook)).map(({ status }) => status);
const aPage = (query = at.query) => anItem(at.ada, query, { object: 'item' });

interface Feed {
  changes: { id: string }[];
  more: boolean;
}
const changesFrom = ({ body: { data } }: Received) =>
  ok<Feed>(
    at.ada.get(
      `/collections/changes?team_slug=${data.team.slug}&workspace_slug=${data.workspace.slug}&cursor=${data.cursor}`,
    ),
  );
/** Two rounds, which would have found and sent a message, and time for it to come. */
async function silence(): Promise<void> {
  await nextRound();
  await nextRound();
  await sleep(300);
}

/** Waits until this many messages have arrived, and returns all; the next round begins now. */
async function arrival(count: number): Promise<Received[]> {
  await nextRound();
  return receiver.arrival(count);
}

/** Lets a round that looks for changes begin now, not a second after the last one, and waits until it has ended. */
async function nextRound(): Promise<void> {
  const [last] = await sql<{ at: Date }>(
    at.databaseUrl,
    'SELECT looked_at AS at FROM webhook_rounds',
  );
  // The lease of a round in progress is much longer than the pause after one.
  const paused = "leased_until < looked_at + interval '2 seconds'";
  const isOver = `SELECT FROM webhook_rounds WHERE looked_at > $1 AND ${paused}`;
  const free = `UPDATE webhook_rounds SET leased_until = now() - interval '2 seconds' WHERE ${paused}`;
  await sql(at.databaseUrl, free);
  if (INSTANCES === 0) await at.advance(1_000);
  await until(async () => (await sql(at.databaseUrl, isOver, [last?.at])).length > 0);
}

/** Keeps rounds from looking for changes, as if another instance did them. */
async function heldRounds(): Promise<{ release(): Promise<unknown> }> {
  const setLease = (change: string) => sql(at.databaseUrl, `UPDATE webhook_rounds SET ${change}`);
  await setLease("leased_until = now() + interval '1 minute', holder = gen_random_uuid()");
  return { release: () => setLease("leased_until = now() - interval '2 seconds'") };
}

/** Lets time pass for deliveries, once none is on its way: what they have kept is so much older then. */
async function pass(milliseconds: number): Promise<void> {
  const taken = 'SELECT FROM webhook_senders WHERE leased_until > clock_timestamp()';
  await until(async () => (await sql(at.databaseUrl, taken)).length === 0);
  await age(milliseconds);
  await at.advance(1_000);
}

/** Makes what deliveries have kept so much older: their times are the database's. */
async function age(milliseconds: number): Promise<void> {
  const older = (column: string) => `${column} = ${column} - $1 * interval '1 millisecond'`;
  const states = `UPDATE webhook_states SET ${older('due_at')}, ${older('sent_at')}`;
  const senders = `UPDATE webhook_senders SET ${older('failing_since')}`;
  for (const text of [states, senders]) await sql(at.databaseUrl, text, [milliseconds]);
}

describe('a change of content', () => {
  test('is told by one signed message, whose cursor leads to it', async () => {
    const before = await aPage();
    const webhook = await aWebhook();
    const page = await aPage();
    const [message] = (await arrival(1)) as [Received];
    expect(message.text.length).toBeLessThan(1024);
    expect(message.body.type).toBe('workspace.changed');
    expect(message.body.data).toMatchObject({
      team: { slug: at.team },
      workspace: { _id: at.workspace.id, slug: at.workspace.slug },
    });
    expect(() => verify(webhook.secret, message)).not.toThrow();
    expect(() => verify('whsec_bm90IGl0', message)).toThrow();
    const feed = await changesFrom(message);
    expect(feed.changes.map(({ id }) => id)).toContain(page.id);
    expect(feed.changes.map(({ id }) => id)).not.toContain(before.id);
    const { version } = await ok<{ version: string }>(at.ada.get(at.workspace.path));
    expect(message.body.data.version).toBe(version);
    await until(async () => (await statuses(webhook)).length === 1);
    expect(await deliveriesOf(webhook)).toMatchObject([
      {
        id: message.id,
        event: 'workspace.changed',
        workspace: at.workspace.slug,
        status: '200',
      },
    ]);
  });

  test('of before the webhook is not told', async () => {
    await aPage();
    await aWebhook();
    await silence();
    expect(receiver.received).toEqual([]);
  });

  test('in another workspace than those that the webhook names is not told', async () => {
    const other = await aWorkspace(at.ada, at.team);
    await aWebhook({ workspaces: [other.slug] });
    await aPage();
    await silence();
    expect(receiver.received).toEqual([]);
    await aPage(other.query);
    const [message] = await arrival(1);
    expect(message?.body.data.workspace.slug).toBe(other.slug);
  });

  testInside('is told by what the webhook is about now, and not of before that', async () => {
    const other = await aWorkspace(at.ada, at.team);
    const webhook = await aWebhook();
    const change = (changes: object) => ok(at.ada.put(pathOf(webhook), changes));
    await aPage();
    await arrival(1);
    await until(async () => (await statuses(webhook)).length === 1);
    await change({ workspaces: [other.slug] });
    await pass(5_000);
    await aPage();
    await silence();
    expect(receiver.received).toHaveLength(1);
    await aPage(other.query);
    const [, second] = await arrival(2);
    expect(second?.body.data.workspace._id).toBe(other.id);
    await change({ workspaces: null });
    await silence();
    expect(receiver.received).toHaveLength(2);
    const page = await aPage();
    const third = (await arrival(3))[2] as Received;
    expect((await changesFrom(third)).changes.map(({ id }) => id)).toEqual([page.id]);
    await until(async () => (await statuses(webhook)).length === 3);
    await change({ events: ['team.changed'] });
    await pass(5_000);
    await aPage();
    await silence();
    expect(receiver.received).toHaveLength(3);
  });

  testInside('hundreds in a burst are one message in flight, and one after it', async () => {
    const held: (() => void)[] = [];
    // Any 2xx is a success.
    receiver.next((response) => held.push(() => response.writeHead(299).end('ok')));
    await aWebhook();
    await aPage();
    const [first] = (await arrival(1)) as [Received];
    const items = Array.from({ length: 100 }, () => ({ object: 'item' }));
    await Promise.all(
      Array.from({ length: 9 }, () => ok(at.ada.post(`/collections/batch${at.query}`, { items }))),
    );
    const page = await aPage();
    await silence();
    expect(receiver.received).toHaveLength(1);
    held[0]?.();
    // Not earlier than five seconds after the first.
    await silence();
    expect(receiver.received).toHaveLength(1);
    await pass(5_000);
    const [, second] = (await arrival(2)) as [Received, Received];
    expect(second.id).not.toBe(first.id);
    const all: string[] = [];
    for (let next = second; ; ) {
      const feed = await ok<Feed & { cursor: string }>(
        at.ada.get(`/collections/changes${at.query}&limit=1000&cursor=${next.body.data.cursor}`),
      );
      all.push(...feed.changes.map(({ id }) => id));
      if (!feed.more) break;
      next = { ...next, body: { ...next.body, data: { ...next.body.data, cursor: feed.cursor } } };
    }
    expect(new Set(all).size).toBe(901);
    expect(all).toContain(page.id);
    await pass(5_000);
    await silence();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.most()).toBe(1);
  });

  testInside('whose transaction is open over two rounds is told after its commit', async () => {
    await aWebhook();
    await aPage();
    await arrival(1);
    // As a slow commit does: the time is that of now, and nobody can see it.
    const { commit } = await heldChange('0 seconds');
    await pass(5_000);
    await silence();
    expect(receiver.received).toHaveLength(1);
    await commit();
    await arrival(2);
  });

  testInside('whose time is wrong by an hour is told within five minutes', async () => {
    const webhook = await aWebhook();
    await aPage();
    await arrival(1);
    // Nothing is left of it that would be looked at for another reason.
    await until(async () => (await statuses(webhook)).length === 1);
    await pass(5_000);
    await until(async () => {
      const due = 'SELECT FROM webhook_states WHERE webhook_id = $1 AND due_at IS NOT NULL';
      return (await sql(at.databaseUrl, due, [webhook._id])).length === 0;
    });
    await sql(
      at.databaseUrl,
      "UPDATE tree_changes SET created_at = now() - interval '1 hour' WHERE workspace_id = $1",
      [at.workspace.id],
    );
    const { commit } = await heldChange('1 hour');
    await commit();
    // Here there is one webhook that is enabled: it is compared every other second.
    await arrival(2);
  });
});

/** A change of the workspace's tree, as old as that, whose transaction is open. */
async function heldChange(age: string): Promise<HeldLock> {
  const [before] = await sql<{ team: string; version: string; stamp: string }>(
    at.databaseUrl,
    `SELECT team_id AS team, tree_version AS version, tree_stamp AS stamp
     FROM workspaces WHERE id = $1`,
    [at.workspace.id],
  );
  const write = await heldWrite(
    `UPDATE workspaces SET tree_version = tree_version + 1, tree_stamp = $3
     WHERE team_id = $1 AND id = $2`,
    [before?.team, at.workspace.id, randomUUID()],
  );
  await write.take(
    `INSERT INTO tree_changes (team_id, workspace_id, version, id, previous_stamp, created_at)
     VALUES ($1, $2, $3::bigint + 1, $2, $4, now() - $5::interval)`,
    [before?.team, at.workspace.id, before?.version, before?.stamp, age],
  );
  return write;
}

let held: HeldLock[] = [];
afterEach(async () => {
  await Promise.all(held.map(({ release }) => release()));
  held = [];
});

/** A write whose transaction is open; the end of the test rolls it back. */
async function heldWrite(text: string, values: unknown[]): Promise<HeldLock> {
  const write = await holdLock(at.databaseUrl, text, values);
  held.push(write);
  return write;
}

describe('a change of the team', () => {
  test('is told with the newest entry of its audit log', async () => {
    const webhook = await aWebhook({ events: ['team.changed'] });
    await silence();
    expect(receiver.received).toEqual([]);
    await ok(at.ada.put(`/teams/${at.team}`, { name: 'Renamed' }));
    const [message] = (await arrival(1)) as [Received];
    verify(webhook.secret, message);
    const [entry] = await auditLog(at.ada, at.team);
    expect(message.body).toMatchObject({
      type: 'team.changed',
      data: { team: { slug: at.team }, entry: entry?._id },
    });
  });

  testInside('whose transaction is open over two rounds is told after its commit', async () => {
    await aWebhook({ events: ['team.changed'] });
    const { commit } = await heldWrite(
      `INSERT INTO audit_entries (team_id, id, action, target_type, target_id, details)
       SELECT id, gen_random_uuid(), 'team.updated', 'team', id, '{}' FROM teams WHERE slug = $1`,
      [at.team],
    );
    await ok(at.ada.put(`/teams/${at.team}`, { name: 'Renamed' }));
    await arrival(1);
    await pass(5_000);
    await silence();
    expect(receiver.received).toHaveLength(1);
    await commit();
    await arrival(2);
  });

  test('about a private workspace that the maker is not in is not told', async () => {
    const eve = await aMember(at, at.team, 'owner');
    await aWebhook({ events: ['team.changed', 'workspace.changed'] });
    const secret = await aWorkspace(eve, at.team, { visibility: 'private' });
    await ok(eve.post(`/collections${secret.query}`, {}));
    await ok(eve.put(secret.path, { name: 'Other' }));
    await silence();
    expect(receiver.received).toEqual([]);
    await giveRole(at, secret.id, at.ada, 'reader');
    await ok(eve.post(`/collections${secret.query}`, {}));
    const [message] = await arrival(1);
    expect(message?.body.data.workspace.slug).toBe(secret.slug);
  });

  testInside(
    'is told by an entry of an instance with a slow clock, though fewer can be seen than before',
    async () => {
      const eve = await aMember(at, at.team, 'owner');
      const hidden = await aWorkspace(eve, at.team, { visibility: 'private' });
      await giveRole(at, hidden.id, at.ada, 'editor');
      const webhook = await aWebhook({ events: ['team.changed'] });
      await ok(eve.put(hidden.path, { name: 'Other' }));
      await arrival(1);
      await until(async () => (await statuses(webhook)).length === 1);
      const rounds = await heldRounds();
      await ok(eve.delete(`${hidden.path}/members`, { userId: at.ada.id }));
      await ok(at.ada.put(`/teams/${at.team}`, { name: 'Renamed' }));
      const [entry] = await auditLog(at.ada, at.team);
      // Ids have the time at which they were made, by the clock of the instance.
      const slow = '00000000-0000-7000-8000-000000000001';
      await sql(at.databaseUrl, 'UPDATE audit_entries SET id = $2 WHERE id = $1', [
        entry?._id,
        slow,
      ]);
      await rounds.release();
      await pass(6_000);
      const [, message] = await arrival(2);
      expect(message?.body.data.entry).toBe(slow);
    },
  );

  test('is told with the newest entry that the maker may see', async () => {
    const eve = await aMember(at, at.team, 'owner');
    const secret = await aWorkspace(eve, at.team, { visibility: 'private' });
    await aWebhook({ events: ['team.changed'] });
    await ok(at.ada.put(`/teams/${at.team}`, { name: 'Renamed' }));
    await ok(eve.put(secret.path, { name: 'Other' }));
    const [message] = await arrival(1);
    const [entry] = await auditLog(at.ada, at.team);
    expect([message?.body.data.entry, entry?.action]).toEqual([entry?._id, 'team.updated']);
  });
});

describe('a receiver that fails', () => {
  testInside(
    'gets the same message again, later each time, until it takes it',
    async () => {
      receiver.next(404, 300, 503);
      const webhook = await aWebhook();
      await aPage();
      await arrival(1);
      await until(async () => (await statuses(webhook)).length === 1);
      await aPage();
      for (const [count, pause] of [5_000, 300_000, 1_800_000].entries()) {
        const [early, rest] = pause > MINUTE ? [pause - MINUTE, MINUTE] : [0, pause];
        await pass(early);
        // Not for what changes meanwhile, either.
        await aPage();
        await silence();
        expect(receiver.received).toHaveLength(count + 1);
        await pass(rest + pause * 0.2);
        await arrival(count + 2);
        await until(async () => (await statuses(webhook)).length === count + 2);
      }
      const sent = receiver.received.map(({ id, text }) => `${id} ${text}`);
      expect(new Set(sent).size).toBe(1);
      for (const message of receiver.received) verify(webhook.secret, message);
      expect(await statuses(webhook)).toEqual(['200', '503', '300', '404']);
      // What changed meanwhile is the next message.
      await pass(5_000);
      const messages = await arrival(5);
      expect(messages[4]?.id).not.toBe(messages[0]?.id);
    },
    60_000,
  );

  testInside(
    'gets a message about the team again at its time, whatever changes meanwhile',
    async () => {
      receiver.next(500, 500);
      const webhook = await aWebhook({ events: ['team.changed'] });
      for (let count = 1; count <= 2; count++) {
        await ok(at.ada.put(`/teams/${at.team}`, { name: `Renamed ${count}` }));
        await arrival(count);
        await until(async () => (await statuses(webhook)).length === count);
        await pass(count === 1 ? 6_000 : 4 * MINUTE);
      }
      await ok(at.ada.put(`/teams/${at.team}`, { name: 'Renamed again' }));
      await silence();
      expect(receiver.received).toHaveLength(2);
      await pass(2 * MINUTE);
      const [first, second, third] = await arrival(3);
      expect([second?.text, third?.text]).toEqual([first?.text, first?.text]);
    },
  );

  testInside('says by Retry-After when to try again', async () => {
    receiver.next((response) => response.writeHead(429, { 'retry-after': '120' }).end());
    const webhook = await aWebhook();
    await aPage();
    await arrival(1);
    await until(async () => (await statuses(webhook)).length === 1);
    await pass(100_000);
    await silence();
    expect(receiver.received).toHaveLength(1);
    await pass(21_000);
    await arrival(2);
    await until(async () => (await statuses(webhook)).length === 2);
    expect(await statuses(webhook)).toEqual(['200', '429']);
  });

  test('ends its webhook by 410', async () => {
    receiver.next(410);
    const webhook = await aWebhook();
    await aPage();
    await arrival(1);
    await until(async () => !(await read(webhook)).enabled);
    expect(await read(webhook)).toMatchObject({ enabled: false, disabledBecause: 'gone' });
    // It is still disabled because of that.
    await ok(at.ada.put(pathOf(webhook), { events: ['workspace.changed', 'team.changed'] }));
    await ok(at.ada.post(`${pathOf(webhook)}/secret`));
    expect(await read(webhook)).toMatchObject({ enabled: false, disabledBecause: 'gone' });
    const [entry] = await auditLog(at.ada, at.team, '&action=webhook.disabled');
    expect(entry).toMatchObject({
      actor: null,
      action: 'webhook.disabled',
      target: { type: 'webhook', id: webhook._id, name: receiver.url.replace(/\?.*/, '') },
      details: { reason: 'gone' },
    });
    await aPage();
    await silence();
    expect(receiver.received).toHaveLength(1);
  });

  testInside(
    'for five days ends its webhook; enabled again, it begins with the newest state',
    async () => {
      receiver.always(500);
      const webhook = await aWebhook();
      await aPage();
      await arrival(1);
      for (let count = 2; (await read(webhook)).enabled; count++) {
        await until(async () => (await statuses(webhook)).length === count - 1);
        await pass(29 * HOUR);
        await arrival(count);
        await sleep(200);
      }
      expect((await read(webhook)).disabledBecause).toBe('failing');
      expect(receiver.received).toHaveLength(6);
      await aPage();
      receiver.forget();
      const enabled = await ok<WebhookBody>(at.ada.put(pathOf(webhook), { enabled: true }));
      expect(enabled).toMatchObject({ enabled: true, disabledBecause: null, secret: '' });
      await silence();
      expect(receiver.received).toEqual([]);
      const page = await aPage();
      const [message] = (await arrival(1)) as [Received];
      expect((await changesFrom(message)).changes.map(({ id }) => id)).toEqual([page.id]);
    },
    60_000,
  );

  testInside('has five days, and no more', async () => {
    receiver.always(500);
    const webhook = await aWebhook();
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    await aPage();
    await arrival(2);
    await until(async () => (await statuses(webhook)).length === 2);
    // As if the first attempt had been so long ago.
    await sql(
      at.databaseUrl,
      "UPDATE webhook_senders SET failing_since = failing_since - interval '119:58:00' WHERE webhook_id = $1",
      [webhook._id],
    );
    await pass(6_000);
    await until(async () => (await statuses(webhook)).length === 3);
    expect((await read(webhook)).enabled).toBe(true);
    await pass(6 * 60_000);
    await until(async () => !(await read(webhook)).enabled);
    expect((await read(webhook)).disabledBecause).toBe('failing');
    expect(await statuses(webhook)).toHaveLength(4);
  });

  testInside('has five days after each success, of another message, too', async () => {
    const other = await aWorkspace(at.ada, at.team);
    receiver.next(500);
    const webhook = await aWebhook();
    await aPage();
    await arrival(1);
    await until(async () => (await statuses(webhook)).length === 1);
    await sql(
      at.databaseUrl,
      "UPDATE webhook_senders SET failing_since = failing_since - interval '5 days' WHERE webhook_id = $1",
      [webhook._id],
    );
    await aPage(other.query);
    await arrival(2);
    await until(async () => (await statuses(webhook)).length === 2);
    receiver.next(500);
    await pass(6_000);
    await until(async () => (await statuses(webhook)).length === 3);
    await silence();
    expect(await statuses(webhook)).toEqual(['500', '200', '500']);
    expect((await read(webhook)).enabled).toBe(true);
  });

  testInside('has five days for each message, whatever a test came to before', async () => {
    receiver.next(500, 500);
    const webhook = await aWebhook();
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    await until(async () => (await statuses(webhook)).length === 1);
    await pass(6 * 24 * HOUR);
    await aPage();
    await until(async () => (await statuses(webhook)).length === 2);
    await pass(6_000);
    await until(async () => (await statuses(webhook)).length === 3);
    expect(await statuses(webhook)).toEqual(['200', '500', '500']);
    expect((await read(webhook)).enabled).toBe(true);
  });

  testInside(
    'is cut off where it is slow, endless or breaks',
    async () => {
      const endless = (response: import('node:http').ServerResponse) => {
        const write = () => {
          while (!response.destroyed && response.write(Buffer.alloc(16_384)));
          if (!response.destroyed) response.once('drain', write);
        };
        response.on('error', () => undefined);
        write();
      };
      receiver.next(endless, (response) => response.socket?.destroy(), 200);
      const webhook = await aWebhook();
      await aPage();
      await arrival(1);
      await until(async () => (await statuses(webhook)).length === 1);
      expect(await statuses(webhook)).toEqual(['200']);
      await aPage();
      await pass(6_000);
      await arrival(2);
      await until(async () => (await statuses(webhook)).length === 2);
      await pass(6_000);
      await arrival(3);
      await until(async () => (await statuses(webhook)).length === 3);
      expect(await statuses(webhook)).toEqual(['200', 'unreachable', '200']);
    },
    60_000,
  );
});

testInside(
  'a webhook that is enabled again begins there, however old what was changed before',
  async () => {
    const webhook = await aWebhook();
    await ok(at.ada.put(pathOf(webhook), { enabled: false }));
    await aPage();
    for (const [table, time] of [
      ['tree_changes', 'created_at'],
      ['webhooks', 'since'],
    ] as const) {
      await sql(at.databaseUrl, `UPDATE ${table} SET ${time} = now() - interval '10 minutes'`);
    }
    await ok(at.ada.put(pathOf(webhook), { enabled: true }));
    await silence();
    expect(receiver.received).toEqual([]);
    const page = await aPage();
    const [message] = (await arrival(1)) as [Received];
    expect((await changesFrom(message)).changes.map(({ id }) => id)).toEqual([page.id]);
  },
);

describe('the maker', () => {
  const ends = {
    'is demoted': (eve: Known) =>
      ok(at.ada.put(`/teams/${at.team}/members`, { userId: eve.id, role: 'moderator' })),
    leaves: (eve: Known) => ok(eve.delete(`/teams/${at.team}/members`, { userId: eve.id })),
    'is erased': ({ person }: Known) =>
      runCommand(['erase', '--issuer', '', '--subject', person.sub], {
        DATABASE_URL: at.databaseUrl,
      }),
  };
  test.each(Object.entries(ends))('who %s ends the webhook', async (_name, end) => {
    const eve = await aMember(at, at.team, 'owner');
    const webhook = await aWebhook({}, eve);
    await end(eve);
    await until(async () => !(await read(webhook)).enabled);
    expect((await read(webhook)).disabledBecause).toBe('maker_not_owner');
    await aPage();
    await silence();
    expect(receiver.received).toEqual([]);
    // Whoever enables it is its maker from then on.
    await ok(at.ada.put(pathOf(webhook), { enabled: true }));
    await aPage();
    await arrival(1);
  });

  test('is whoever has changed the webhook last, or renewed its secret', async () => {
    const eve = await aMember(at, at.team, 'owner');
    const webhooks: WebhookBody[] = [];
    for (let n = 0; n < 5; n++) webhooks.push(await aWebhook({}, eve));
    const [own, ...others] = webhooks as [WebhookBody, ...WebhookBody[]];
    const changes = [
      { url: `${receiver.url}&more=1` },
      { events: ['team.changed'] },
      { workspaces: [at.workspace.slug] },
    ];
    for (const [n, change] of changes.entries()) {
      await ok(at.ada.put(pathOf(others[n] as WebhookBody), change));
    }
    await ok(at.ada.post(`${pathOf(others[3] as WebhookBody)}/secret`));
    // What changes nothing leaves the maker.
    await ok(at.ada.put(pathOf(own), { url: own.url, enabled: true }));
    await ok(at.ada.put(`/teams/${at.team}/members`, { userId: eve.id, role: 'moderator' }));
    await until(async () => !(await read(own)).enabled);
    await nextRound();
    for (const other of others) expect((await read(other)).disabledBecause).toBeNull();
  });

  // Between two rounds, a delivery finds out by itself.
  testInside.each(Object.entries(ends))(
    'who %s is not sent a message that is due already',
    async (_name, end) => {
      const eve = await aMember(at, at.team, 'owner');
      receiver.next(500);
      const webhook = await aWebhook({}, eve);
      await aPage();
      await receiver.arrival(1);
      await until(async () => (await statuses(webhook)).length === 1);
      const rounds = await heldRounds();
      try {
        await end(eve);
        await sleep(1_500);
        expect((await read(webhook)).enabled).toBe(true);
        await pass(6_000);
        await until(async () => !(await read(webhook)).enabled);
        expect((await read(webhook)).disabledBecause).toBe('maker_not_owner');
        expect(receiver.received).toHaveLength(1);
      } finally {
        await rounds.release();
      }
    },
  );

  test('is told of a workspace that other owners cannot see: they are not shown what was', async () => {
    const eve = await aMember(at, at.team, 'owner');
    const hidden = await aWorkspace(eve, at.team, { visibility: 'private' });
    const webhook = await aWebhook({ workspaces: [hidden.slug] }, eve);
    expect(webhook.workspaces).toEqual([hidden.slug]);
    await ok(eve.post(`/collections${hidden.query}`, {}));
    await arrival(1);
    await until(async () => (await deliveriesOf(webhook, eve)).length === 1);
    expect(await deliveriesOf(webhook)).toEqual([]);
    expect((await read(webhook)).workspaces).toEqual([]);
  });

  testInside(
    'who cannot see a workspace any more is not told of it, not by a retry either; once they can, of all that was not delivered',
    async () => {
      const eve = await aMember(at, at.team, 'owner');
      const hidden = await aWorkspace(eve, at.team, { visibility: 'private' });
      await giveRole(at, hidden.id, at.ada, 'editor');
      const webhook = await aWebhook({}, eve);
      const told = await aPage(hidden.query);
      await arrival(1);
      await until(async () => (await deliveriesOf(webhook, eve)).length === 1);
      receiver.next(500);
      await pass(6_000);
      const pages = [await aPage(hidden.query)];
      await arrival(2);
      await until(async () => (await deliveriesOf(webhook, eve)).length === 2);
      await ok(at.ada.delete(`${hidden.path}/members`, { userId: eve.id }));
      for (let n = 0; n < 2; n++) {
        pages.push(await aPage(hidden.query));
        await pass(6_000);
        await silence();
      }
      expect(receiver.received).toHaveLength(2);
      await giveRole(at, hidden.id, eve, 'reader');
      await pass(6_000);
      pages.push(await aPage(hidden.query));
      // It begins where the last one has ended that was delivered.
      const [, , message] = (await arrival(3)) as [Received, Received, Received];
      const feed = (await changesFrom(message)).changes.map(({ id }) => id);
      expect(feed.sort()).toEqual(pages.map(({ id }) => id).sort());
      expect(feed).not.toContain(told.id);
    },
  );
});

testInside(
  'a webhook that another owner takes over while its maker is demoted stays enabled',
  async () => {
    const eve = await aMember(at, at.team, 'owner');
    const webhook = await aWebhook({}, eve);
    const rounds = await heldRounds();
    await ok(at.ada.put(`/teams/${at.team}/members`, { userId: eve.id, role: 'moderator' }));
    const lock = await holdTeam(at.databaseUrl, at.team);
    const takesOver = ok(at.ada.put(pathOf(webhook), { url: `${receiver.url}&more=1` }));
    try {
      await lock.waiting(1);
      // A round that has found the maker demoted is the next one.
      await rounds.release();
      await lock.waiting(2);
    } finally {
      await lock.release();
    }
    await takesOver;
    await nextRound();
    expect(await read(webhook)).toMatchObject({ enabled: true, disabledBecause: null });
  },
);

testInside(
  'neither a change of the webhook nor a second test is sent within five seconds of the last',
  async () => {
    receiver.next(500);
    const webhook = await aWebhook();
    await aPage();
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    await arrival(2);
    await until(async () => (await statuses(webhook)).length === 2);
    await ok(at.ada.put(pathOf(webhook), { url: `${receiver.url}&more=1` }));
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    const states = await sql<{ early: boolean }>(
      at.databaseUrl,
      `SELECT due_at < sent_at + interval '5 seconds' AS early FROM webhook_states
     WHERE webhook_id = $1 AND due_at IS NOT NULL`,
      [webhook._id],
    );
    expect(states).toEqual([{ early: false }, { early: false }]);
  },
);

testInside(
  'an instance that has lost its lease records nothing: the message is sent again',
  async () => {
    let respond = () => undefined as unknown;
    receiver.next((response) => {
      respond = () => response.end('ok');
    });
    const webhook = await aWebhook();
    await aPage();
    const [lost] = (await arrival(1)) as [Received];
    const setLease = (change: string) =>
      sql(at.databaseUrl, `UPDATE webhook_senders SET ${change} WHERE webhook_id = $1`, [
        webhook._id,
      ]);
    // As if it had taken too long, and another one had died then.
    await setLease('holder = gen_random_uuid()');
    respond();
    await silence();
    expect(await statuses(webhook)).toEqual([]);
    await setLease('leased_until = now()');
    const [, again] = await arrival(2);
    expect([again?.id, again?.text]).toEqual([lost.id, lost.text]);
  },
);

testInside('the lease of a webhook outlasts an attempt', async () => {
  let respond = () => undefined as unknown;
  receiver.next((response) => {
    respond = () => response.end('ok');
  });
  const { _id } = await aWebhook();
  await aPage();
  const [message] = (await arrival(1)) as [Received];
  const begun = Number(message.headers['webhook-timestamp']);
  const [lease] = await sql<{ end: number }>(
    at.databaseUrl,
    'SELECT extract(epoch FROM leased_until)::float8 AS end FROM webhook_senders WHERE webhook_id = $1',
    [_id],
  );
  respond();
  expect(lease?.end).toBeGreaterThan(begun + 15);
});

testInside(
  'an instance whose clock is ten minutes ahead neither delays nor hastens a message',
  async () => {
    receiver.next(500, 500);
    const webhook = await aWebhook();
    await at.advance(10 * MINUTE);
    await aPage();
    await arrival(1);
    await until(async () => (await statuses(webhook)).length === 1);
    const late = "SELECT FROM webhook_states WHERE due_at > now() + interval '6 seconds'";
    expect(await sql(at.databaseUrl, late)).toEqual([]);
    await pass(6_000);
    await arrival(2);
    await until(async () => (await statuses(webhook)).length === 2);
    await at.advance(10 * MINUTE);
    await silence();
    expect(receiver.received).toHaveLength(2);
  },
);

testInside('what becomes of a webhook leaves the others of the team as they are', async () => {
  receiver.next(500);
  const webhook = await aWebhook();
  const { slug } = await aWorkspace(at.ada, at.team);
  const elsewhere = { workspaces: [slug] };
  const others = [await aWebhook(elsewhere), await aWebhook(elsewhere)] as const;
  await aPage();
  const [first] = await arrival(1);
  await until(async () => (await statuses(webhook)).length === 1);
  await ok(at.ada.put(pathOf(others[0]), { enabled: false }));
  await ok(at.ada.delete(pathOf(others[1])));
  await pass(6_000);
  const [, second] = await arrival(2);
  expect(second?.id).toBe(first?.id);
  await until(async () => (await statuses(webhook)).length === 2);
  expect(await statuses(webhook)).toEqual(['200', '500']);
});

test('of the attempts the last 100 are kept', async () => {
  const webhook = await aWebhook();
  await sql(
    at.databaseUrl,
    `INSERT INTO webhook_deliveries (team_id, webhook_id, id, at, message_id, event, status)
     SELECT team_id, id, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), 'msg_' || n,
       'webhook.test', '500'
     FROM webhooks, generate_series(1, 150) AS n WHERE id = $1`,
    [webhook._id],
  );
  await ok(at.ada.post(`${pathOf(webhook)}/test`));
  await until(async () => (await statuses(webhook))[0] === '200');
  const kept = 'SELECT FROM webhook_deliveries WHERE webhook_id = $1';
  expect(await sql(at.databaseUrl, kept, [webhook._id])).toHaveLength(100);
});

describe('testWebhook', () => {
  testInside('sends one message, once', async () => {
    const webhook = await aWebhook();
    receiver.next(500);
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    const [message] = (await arrival(1)) as [Received];
    verify(webhook.secret, message);
    expect(message.body).toMatchObject({ type: 'webhook.test', data: { webhook: webhook._id } });
    await until(async () => (await statuses(webhook)).length === 1);
    expect(await deliveriesOf(webhook)).toMatchObject([{ event: 'webhook.test', status: '500' }]);
    await pass(6_000);
    await silence();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('the secret', () => {
  testInside('after a renewal, both sign for a day', async () => {
    const webhook = await aWebhook();
    const renewed = await ok<WebhookBody>(at.ada.post(`${pathOf(webhook)}/secret`));
    expect(renewed.secret).not.toBe(webhook.secret);
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    const [message] = (await arrival(1)) as [Received];
    verify(webhook.secret, message);
    verify(renewed.secret, message);
    await sql(at.databaseUrl, "UPDATE webhooks SET renewed_at = now() - interval '1 day'");
    // A change that is no renewal leaves the day as it is.
    await ok(at.ada.put(pathOf(webhook), { events: ['workspace.changed', 'team.changed'] }));
    await pass(6_000);
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    const [, later] = (await arrival(2)) as [Received, Received];
    expect(() => verify(webhook.secret, later)).toThrow();
    verify(renewed.secret, later);
    // The day begins again with each renewal.
    await ok(at.ada.post(`${pathOf(webhook)}/secret`));
    await pass(6_000);
    await ok(at.ada.post(`${pathOf(webhook)}/test`));
    const [, , last] = (await arrival(3)) as [Received, Received, Received];
    verify(renewed.secret, last);
  });
});

test('a state that is due of a webhook that was disabled meanwhile is forgotten', async () => {
  const { _id } = await aWebhook();
  await ok(at.ada.put(`/teams/${at.team}/webhooks/${_id}`, { enabled: false }));
  // As a round leaves it that has read the webhook before.
  const due = `INSERT INTO webhook_states (team_id, webhook_id, scope_id, due_at)
    SELECT team_id, id, gen_random_uuid(), now() FROM webhooks WHERE id = $1`;
  await sql(at.databaseUrl, due, [_id]);
  const states = () =>
    sql(at.databaseUrl, 'SELECT FROM webhook_states WHERE webhook_id = $1', [_id]);
  await until(async () => (await states()).length === 0);
});

test('addresses that are not allowed are never called', async () => {
  // Allowed by its name only: it resolves to an address of this machine.
  const local = receiver.url.replace('127.0.0.1', 'localhost');
  const webhook = await aWebhook({ url: local });
  await sql(at.databaseUrl, 'UPDATE webhooks SET url = $2 WHERE id = $1', [
    webhook._id,
    local.replace('localhost', 'localhost.localdomain').replace('http:', 'https:'),
  ]);
  await ok(at.ada.post(`${pathOf(webhook)}/test`));
  await until(async () => (await statuses(webhook)).length === 1);
  expect(await statuses(webhook)).toEqual(['unreachable']);
  expect(receiver.received).toEqual([]);
});

test('a team whose receivers are slow does not delay others, and has two messages on their way at once', async () => {
  const other = await aTeam(at.ada);
  const slow = await startReceiver();
  try {
    slow.always(after(3_000));
    const place = await aWorkspace(at.ada, other);
    for (let n = 0; n < 4; n++) {
      await aWebhook({ url: slow.url }, at.ada, other);
    }
    await aWebhook();
    await anItem(at.ada, place.query);
    await slow.arrival(2);
    await aPage();
    await arrival(1);
    // Two for each process.
    const most = 2 * Math.max(1, INSTANCES);
    expect(slow.most()).toBeLessThanOrEqual(most);
    await slow.arrival(4);
    expect(slow.most()).toBeGreaterThanOrEqual(2);
    expect(slow.most()).toBeLessThanOrEqual(most);
  } finally {
    await slow.stop();
  }
});
