import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort, until } from '../operate/process.js';
import { tokenOf } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { findProgram, testWith } from '../support/programs.js';
import { openRaw, sendRaw } from '../support/raw-socket.js';
import { WEBHOOK_ENV, type WebhookBody } from '../support/receiver.js';
import { scene } from '../support/scene.js';
import { blocksOf } from './markdown.js';

const at = scene({ env: WEBHOOK_ENV, once: 'team', each: 'workspace' });
const running: ChildProcess[] = [];
afterAll(async () => {
  for (const child of running) child.kill();
  await removeFolders();
});

const PYTHON = findProgram('python3');

/** The receiver of the page in this language. */
const receiverIn = (language: string): string => {
  const block = blocksOf('docs/webhooks.md').find((one) => one.language === language);
  return `${block?.text}`;
};

/** Starts a program that receives messages. @returns what it has printed */
function start(command: string[], folder: string, port: number, secret: string): () => string {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      WEBHOOK_SECRET: secret,
      TEAMSPACES_URL: at.url,
      TEAMSPACES_TOKEN: tokenOf(at.ada.person),
    },
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  return () => output;
}

const BODY = '{"type":"workspace.changed"}';

/** The bytes of a request with these headers. */
const request = (headers: Record<string, string>, body = BODY): string => {
  const lines = Object.entries({ host: 'localhost', connection: 'close', ...headers });
  return `POST / HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n${body}`;
};

/** Requests that are not valid messages, each with what is wrong with it. */
function invalidRequests(secret: string): [string, string][] {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const now = String(Math.floor(Date.now() / 1000));
  const sign = (time: string) =>
    `v1,${createHmac('sha256', key).update(`msg_1.${time}.${BODY}`).digest('base64')}`;
  const signed = (time: string) => ({
    'content-length': String(BODY.length),
    'webhook-id': 'msg_1',
    'webhook-timestamp': time,
    'webhook-signature': sign(time),
  });
  const valid = signed(now);
  const without = (name: keyof typeof valid) => {
    const { [name]: _, ...rest } = valid;
    return rest;
  };
  const withSignature = (text: string) => ({ ...valid, 'webhook-signature': text });
  const headers: [string, Record<string, string>][] = [
    ['no headers', { 'content-length': String(BODY.length) }],
    ['no id', without('webhook-id')],
    ['no timestamp', without('webhook-timestamp')],
    ['no signature', without('webhook-signature')],
    ['no length', without('content-length')],
    ['empty id', { ...valid, 'webhook-id': '' }],
    ['empty timestamp', { ...valid, 'webhook-timestamp': '' }],
    ['empty signature', withSignature('')],
    ['timestamp abc', { ...valid, 'webhook-timestamp': 'abc' }],
    ['signed timestamp abc', signed('abc')],
    ['signed timestamp with a sign', signed('-1')],
    ['signed timestamp with a superscript', signed(`${now}²`)],
    ['signed timestamp of 5,000 digits', signed('9'.repeat(5000))],
    ['signed timestamp of 2001', signed('1000000000')],
    ['junk', withSignature('junk')],
    ['only a version', withSignature('v1')],
    ['no base64', withSignature('v1,%%%')],
    ['not ASCII', withSignature(`v1,${'ü'.repeat(44)}`)],
    ['another version', withSignature(valid['webhook-signature'].replace('v1', 'v2'))],
    ['another secret', withSignature(`v1,${'A'.repeat(43)}=`)],
  ];
  return headers.map(([fault, given]) => [fault, request(given)]);
}

/** A receiver returns 400 to everything that is not a valid message, and survives callers that are silent or disconnect. */
async function refuses(url: string, secret: string): Promise<void> {
  const silent = openRaw(url);
  const statuses = [];
  for (const [fault, bytes] of invalidRequests(secret)) {
    const response = await sendRaw(url, Buffer.from(bytes, 'latin1'));
    statuses.push(`${fault}: ${response.split(' ')[1]}`);
  }
  expect(statuses.filter((line) => !line.endsWith(': 400'))).toEqual([]);
  const caller = openRaw(url);
  await new Promise<void>((sent) =>
    caller.send(request({ 'content-length': '1000' }), () => sent()),
  );
  caller.destroy();
  silent.destroy();
}

/** Makes a webhook, starts its receiver, which gets invalid messages, and saves a page. */
async function prints(command: string[], folder: string): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { secret } = await ok<WebhookBody>(
    at.ada.post(`/teams/${at.team}/webhooks`, { url, workspaces: [at.workspace.slug] }),
  );
  const output = start(command, folder, port, secret);
  await until(async () => (await fetch(url, { method: 'POST' }).catch(() => null)) !== null);
  await refuses(url, secret);
  const name = `Page ${port}`;
  await anItem(at.ada, at.query, { object: 'item', name });
  await until(() => output().includes(`changed: ${name}`));
}

test('the receiver of the page runs in Node', async () => {
  const folder = await aFolder();
  writeFileSync(join(folder, 'receiver.mjs'), receiverIn('js'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  await prints([process.execPath, 'receiver.mjs'], folder);
}, 60_000);

testWith('python3', PYTHON)(
  'and in Python',
  async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, 'receiver.py'), receiverIn('python'));
    await prints([PYTHON ?? '', 'receiver.py'], folder);
  },
  60_000,
);

test('the example runs, and refuses what is not signed', async () => {
  const script = resolve('examples/receiver/receiver.js');
  await prints([process.execPath, script], '.');
}, 60_000);
