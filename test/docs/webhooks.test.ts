import { type ChildProcess, spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort, until } from '../operate/process.js';
import { tokenOf } from '../support/app.js';
import { anItem, ok } from '../support/builders.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { findProgram, testWith } from '../support/programs.js';
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

/** Makes a webhook, starts its receiver, and saves a page. */
async function prints(command: string[], folder: string): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { secret } = await ok<WebhookBody>(
    at.ada.post(`/teams/${at.team}/webhooks`, { url, workspaces: [at.workspace.slug] }),
  );
  const output = start(command, folder, port, secret);
  await until(async () => (await fetch(url, { method: 'POST' }).catch(() => null)) !== null);
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
