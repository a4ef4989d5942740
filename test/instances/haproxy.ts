import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '../operate/process.js';
import { findProgram } from '../support/programs.js';

export interface Haproxy {
  url: string;
  stop(): Promise<void>;
}

export interface HaproxyOptions {
  /** Its own; a free one by default. Instances that know their public address are started before it. */
  port?: number;
  /** How long a response may take; that of the configuration by default. */
  timeout?: string;
  /** false: for tests of what the service itself sends, such as its ETags. */
  compresses?: boolean;
  env?: Record<string, string>;
}

/**
 * Starts a balancer in front of processes on this machine, with the configuration that
 * docker-compose.yml uses; only the addresses and the options differ, and the checks come ten times as
 * often.
 */
export async function startHaproxy(
  ports: number[],
  { port: wanted, timeout, compresses = true, env = {} }: HaproxyOptions = {},
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'teamspaces-haproxy-'));
  const port = wanted ?? (await freePort());
  const file = join(folder, 'haproxy.cfg');
  const shipped = await readFile('deploy/haproxy/haproxy.cfg', 'utf8');
  const config = localized(shipped, port, ports, timeout);
  await writeFile(file, compresses ? config : config.replace(/^ *compression .*\n/gm, ''));
  const child = spawn(findProgram('haproxy') ?? 'haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      output = `${output}${data}`.slice(-4000);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy did not start:\n${output}`);
    return (await fetch(`${url}/health/ready`).catch(() => null))?.status === 200;
  });
  return {
    url,
    stop: async () => {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same configuration on this machine's addresses, without Docker's name server. */
function localized(config: string, port: number, ports: number[], timeout?: string): string {
  const servers = (more: (i: number) => string): string =>
    ports.map((of, i) => `\n  server s${i} 127.0.0.1:${of}${more(i)}`).join('');
  const replaced = config
    .replace(/^resolvers [\s\S]*?\n\n/m, '')
    // Two that were told the same port must not share it.
    .replace('  log stdout format raw local0\n', '  noreuseport\n')
    .replace('bind :3000', `bind 127.0.0.1:${port}`)
    .replace(/inter \S+/, 'inter 100ms')
    .replace(/(?<=timeout server ).+/, (given) => timeout ?? given)
    .replace(/ default-server resolvers docker\b.*$/m, '')
    .replace(/ resolvers docker\b.*$/m, '')
    .replace(/(\n {2}server .* track .*)+/, () => servers((i) => ` track instances/s${i}`))
    .replace(/(\n {2}server [^ ]+ [^ ]+$)+/m, () => servers(() => ''));
  if (/resolvers|teamspaces-\d|bind :3000/.test(replaced))
    throw new Error(`deploy/haproxy/haproxy.cfg has changed:\n${replaced}`);
  return replaced;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
