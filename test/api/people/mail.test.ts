import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../support/app.js';
import { aTeam, freshSlug, ok } from '../../support/builders.js';
import { type MailServer, partsOf, startMailServer } from '../../support/mail-server.js';
import { anInvite, claiming, type Known, someone } from '../../support/members.js';
import { scene } from '../../support/scene.js';
import { sql } from '../../support/sql.js';

let smtp: MailServer;
let owner: Known;
beforeAll(async () => {
  smtp = await startMailServer();
});
const at = scene({
  env: () => ({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Spaces <spaces@example.com>',
    INVITE_URL: 'https://app.example.com/join?invite={invite_id}&from=mail',
  }),
});
beforeAll(() => {
  owner = { ...at.ada, ...claiming(at, at.ada.person, { name: 'Olive <b>Owner</b>' }) };
});
afterAll(() => smtp.stop());
beforeEach(() => smtp.forget());

/** Waits until no mail is to be sent any more. */
async function outboxIsEmpty(): Promise<void> {
  const mails = () => sql(at.databaseUrl, 'SELECT FROM mail_outbox');
  while ((await mails()).length > 0) await sleep(20);
}

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
  expect((await smtp.arrival()).map(({ to }) => to)).toEqual([['later@example.com']]);
  smtp.refuseNext(550);
  await anInvite(owner, team, 'never@example.com');
  await anInvite(owner, team, 'now@example.com');
  await outboxIsEmpty();
  expect(smtp.received.map(({ to }) => to)).toEqual([['later@example.com'], ['now@example.com']]);
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
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const connected = new Promise<Socket>((resolve) => silent.once('connection', resolve));
  const { port } = silent.address() as AddressInfo;
  const lonely = await startService({ SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'silent' });
  const someOwner = await someone(lonely);
  const team = await aTeam(someOwner);
  await anInvite(someOwner, team, 'bob@example.com');
  const socket = await connected;
  await lonely.stop();
  socket.destroy();
  await new Promise((closed) => silent.close(closed));
});
