import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { startService, type TestService } from '../../support/app.js';
import { aTeam, freshSlug, ok } from '../../support/builders.js';
import { anInvite, claiming, type Known, someone } from '../../support/members.js';

interface Received {
  to: string[];
  raw: string;
}

let received: Received[] = [];
/** How many of the next mails are refused, and with which code. */
let refusals: number[] = [];
let smtp: SMTPServer;
let service: TestService;
let owner: Known;

beforeAll(async () => {
  smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const code = refusals.shift();
        if (code) return done(Object.assign(new Error('not now'), { responseCode: code }));
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw: Buffer.concat(chunks).toString('utf8') });
        return done();
      });
    },
  });
  await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', listening));
  const { port } = smtp.server.address() as AddressInfo;
  service = await startService({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'Spaces <spaces@example.com>',
    INVITE_URL: 'https://app.example.com/join?invite={invite_id}&from=mail',
  });
  const { person, id } = await someone(service, 'Olive');
  owner = { person, id, caller: claiming(service, person, { name: 'Olive <b>Owner</b>' }) };
});
afterAll(async () => {
  await service.stop();
  await new Promise<void>((closed) => smtp.close(closed));
});
beforeEach(() => {
  received = [];
  refusals = [];
});

async function arrival(count = 1): Promise<Received[]> {
  for (let waited = 0; received.length < count && waited < 8_000; waited += 20) {
    await new Promise((wake) => setTimeout(wake, 20));
  }
  return received;
}

/** The decoded parts of a mail, by their type. */
function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] as string;
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...body] = part.trimStart().split('\r\n\r\n');
      const encoded = body.join('\r\n\r\n');
      const decoded = /base64/i.test(head)
        ? Buffer.from(encoded, 'base64')
        : Buffer.from(
            encoded
              .replace(/=\r\n/g, '')
              .replace(/=([0-9A-F]{2})/g, (_, hex) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            'latin1',
          );
      return [/Content-Type: ([^;]+)/i.exec(head)?.[1] as string, decoded.toString('utf8')];
    }),
  );
}

test('an invite goes out: team, role, expiry, inviter, link, in two parts', async () => {
  const team = await aTeam(owner.caller);
  const invite = await anInvite(owner.caller, team, 'bob@example.com', 'moderator');
  const [mail] = await arrival();
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
  await ok(owner.caller.post('/teams', { name: 'A\r\nBcc: x@evil.com\n\n<i>', slug }));
  await anInvite(owner.caller, slug, 'bob@example.com');
  const [mail] = await arrival();
  expect(mail?.to).toEqual(['bob@example.com']);
  expect(mail?.raw).not.toMatch(/^Bcc:/im);
  const { 'text/plain': text, 'text/html': html } = partsOf(mail?.raw as string);
  expect(text).toContain('“A Bcc: x@evil.com <i>”');
  expect(html).toContain('“A Bcc: x@evil.com &lt;i&gt;”');
});

test('refused for now, it is sent again; refused for good, it is not', async () => {
  const team = await aTeam(owner.caller);
  refusals = [451];
  await anInvite(owner.caller, team, 'later@example.com');
  expect((await arrival()).map(({ to }) => to)).toEqual([['later@example.com']]);
  refusals = [550];
  await anInvite(owner.caller, team, 'never@example.com');
  await anInvite(owner.caller, team, 'now@example.com');
  await arrival(2);
  await new Promise((wake) => setTimeout(wake, 1_000));
  expect(received).toHaveLength(2);
});

test('no mail for invites that were not made', async () => {
  const team = await aTeam(owner.caller);
  const invites = ['new@example.com', owner.person.email].map((email) => ({
    email,
    role: 'guest',
  }));
  await owner.caller.post(`/teams/${team}/invites`, { invites }).expect(409);
  await new Promise((wake) => setTimeout(wake, 300));
  expect(received).toEqual([]);
});

test('a mail server that never answers neither fails nor delays the request, nor the shutdown', async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const connected = new Promise<Socket>((resolve) => silent.once('connection', resolve));
  const { port } = silent.address() as AddressInfo;
  const lonely = await startService({ SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'silent' });
  const { caller } = await someone(lonely);
  const team = await aTeam(caller);
  await anInvite(caller, team, 'bob@example.com');
  const socket = await connected;
  await lonely.stop();
  socket.destroy();
  await new Promise((closed) => silent.close(closed));
});
