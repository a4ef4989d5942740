import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Metrics } from '../../../src/observability/metrics.js';
import { startService, startServiceInside, type TestService } from '../../support/app.js';
import { aTeam, freshSlug, ok } from '../../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { describeAlone, INSTANCES } from '../../support/inside.js';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.js';
import { aMember, anInvite, claiming, type Known, someone } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

/** Milliseconds between two looks of an instance into the outbox. */
const LOOKS = 2_000;

/** Reads rows until they are as the test wants them, for a minute at most. */
async function rowsAre<Row>(
  read: () => Promise<Row[]>,
  wanted: (rows: Row[]) => boolean,
): Promise<Row[]> {
  const end = performance.now() + 60_000;
  for (;;) {
    const rows = await read();
    if (wanted(rows)) return rows;
    if (performance.now() > end) throw new Error(`after a minute: ${JSON.stringify(rows)}`);
    await sleep(20);
  }
}
const isEmpty = (rows: unknown[]) => rows.length === 0;

/** Waits until no mail has its first attempt before it, or is being sent. */
const areTried = (databaseUrl: string): Promise<unknown> => {
  const untried =
    "SELECT FROM mail_outbox WHERE NOT is_held AND (attempts = 0 OR due_at > now() + interval '1 minute')";
  return rowsAre(() => sql(databaseUrl, untried), isEmpty);
};

/** Waits until mails that were to be sent have had their attempt, and gives those that were put off another. */
async function tryMailsAgain(databaseUrl: string, services: TestService[]): Promise<void> {
  if (INSTANCES > 0) return;
  await areTried(databaseUrl);
  await sql(databaseUrl, 'UPDATE mail_outbox SET due_at = now() WHERE NOT is_held');
  await Promise.all(services.map((service) => service.advance(LOOKS)));
}

describe('mail of invites', () => {
  let smtp: MailServer;
  let owner: Known;
  const at = scene({
    env: async () => {
      smtp = await startMailServer();
      return {
        SMTP_URL: smtp.url,
        MAIL_FROM: 'Spaces <spaces@example.com>',
        INVITE_URL: 'https://app.example.com/join?invite={invite_id}&from=mail',
      };
    },
  });
  beforeAll(() => {
    owner = { ...at.ada, ...claiming(at, at.ada.person, { name: 'Olive <b>Owner</b>' }) };
  });
  afterAll(() => smtp.stop());
  beforeEach(() => smtp.forget());

  /** Waits until no mail is to be sent any more. */
  const outboxIsEmpty = () =>
    rowsAre(() => sql(at.databaseUrl, 'SELECT * FROM mail_outbox'), isEmpty);

  test('an invite goes out: team, role, expiry, inviter, link, in two parts', async () => {
    const team = await aTeam(owner);
    const invite = await anInvite(owner, team, 'bob@example.com', 'moderator');
    const [mail] = await smtp.arrival();
    expect(mail?.to).toEqual(['bob@example.com']);
    expect(mail?.raw).toMatch(/^From: Spaces <spaces@example.com>\r$/m);
    const { 'text/plain': text, 'text/html': html } = partsOf(mail?.raw as string);
    const link = `https://app.example.com/join?invite=${invite._id}&from=mail`;
    expect(text).toContain(link);
    expect(html).toContain(`<a href="${link.replace('&', '&amp;')}">`);
    for (const part of [text, html]) {
      expect(part).toContain('“Team” as a moderator');
      expect(part).toContain(invite.expires.slice(0, 10));
      expect(part).toContain(owner.person.email);
    }
    expect(text).toContain('Olive <b>Owner</b>');
    expect(html).toContain('Olive &lt;b&gt;Owner&lt;/b&gt;');
  });

  test('a team name cannot make headers, lines or tags', async () => {
    const slug = freshSlug();
    await ok(owner.post('/teams', { name: 'A\r\nBcc: x@evil.com\n\n<i>', slug }));
    await anInvite(owner, slug, 'bob@example.com');
    const [mail] = await smtp.arrival();
    expect(mail?.to).toEqual(['bob@example.com']);
    expect(mail?.raw).not.toMatch(/^Bcc:/im);
    const { 'text/plain': text, 'text/html': html } = partsOf(mail?.raw as string);
    expect(text).toContain('“A Bcc: x[@]evil[.]com <i>”');
    expect(html).toContain('“A Bcc: x[@]evil[.]com &lt;i&gt;”');
  });

  test('no address in a name becomes a link', async () => {
    const slug = freshSlug();
    await ok(owner.post('/teams', { name: 'http://evil.example/x', slug }));
    const caller = claiming(at, owner.person, { name: 'Win at www.evil.example a@b.example' });
    await anInvite(caller, slug, 'bob@example.com');
    const [mail] = await smtp.arrival();
    const { 'text/plain': text = '', 'text/html': html = '' } = partsOf(mail?.raw as string);
    for (const part of [text, html]) {
      expect(part).toContain('http[:]//evil[.]example/x');
      expect(part).toContain('Win at www[.]evil[.]example a[@]b[.]example');
      // What is an address, and ours to show, remains one.
      expect(part).toContain(`(${owner.person.email})`);
      expect(part).toContain('https://app.example.com/join');
    }
    expect(mail?.raw).not.toContain('evil.example');
  });

  test('refused for now, it is sent again; refused for good, it is not', async () => {
    const team = await aTeam(owner);
    smtp.refuseNext(451);
    await anInvite(owner, team, 'later@example.com');
    await tryMailsAgain(at.databaseUrl, [at]);
    expect((await smtp.arrival()).map(({ to }) => to)).toEqual([['later@example.com']]);
    smtp.refuseNext(550);
    await anInvite(owner, team, 'never@example.com');
    await outboxIsEmpty();
    await anInvite(owner, team, 'now@example.com');
    await outboxIsEmpty();
    expect(smtp.received.map(({ to }) => to)).toEqual([['later@example.com'], ['now@example.com']]);
  });

  test('of a sender that is refused for good, it is sent when MAIL_FROM is right', async () => {
    const team = await aTeam(owner);
    smtp.refuseSender(550);
    await anInvite(owner, team, 'later@example.com');
    await tryMailsAgain(at.databaseUrl, [at]);
    expect((await smtp.arrival()).map(({ to }) => to)).toEqual([['later@example.com']]);
  });

  test('no mail for invites that were not made', async () => {
    const team = await aTeam(owner);
    const invites = ['new@example.com', owner.person.email].map((email) => ({
      email,
      role: 'guest',
    }));
    await owner.post(`/teams/${team}/invites`, { invites }).expect(409);
    await outboxIsEmpty();
    expect(smtp.received).toEqual([]);
  });

  test('a mail server that never answers neither fails nor delays the request, nor the shutdown', async () => {
    const silent = createServer();
    await new Promise<void>((listening) => silent.unref().listen(0, '127.0.0.1', listening));
    const connected = new Promise<Socket>((resolve) => silent.once('connection', resolve));
    const { port } = silent.address() as AddressInfo;
    const lonely = await startService({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      LOG_LEVEL: 'silent',
    });
    const someOwner = await someone(lonely);
    const team = await aTeam(someOwner);
    await anInvite(someOwner, team, 'bob@example.com');
    const socket = await connected;
    await lonely.stop();
    socket.destroy();
    await new Promise((closed) => silent.close(closed));
  });
});

/** Instances on a database of each test's own, and a mail server. */
function instances() {
  const at = { services: [] as TestService[] } as {
    databaseUrl: string;
    smtp: MailServer;
    services: TestService[];
  };
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    at.databaseUrl = database.url;
    at.smtp = await startMailServer();
  });
  afterEach(async () => {
    await stop();
    await at.smtp.stop();
    await database.drop();
  });

  async function stop(): Promise<void> {
    await Promise.all(at.services.map((service) => service.stop()));
    at.services = [];
  }

  /** @param env names the test's mail server, unless it names another */
  async function anInstance(env: Record<string, string> = {}): Promise<TestService> {
    const settings = { LOG_LEVEL: 'silent', SMTP_URL: at.smtp.url, ...env };
    const service = await startService(settings, at.databaseUrl);
    at.services.push(service);
    return service;
  }

  /** As if everything had happened so long ago; and each instance looks what is due. */
  async function letPass(interval: string): Promise<void> {
    await sql(
      at.databaseUrl,
      `WITH sends AS (UPDATE mail_sends SET sent_at = sent_at - interval '${interval}')
       UPDATE mail_outbox SET due_at = due_at - interval '${interval}', queued_at = queued_at - interval '${interval}'`,
    );
    await Promise.all(at.services.map((service) => service.advance(LOOKS)));
  }

  const tryAgain = () => tryMailsAgain(at.databaseUrl, at.services);
  const addressees = () => at.smtp.received.flatMap(({ to }) => to).sort();
  return Object.assign(at, { anInstance, stop, letPass, tryAgain, addressees });
}

describeAlone('the outbox', () => {
  const at = instances();
  const { anInstance, letPass, tryAgain, addressees } = at;

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
      at.databaseUrl,
      `SELECT invite_id, attempts, due_at <= now() AS is_due, is_held
     FROM mail_outbox ORDER BY queued_at, id`,
    );

  /** Waits until the outbox is as the test wants it. */
  const outboxIs = (wanted: (rows: Waiting[]) => boolean) => rowsAre(outbox, wanted);

  test('without a mail server nothing is queued', async () => {
    const { team, ...owner } = await anOwner(await anInstance({ SMTP_URL: '' }));
    await anInvite(owner, team, 'bob@example.com');
    expect(await outbox()).toEqual([]);
  });

  test('a mail server that is away gets the mail when it is back', async () => {
    await at.smtp.stop();
    const { team, ...owner } = await anOwner(await anInstance());
    await anInvite(owner, team, 'bob@example.com');
    await tryAgain();
    await outboxIs(([row]) => row?.attempts === 2);
    at.smtp = await startMailServer(at.smtp.port);
    await tryAgain();
    await outboxIs(isEmpty);
    expect(addressees()).toEqual(['bob@example.com']);
  });

  test('an invite that was revoked or accepted meanwhile is not sent; one renewed is sent as renewed', async () => {
    await at.smtp.stop();
    const service = await anInstance();
    const { team, ...owner } = await anOwner(service);
    const bob = await someone(service, 'Bob');
    const revoked = await anInvite(owner, team, 'revoked@example.com');
    const accepted = await anInvite(owner, team, bob.person.email);
    await anInvite(owner, team, 'expired@example.com');
    await anInvite(owner, team, 'renewed@example.com', 'member');
    await ok(owner.delete(`/teams/${team}/invites/${revoked._id}`));
    await ok(bob.post(`/invites/${accepted._id}/accept`));
    await sql(
      at.databaseUrl,
      "UPDATE team_invites SET expires_at = now() WHERE email = 'expired@example.com'",
    );
    await areTried(at.databaseUrl);
    const renewed = await anInvite(owner, team, 'renewed@example.com', 'moderator');
    await areTried(at.databaseUrl);
    at.smtp = await startMailServer(at.smtp.port);
    await tryAgain();
    await outboxIs(isEmpty);
    expect(addressees()).toEqual(['renewed@example.com']);
    const { 'text/plain': text } = partsOf(at.smtp.received[0]?.raw as string);
    expect(text).toContain('as a moderator');
    // No INVITE_URL: no link that leads nowhere.
    expect(text).toContain(`POST /invites/${renewed._id}/accept`);
    expect(text).not.toContain('http');
  });

  test('what an instance had taken when it died is sent by another, when the lease is over', async () => {
    const silent = createServer();
    await new Promise<void>((listening) => silent.unref().listen(0, '127.0.0.1', listening));
    const connected = new Promise<Socket>((resolve) => silent.once('connection', resolve));
    const { port } = silent.address() as AddressInfo;
    const stuck = await anInstance({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const { team, ...owner } = await anOwner(stuck);
    await anInvite(owner, team, 'first@example.com');
    const socket = await connected;
    expect(await outbox()).toMatchObject([{ attempts: 1, is_due: false }]);
    await at.stop();
    socket.destroy();
    await new Promise((closed) => silent.close(closed));

    const other = await anInstance();
    await anInvite(other.as(owner.person), team, 'second@example.com');
    await outboxIs((rows) => rows.length === 1);
    expect(addressees()).toEqual(['second@example.com']);
    await letPass('1 hour');
    await outboxIs(isEmpty);
    expect(addressees()).toEqual(['first@example.com', 'second@example.com']);
  });

  test('what was committed by an instance that died at once is sent by the next one to start', async () => {
    const gone = await anInstance({ SMTP_URL: 'smtp://127.0.0.1:1' });
    const { team, ...owner } = await anOwner(gone);
    await anInvite(owner, team, 'bob@example.com');
    await at.stop();
    // As a crash right after the commit leaves it.
    await sql(at.databaseUrl, 'UPDATE mail_outbox SET attempts = 0, due_at = queued_at');
    await anInstance();
    await outboxIs(isEmpty);
    expect(addressees()).toEqual(['bob@example.com']);
  });

  test('two instances send each mail once, and a replay of the request sends none', async () => {
    const one = await anInstance();
    const { team, ...owner } = await anOwner(one);
    await anInstance();
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
    const { team, ...owner } = await anOwner(await anInstance());
    at.smtp.breakNext();
    const { _id } = await anInvite(owner, team, 'bob@example.com');
    const mailsOfBob = () => addressees().filter((to) => to === 'bob@example.com');
    /** Another mail goes out: whatever was due before it has had its turn. */
    let others = 0;
    const oneRound = async () => {
      await anInvite(owner, team, `other-${++others}@example.com`);
      await outboxIs((rows) => rows.every(({ invite_id }) => invite_id === _id));
    };
    await at.smtp.arrival();
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
    const slow = at.smtp;
    const next = await startMailServer();
    try {
      const refuse = slow.holdNext();
      const one = await anInstance();
      const { team, ...owner } = await anOwner(one);
      await anInvite(owner, team, 'bob@example.com');
      await slow.held();
      // The lease ends while the first instance waits for its mail server; another one takes the mail.
      const postpone = next.holdNext();
      await letPass('1 hour');
      await anInstance({ SMTP_URL: next.url });
      await next.held();
      // The first instance gives the mail up, and has done so when it has stopped.
      refuse(550);
      at.services = at.services.filter((service) => service !== one);
      await one.stop();
      // The other one's mail server puts it off.
      postpone(451);
      await tryAgain();
      await outboxIs(isEmpty);
      expect([...slow.received, ...next.received].flatMap(({ to }) => to)).toEqual([
        'bob@example.com',
      ]);
    } finally {
      await at.stop();
      await next.stop();
    }
  });
});

describeAlone('the outbox of several people', () => {
  const at = instances();

  test('the mail of one does not wait for the many of another whose addressees are slow', async () => {
    const service = await at.anInstance();
    const [owner, other] = [await someone(service, 'Owner'), await someone(service, 'Other')];
    const [team, quiet] = [await aTeam(owner), await aTeam(other)];
    const release = Array.from({ length: 13 }, () => at.smtp.holdNext());
    const invites = Array.from({ length: 12 }, (_, n) => ({
      email: `p${n}@example.com`,
      role: 'guest',
    }));
    await ok(owner.post(`/teams/${team}/invites`, { invites }));
    await at.smtp.held(3);
    await anInvite(other, quiet, 'eve@example.com');
    // No more than three of one person are being sent.
    expect((await at.smtp.held(4)).at(-1)).toBe('eve@example.com');
    for (const end of release) end(0);
    await at.smtp.arrival(13);
  });

  test('what waits is counted while a mail is being sent, too', async () => {
    const service = await startServiceInside(
      { LOG_LEVEL: 'silent', SMTP_URL: at.smtp.url },
      at.databaseUrl,
    );
    at.services.push(service);
    const owner = await someone(service, 'Owner');
    const end = at.smtp.holdNext();
    await anInvite(owner, await aTeam(owner), 'bob@example.com');
    await at.smtp.held(1);
    const metrics = service.provider<Metrics>('Metrics');
    const waiting = async () =>
      (await metrics.read()).match(/(?<=^teamspaces_mail_waiting\{kind="invite"\} )\d+$/m) ?? [];
    const [count] = await rowsAre(waiting, ([count]) => count !== '0');
    expect(count).toBe('1');
    expect(await metrics.read()).toContain('teamspaces_mail_attempts_total{outcome="failed"} 0\n');
    end(0);
    await at.smtp.arrival(1);
  });
});

describeAlone('limits of mail', () => {
  const at = instances();
  const { anInstance, letPass, tryAgain, addressees } = at;
  let owner: Known;
  let team: string;
  beforeEach(async () => {
    const service = await anInstance();
    owner = await someone(service, 'Owner');
    team = await aTeam(owner);
  });

  interface Waiting {
    is_held: boolean;
    /** Minutes until it is due. */
    minutes: number;
  }

  const outbox = () =>
    sql<Waiting>(
      at.databaseUrl,
      `SELECT is_held, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes
     FROM mail_outbox JOIN team_invites ON team_invites.id = invite_id AND state = 'pending'
     ORDER BY due_at`,
    );

  /** Waits until no mail of a pending invite is to be sent now. @returns those that are held */
  const isSettled = () => rowsAre(outbox, (rows) => rows.every((row) => row.is_held));

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
      await anInvite(owner, team, 'bob@example.com', 'guest');
      expect(await isSettled()).toMatchObject([{ is_held: true }]);
      expect(addressees()).toHaveLength(1);
      await letPass('1 minute');
      await at.smtp.arrival(2);
      expect(await isSettled()).toEqual([]);
      expect(addressees()).toEqual(['bob@example.com', 'bob@example.com']);
      expect(at.smtp.received[1]?.raw).toContain('as a guest');
    });

    test('whoever of the team sends the invite', async () => {
      const other = await aMember(at.services[0] as TestService, team, 'moderator');
      const invite = await anInvite(owner, team, 'bob@example.com');
      await isSettled();
      await revoke(invite._id);
      await anInvite(other, team, 'bob@example.com');
      expect(await isSettled()).toMatchObject([{ is_held: true, minutes: 60 }]);
      expect(addressees()).toEqual(['bob@example.com']);
    });

    test('other teams and other addresses have mails of their own', async () => {
      await anInvite(owner, team, 'bob@example.com');
      await anInvite(owner, await aTeam(owner), 'bob@example.com');
      await anInvite(owner, team, 'eve@example.com');
      expect(await isSettled()).toEqual([]);
      expect(addressees()).toEqual(['bob@example.com', 'bob@example.com', 'eve@example.com']);
    });

    test('what the mail server does not take for now is no mail', async () => {
      at.smtp.refuseNext(451);
      await anInvite(owner, team, 'bob@example.com');
      await tryAgain();
      await at.smtp.arrival();
      expect(await isSettled()).toEqual([]);
      expect(addressees()).toEqual(['bob@example.com']);
    });

    test('what may have arrived counts: a process that was killed in the midst of it', async () => {
      await anInvite(owner, team, 'bob@example.com');
      const [counted] = await sql<{ id: string }>(at.databaseUrl, 'SELECT id FROM team_invites');
      await isSettled();
      // As it is left behind: the lease is over, the mail still there.
      await sql(
        at.databaseUrl,
        'INSERT INTO mail_outbox (id, invite_id, attempts) VALUES (gen_random_uuid(), $1, 1)',
        [counted?.id],
      );
      await letPass('0 minutes');
      expect(await isSettled()).toMatchObject([{ is_held: true }]);
      expect(addressees()).toHaveLength(1);
    });
  });

  describe('200 mails a day for a person', () => {
    /** As if the person had caused so many mails an hour ago, in other teams. */
    const hadSent = (count: number) =>
      sql(
        at.databaseUrl,
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
      expect(at.smtp.received).toHaveLength(5);
      // The 200th before it was sent an hour ago, and some seconds.
      for (const { minutes } of held) expect(minutes).toBeGreaterThan(22 * 60);
      const other = await someone(at.services[0] as TestService, 'Other');
      await anInvite(other, await aTeam(other), 'eve@example.com');
      await at.smtp.arrival(6);
      expect(addressees()).toContain('eve@example.com');

      // Those of 23 hours ago count as well.
      await letPass('22 hours');
      await anInvite(owner, team, 'late@example.com');
      expect(await isSettled()).toHaveLength(8);
      expect(at.smtp.received).toHaveLength(6);
      await letPass('2 hours');
      await at.smtp.arrival(14);
      expect(await isSettled()).toEqual([]);
      expect(new Set(addressees()).size).toBe(14);
    });

    test('counted over all instances', async () => {
      await hadSent(190);
      await anInstance();
      await anInstance();
      await send(owner, team, 19);
      expect(await isSettled()).toHaveLength(9);
      expect(at.smtp.received).toHaveLength(10);
      const [row] = await sql(at.databaseUrl, 'SELECT count(*)::int AS sent FROM mail_sends');
      expect(row).toEqual({ sent: 200 });
    });

    test('a mail that was held for a day is tried again like any other', async () => {
      await hadSent(200);
      await send(owner, team, 1);
      expect(await isSettled()).toHaveLength(1);
      at.smtp.refuseNext(451);
      await letPass('1 day');
      await tryAgain();
      await at.smtp.arrival();
      expect(await isSettled()).toEqual([]);
      expect(addressees()).toEqual(['p10@example.com']);
    });
  });
});
