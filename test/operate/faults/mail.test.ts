import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { sql } from '../../support/sql.js';
import { freePort, type ServiceProcess, until } from '../process.js';
import {
  addRow,
  causeFault,
  faultHooks,
  sessionsAreOver,
  startUnlimited,
  TIMEOUT,
  verify,
} from './fault.js';
import { type Asked, MixedLoad } from './mixed-load.js';
import { type SilentProxy, startSilentProxy } from './silent-proxy.js';

/** Milliseconds of a fault; the longer one is beyond the mailer's timeout for a greeting. */
const LONG = 3_000;
const LONGER = 11_000;
/** Milliseconds in which a second copy of a mail would have come. */
const LATER = 2_500;

let database: TestDatabase;
let mails: MailServer;
let proxy: SilentProxy;
let service: ServiceProcess;
let env: Record<string, string>;
faultHooks(async () => {
  database = await createTestDatabase();
  const port = await freePort();
  mails = await startMailServer(port);
  proxy = await startSilentProxy(port);
  env = { DATABASE_URL: database.url, SMTP_URL: `smtp://127.0.0.1:${proxy.port}` };
  service = await startUnlimited(env);
  return async () => {
    await proxy.stop();
    await mails.stop();
    await database.drop();
  };
});
beforeEach(() => mails.forget());

/**
 * Every invite that was acknowledged is mailed once, sooner or later. A mail whose connection broke in
 * the middle may have arrived: it waits for five minutes, and this does not.
 */
async function assertMailedOnce(emails: readonly string[]): Promise<void> {
  const waiting = "SELECT FROM mail_outbox WHERE due_at < now() + interval '2 minutes'";
  await until(async () => (await sql(database.url, waiting)).length === 0);
  await sleep(LATER);
  const got = mails.received.flatMap(({ to }) => to);
  expect(new Set(got).size).toBe(got.length);
  expect(got).toEqual(expect.arrayContaining([...emails]));
}

const invited = (asked: readonly Asked[]): string[] =>
  asked.flatMap(({ kind, status, wrote }) => (kind === 'invite' && status === 200 ? [wrote] : []));

test(
  'the mail server refuses connections: invites are sent, and mailed later',
  async () => {
    const asked = await causeFault('mail server refuses', service, async () => {
      await mails.stop();
      await sleep(LONG);
      mails = await startMailServer(mails.port);
    });
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    await assertMailedOnce(invited(asked).slice(-1));
  },
  TIMEOUT,
);

test(
  'the mail server accepts everything and never responds: invites are sent, and mailed later',
  async () => {
    const asked = await causeFault('mail server silent', service, async () => {
      proxy.fallSilent();
      await sleep(LONGER);
      proxy.goOn();
    });
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
    await assertMailedOnce(invited(asked));
  },
  TIMEOUT,
);

test(
  'a process that is killed between the invites and their mails: the next one sends each once',
  async () => {
    const load = await MixedLoad.prepare(service.url);
    const emails = ['a', 'b', 'c'].map((name) => `${name}-${load.slug}@example.com`);
    const invites = emails.map((email) => ({ email, role: 'member' }));
    proxy.fallSilent();
    const { status } = await load.must('POST', `/teams/${load.slug}/invites`, { invites }).then(
      () => ({ status: 200 }),
      () => ({ status: 500 }),
    );
    await service.end('SIGKILL');
    // A statement that it had sent is executed nevertheless.
    await sessionsAreOver(database.url);
    expect(status).toBe(200);
    const theirs = 'invite_id IN (SELECT id FROM team_invites WHERE email = ANY ($1))';
    const queued = await sql(database.url, `SELECT FROM mail_outbox WHERE ${theirs}`, [emails]);
    expect(queued).toHaveLength(emails.length);
    expect(mails.received).toEqual([]);
    proxy.goOn();
    // What the killed process had taken is free again after five minutes, and a mail that it was about to send
    // counts for an hour: no test should take that long.
    await sql(database.url, `UPDATE mail_outbox SET due_at = now() WHERE ${theirs}`, [emails]);
    const counted = "UPDATE mail_sends SET sent_at = sent_at - interval '1 hour'";
    await sql(database.url, `${counted} WHERE address = ANY ($1)`, [emails]);
    service = await startUnlimited(env);
    const start = performance.now();
    await mails.arrival(emails.length);
    const took = performance.now() - start;
    await assertMailedOnce(emails);
    expect(mails.received).toHaveLength(emails.length);
    addRow('SIGKILL between commit and mail', [], took, null, 0);
    await verify(database.url);
  },
  TIMEOUT,
);
