import { type AddressInfo, createServer, type Socket } from 'node:net';
import { startService, type TestService } from '../../support/app.js';
import { aTeam, ok } from '../../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.js';
import { anInvite, type Known, someone } from '../../support/members.js';
import { sql } from '../../support/sql.js';

let database: TestDatabase;
let smtp: MailServer;
let services: TestService[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  smtp = await startMailServer();
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  services = [];
  await smtp.stop();
  await database.drop();
});

/** An instance on the test's database. */
async function anInstance(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({ LOG_LEVEL: 'silent', ...env }, database.url);
  services.push(service);
  return service;
}

/** Someone with a team, at this instance. */
async function anOwner(service: TestService): Promise<Known & { team: string }> {
  const known = await someone(service);
  return { ...known, team: await aTeam(known) };
}

interface Waiting {
  invite_id: string;
  attempts: number;
  is_due: boolean;
  is_held: boolean;
}

const outbox = () =>
  sql<Waiting>(
    database.url,
    `SELECT invite_id, attempts, due_at <= now() AS is_due, is_held
     FROM mail_outbox ORDER BY queued_at, id`,
  );

/** Waits until the outbox is as the test wants it. */
async function outboxIs(wanted: (rows: Waiting[]) => boolean): Promise<void> {
  while (!wanted(await outbox())) await new Promise((wake) => setTimeout(wake, 50));
}
const isEmpty = (rows: Waiting[]) => rows.length === 0;

/** What waits for another attempt, for the end of a lease or for a limit, waits no longer. */
const letTimePass = async () => {
  await letPass('1 hour');
  await sql(database.url, 'UPDATE mail_outbox SET due_at = now()');
};

/** As if everything had happened so long ago. */
async function letPass(interval: string): Promise<void> {
  await sql(database.url, `UPDATE mail_sends SET sent_at = sent_at - interval '${interval}'`);
  await sql(database.url, `UPDATE mail_outbox SET due_at = due_at - interval '${interval}'`);
}

const addressees = () => smtp.received.flatMap(({ to }) => to).sort();

test('without a mail server nothing is queued', async () => {
  const { team, ...owner } = await anOwner(await anInstance());
  await anInvite(owner, team, 'bob@example.com');
  expect(await outbox()).toEqual([]);
});

test('a mail server that is away gets the mail when it is back', async () => {
  const { port, url } = smtp;
  await smtp.stop();
  const { team, ...owner } = await anOwner(await anInstance({ SMTP_URL: url }));
  await anInvite(owner, team, 'bob@example.com');
  await outboxIs(([row]) => row !== undefined && row.attempts >= 2);
  smtp = await startMailServer(port);
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(['bob@example.com']);
});

test('an invite that was revoked or accepted meanwhile is not sent; one renewed is sent as renewed', async () => {
  const { port, url } = smtp;
  await smtp.stop();
  const service = await anInstance({ SMTP_URL: url });
  const { team, ...owner } = await anOwner(service);
  const bob = await someone(service, 'Bob');
  const revoked = await anInvite(owner, team, 'revoked@example.com');
  const accepted = await anInvite(owner, team, bob.person.email);
  await anInvite(owner, team, 'expired@example.com');
  await anInvite(owner, team, 'renewed@example.com', 'member');
  await ok(owner.delete(`/teams/${team}/invites/${revoked._id}`));
  await ok(bob.post(`/invites/${accepted._id}/accept`));
  await sql(
    database.url,
    "UPDATE team_invites SET expires_at = now() WHERE email = 'expired@example.com'",
  );
  const renewed = await anInvite(owner, team, 'renewed@example.com', 'moderator');
  smtp = await startMailServer(port);
  await letTimePass();
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(['renewed@example.com']);
  const { 'text/plain': text } = partsOf(smtp.received[0]?.raw as string);
  expect(text).toContain('as a moderator');
  // No INVITE_URL: no link that leads nowhere.
  expect(text).toContain(`POST /invites/${renewed._id}/accept`);
  expect(text).not.toContain('http');
});

test('what an instance had taken when it died is sent by another, when the lease is over', async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const connected = new Promise<Socket>((resolve) => silent.once('connection', resolve));
  const { port } = silent.address() as AddressInfo;
  const stuck = await anInstance({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const { team, ...owner } = await anOwner(stuck);
  await anInvite(owner, team, 'first@example.com');
  const socket = await connected;
  expect(await outbox()).toMatchObject([{ attempts: 1, is_due: false }]);
  await stuck.stop();
  services = [];
  socket.destroy();
  await new Promise((closed) => silent.close(closed));

  const other = await anInstance({ SMTP_URL: smtp.url });
  await anInvite(other.as(owner.person), team, 'second@example.com');
  await outboxIs((rows) => rows.length === 1);
  expect(addressees()).toEqual(['second@example.com']);
  await letTimePass();
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(['first@example.com', 'second@example.com']);
});

test('what was committed by an instance that died at once is sent by the next one to start', async () => {
  const gone = await anInstance({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const { team, ...owner } = await anOwner(gone);
  await anInvite(owner, team, 'bob@example.com');
  await gone.stop();
  services = [];
  // As a crash right after the commit leaves it.
  await sql(database.url, 'UPDATE mail_outbox SET attempts = 0, due_at = queued_at');
  await anInstance({ SMTP_URL: smtp.url });
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(['bob@example.com']);
});

test('two instances send each mail once, and a replay of the request sends none', async () => {
  const one = await anInstance({ SMTP_URL: smtp.url });
  const { team, ...owner } = await anOwner(one);
  await anInstance({ SMTP_URL: smtp.url });
  const emails = Array.from({ length: 19 }, (_, n) => `p${10 + n}@example.com`);
  const send = () =>
    ok(
      owner
        .post(`/teams/${team}/invites`, {
          invites: emails.map((email) => ({ email, role: 'member' })),
        })
        .set('idempotency-key', 'once'),
    );
  await send();
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(emails);
  await send();
  expect(await outbox()).toEqual([]);
  expect(addressees()).toEqual(emails);
});

test('a mail that may have arrived is not tried again at once, and goes out after an hour', async () => {
  const { team, ...owner } = await anOwner(await anInstance({ SMTP_URL: smtp.url }));
  smtp.breakNext();
  const { _id } = await anInvite(owner, team, 'bob@example.com');
  const mailsOfBob = () => addressees().filter((to) => to === 'bob@example.com');
  /** Another mail goes out: whatever was due before it has had its turn. */
  let others = 0;
  const oneRound = async () => {
    await anInvite(owner, team, `other-${++others}@example.com`);
    await outboxIs((rows) => rows.every(({ invite_id }) => invite_id === _id));
  };
  await smtp.arrival();
  await oneRound();
  await letPass('4 minutes');
  await oneRound();
  expect(await outbox()).toMatchObject([{ attempts: 1, is_due: false, is_held: false }]);
  await letPass('2 minutes');
  await outboxIs(([row]) => row === undefined || row.is_held);
  expect(mailsOfBob()).toHaveLength(1);
  await letPass('1 hour');
  await outboxIs(isEmpty);
  expect(mailsOfBob()).toHaveLength(2);
});

test('a mail whose lease was too short belongs to whoever took it next: it does not get lost', async () => {
  const slow = smtp;
  const next = await startMailServer();
  try {
    const refuse = slow.holdNext();
    const one = await anInstance({ SMTP_URL: slow.url });
    const { team, ...owner } = await anOwner(one);
    await anInvite(owner, team, 'bob@example.com');
    await slow.held();
    // The lease ends while the first instance waits for its mail server; another one takes the mail.
    const postpone = next.holdNext();
    await letTimePass();
    await anInstance({ SMTP_URL: next.url });
    await next.held();
    // The first instance gives the mail up, and has done so when it has sent the next one.
    refuse(550);
    await anInvite(owner, team, 'eve@example.com');
    await slow.arrival();
    // The other one's mail server puts it off.
    postpone(451);
    await outboxIs(isEmpty);
    expect([...slow.received, ...next.received].flatMap(({ to }) => to).sort()).toEqual([
      'bob@example.com',
      'eve@example.com',
    ]);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    services = [];
    await next.stop();
  }
});
