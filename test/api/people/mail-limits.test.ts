import { startService, type TestService } from '../../support/app.js';
import { aTeam, ok } from '../../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { anInvite, type Known, someone } from '../../support/members.js';
import { sql } from '../../support/sql.js';

let database: TestDatabase;
let smtp: MailServer;
let services: TestService[];
let owner: Known;
let team: string;

beforeEach(async () => {
  database = await createTestDatabase();
  smtp = await startMailServer();
  services = [];
  const service = await anInstance();
  owner = await someone(service, 'Owner');
  team = await aTeam(owner);
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await smtp.stop();
  await database.drop();
});

async function anInstance(): Promise<TestService> {
  const env = { LOG_LEVEL: 'silent', SMTP_URL: smtp.url };
  const service = await startService(env, database.url);
  services.push(service);
  return service;
}

interface Waiting {
  is_held: boolean;
  /** Minutes until it is due. */
  minutes: number;
}

const outbox = () =>
  sql<Waiting>(
    database.url,
    `SELECT is_held, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes
     FROM mail_outbox JOIN team_invites ON team_invites.id = invite_id AND state = 'pending'
     ORDER BY due_at`,
  );

/** Waits until no mail of a pending invite is to be sent now. @returns those that are held */
async function isSettled(): Promise<Waiting[]> {
  for (;;) {
    const rows = await outbox();
    if (rows.every((row) => row.is_held)) return rows;
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

/** As if everything had happened so long ago. */
async function letPass(interval: string): Promise<void> {
  await sql(database.url, `UPDATE mail_sends SET sent_at = sent_at - interval '${interval}'`);
  await sql(database.url, `UPDATE mail_outbox SET due_at = due_at - interval '${interval}'`);
}

const addressees = () => smtp.received.flatMap(({ to }) => to).sort();
const revoke = (id: string) => ok(owner.delete(`/teams/${team}/invites/${id}`));

describe('one mail an hour to an address from a team', () => {
  test('however often the invite is renewed, or revoked and sent again, in any letter case', async () => {
    const invite = await anInvite(owner, team, 'bob@example.com');
    await isSettled();
    await anInvite(owner, team, 'BOB@example.com');
    await anInvite(owner, team, 'bob@example.com');
    await isSettled();
    await revoke(invite._id);
    await anInvite(owner, team, 'bob@EXAMPLE.com', 'guest');
    expect(await isSettled()).toMatchObject([{ is_held: true, minutes: 60 }]);
    expect(addressees()).toEqual(['bob@example.com']);

    await letPass('59 minutes');
    await isSettled();
    expect(addressees()).toHaveLength(1);
    await letPass('1 minute');
    await smtp.arrival(2);
    expect(await isSettled()).toEqual([]);
    expect(addressees()).toEqual(['bob@example.com', 'bob@example.com']);
    expect(smtp.received[1]?.raw).toContain('as a guest');
  });

  test('other teams and other addresses have mails of their own', async () => {
    await anInvite(owner, team, 'bob@example.com');
    await anInvite(owner, await aTeam(owner), 'bob@example.com');
    await anInvite(owner, team, 'eve@example.com');
    expect(await isSettled()).toEqual([]);
    expect(addressees()).toEqual(['bob@example.com', 'bob@example.com', 'eve@example.com']);
  });

  test('what the mail server does not take for now is no mail', async () => {
    smtp.refuseNext(451);
    await anInvite(owner, team, 'bob@example.com');
    await smtp.arrival();
    expect(await isSettled()).toEqual([]);
    expect(addressees()).toEqual(['bob@example.com']);
  });

  test('what may have arrived counts: a process that was killed in the midst of it', async () => {
    await anInvite(owner, team, 'bob@example.com');
    const [counted] = await sql<{ id: string }>(database.url, 'SELECT id FROM team_invites');
    await isSettled();
    // As it is left behind: the lease is over, the mail still there.
    await sql(
      database.url,
      'INSERT INTO mail_outbox (id, invite_id, attempts) VALUES (gen_random_uuid(), $1, 1)',
      [counted?.id],
    );
    expect(await isSettled()).toMatchObject([{ is_held: true }]);
    expect(addressees()).toHaveLength(1);
  });
});

describe('200 mails a day for a person', () => {
  /** As if the person had caused so many mails an hour ago, in other teams. */
  const hadSent = (count: number) =>
    sql(
      database.url,
      `INSERT INTO mail_sends (id, team_id, address, sender_id, sent_at)
       SELECT gen_random_uuid(), gen_random_uuid(), n || '@example.com', $1,
         now() - interval '1 hour' - n * interval '1 second'
       FROM generate_series(1, $2::int) AS n`,
      [owner.id, count],
    );
  const send = (by: Known, slug: string, count: number) =>
    ok(
      by.post(`/teams/${slug}/invites`, {
        invites: Array.from({ length: count }, (_, n) => ({
          email: `p${10 + n}@example.com`,
          role: 'guest',
        })),
      }),
    );

  test('the rest wait until the day is over, and those of others do not', async () => {
    await hadSent(195);
    await send(owner, team, 12);
    const held = await isSettled();
    expect(held).toHaveLength(7);
    expect(smtp.received).toHaveLength(5);
    // The 200th before it was sent an hour ago, and some seconds.
    for (const { minutes } of held) expect(minutes).toBeGreaterThan(22 * 60);
    const other = await someone(services[0] as TestService, 'Other');
    await anInvite(other, await aTeam(other), 'eve@example.com');
    await smtp.arrival(6);
    expect(addressees()).toContain('eve@example.com');

    await letPass('1 day');
    await smtp.arrival(13);
    expect(await isSettled()).toEqual([]);
    expect(new Set(addressees()).size).toBe(13);
  });

  test('counted over all instances', async () => {
    await hadSent(190);
    await anInstance();
    await anInstance();
    await send(owner, team, 19);
    expect(await isSettled()).toHaveLength(9);
    expect(smtp.received).toHaveLength(10);
    const [row] = await sql(database.url, 'SELECT count(*)::int AS sent FROM mail_sends');
    expect(row).toEqual({ sent: 200 });
  });

  test('a mail that has waited for days is tried again like any other', async () => {
    await hadSent(200);
    await send(owner, team, 1);
    expect(await isSettled()).toHaveLength(1);
    smtp.refuseNext(451);
    await sql(database.url, "UPDATE mail_sends SET sent_at = now() - interval '3 days'");
    await sql(database.url, 'UPDATE mail_outbox SET due_at = now()');
    await smtp.arrival();
    expect(await isSettled()).toEqual([]);
  });
});

test('what no limit counts any more is forgotten', async () => {
  await sql(
    database.url,
    `INSERT INTO mail_sends (id, team_id, address, sender_id, sent_at)
     SELECT gen_random_uuid(), gen_random_uuid(), age || '@example.com', $1, now() - age
     FROM unnest('{25 hours, 23 hours}'::interval[]) AS age`,
    [owner.id],
  );
  await anInstance();
  const addresses = () => sql<{ address: string }>(database.url, 'SELECT address FROM mail_sends');
  while ((await addresses()).length > 1) await new Promise((wake) => setTimeout(wake, 50));
  expect(await addresses()).toEqual([{ address: '23:00:00@example.com' }]);
});
