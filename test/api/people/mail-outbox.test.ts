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
  return { ...known, team: await aTeam(known.caller) };
}

interface Waiting {
  invite_id: string;
  attempts: number;
  is_due: boolean;
}

const outbox = () =>
  sql<Waiting>(
    database.url,
    'SELECT invite_id, attempts, due_at <= now() AS is_due FROM mail_outbox ORDER BY queued_at, id',
  );

/** Waits until the outbox is as the test wants it. */
async function outboxIs(wanted: (rows: Waiting[]) => boolean): Promise<void> {
  while (!wanted(await outbox())) await new Promise((wake) => setTimeout(wake, 50));
}
const isEmpty = (rows: Waiting[]) => rows.length === 0;

/** What waits for another attempt, or for the end of a lease, waits no longer. */
const letTimePass = () => sql(database.url, 'UPDATE mail_outbox SET due_at = now()');

const addressees = () => smtp.received.flatMap(({ to }) => to).sort();

test('without a mail server nothing is queued', async () => {
  const { caller, team } = await anOwner(await anInstance());
  await anInvite(caller, team, 'bob@example.com');
  expect(await outbox()).toEqual([]);
});

test('a mail server that is away gets the mail when it is back', async () => {
  const { port, url } = smtp;
  await smtp.stop();
  const { caller, team } = await anOwner(await anInstance({ SMTP_URL: url }));
  await anInvite(caller, team, 'bob@example.com');
  await outboxIs(([row]) => row !== undefined && row.attempts >= 2);
  smtp = await startMailServer(port);
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(['bob@example.com']);
});

test('an invite that was revoked or accepted meanwhile is not sent; one renewed is sent as renewed', async () => {
  const { port, url } = smtp;
  await smtp.stop();
  const service = await anInstance({ SMTP_URL: url });
  const { caller, team } = await anOwner(service);
  const bob = await someone(service, 'Bob');
  const revoked = await anInvite(caller, team, 'revoked@example.com');
  const accepted = await anInvite(caller, team, bob.person.email);
  await anInvite(caller, team, 'expired@example.com');
  await anInvite(caller, team, 'renewed@example.com', 'member');
  await ok(caller.delete(`/teams/${team}/invites/${revoked._id}`));
  await ok(bob.caller.post(`/invites/${accepted._id}/accept`));
  await sql(
    database.url,
    "UPDATE team_invites SET expires_at = now() WHERE email = 'expired@example.com'",
  );
  const renewed = await anInvite(caller, team, 'renewed@example.com', 'moderator');
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
  const { caller, team, person } = await anOwner(stuck);
  await anInvite(caller, team, 'first@example.com');
  const socket = await connected;
  expect(await outbox()).toMatchObject([{ attempts: 1, is_due: false }]);
  await stuck.stop();
  services = [];
  socket.destroy();
  await new Promise((closed) => silent.close(closed));

  const other = await anInstance({ SMTP_URL: smtp.url });
  await anInvite(other.as(person), team, 'second@example.com');
  await outboxIs((rows) => rows.length === 1);
  expect(addressees()).toEqual(['second@example.com']);
  await letTimePass();
  await outboxIs(isEmpty);
  expect(addressees()).toEqual(['first@example.com', 'second@example.com']);
});

test('what was committed by an instance that died at once is sent by the next one to start', async () => {
  const gone = await anInstance({ SMTP_URL: 'smtp://127.0.0.1:1' });
  const { caller, team } = await anOwner(gone);
  await anInvite(caller, team, 'bob@example.com');
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
  const { caller, team } = await anOwner(one);
  await anInstance({ SMTP_URL: smtp.url });
  const emails = Array.from({ length: 19 }, (_, n) => `p${10 + n}@example.com`);
  const send = () =>
    ok(
      caller
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
