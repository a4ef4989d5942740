import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../operate/process.js';
import { build } from '../support/build.js';

/** What a block of commands has printed; `failed` where one of them did not end with 0. */
export interface Printed {
  out: string;
  err: string;
  failed: boolean;
}

/** What is no part of a fresh clone. What is built is copied, too: a build takes its time. */
const LEFT_OUT =
  /^(node_modules|dist\/\.lock|\.git|\.data|artifacts|clients\/[^/]+\/node_modules)$/;

/** The address that pages write; the port is another one here. */
const WRITTEN = 'localhost:3000';

/**
 * A terminal in a copy of the project as it is after `npm ci`, with an environment that has nothing of
 * ours in it. Variables and functions of one block are there in the next one.
 */
export class Terminal {
  private readonly folder = mkdtempSync(join(tmpdir(), 'teamspaces-pages-'));
  private readonly inBackground: ChildProcess[] = [];
  private count = 0;
  private heard = '';

  private constructor(
    private readonly port: number,
    private readonly clone: string,
    private readonly shell: ChildProcess,
  ) {}

  static async open(): Promise<Terminal> {
    await build();
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'teamspaces-clone-'));
    const source = resolve('.');
    const filter = (path: string) => !LEFT_OUT.test(path.slice(source.length + 1));
    cpSync(source, folder, { recursive: true, filter, preserveTimestamps: true });
    linkModules(join(source, 'node_modules'), join(folder, 'node_modules'));
    const shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: environment(port, folder),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const terminal = new Terminal(port, folder, shell);
    shell.stdout?.setEncoding('utf8').on('data', (text: string) => {
      terminal.heard += text;
    });
    return terminal;
  }

  /** Runs commands and waits for their end. */
  async run(text: string): Promise<Printed> {
    const file = join(this.folder, `${++this.count}.sh`);
    writeFileSync(file, this.here(text));
    const [out, err] = [`${file}.out`, `${file}.err`];
    const end = `END-${this.count}-`;
    // Any command that fails counts, not only the last one.
    const line = `FAILED=; trap 'FAILED=1' ERR; source ${file} </dev/null >${out} 2>${err}; trap - ERR; echo ${end}$FAILED`;
    this.shell.stdin?.write(`${line}\n`);
    while (!new RegExp(`${end}1?\n`).test(this.heard)) {
      if (this.shell.exitCode !== null) throw new Error(`the shell has ended at:\n${text}`);
      await sleep(20);
    }
    const [printed, complaints] = [out, err].map((name) => readFileSync(name, 'utf8'));
    return {
      out: this.written(`${printed}`),
      err: this.written(`${complaints}`),
      failed: this.heard.includes(`${end}1`),
    };
  }

  /** Starts commands that stay, and waits until they have printed `until`. */
  async start(text: string, until: string): Promise<Printed> {
    const child = spawn('bash', ['--noprofile', '--norc', '-c', this.here(text)], {
      cwd: this.clone,
      env: environment(this.port, this.clone),
      detached: true,
    });
    this.inBackground.push(child);
    let out = '';
    const hear = (data: Buffer) => {
      out += data;
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    while (!out.includes(until)) {
      if (child.exitCode !== null) throw new Error(`it has ended:\n${out}`);
      await sleep(50);
    }
    return { out: this.written(out), err: '', failed: false };
  }

  async close(): Promise<void> {
    this.shell.kill('SIGKILL');
    for (const child of this.inBackground) {
      if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGTERM');
      while (child.exitCode === null && child.signalCode === null) await sleep(20);
    }
    for (const folder of [this.folder, this.clone]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }
  }

  /** What is installed already is not installed again. */
  private here(text: string): string {
    return `${text.replaceAll(WRITTEN, `localhost:${this.port}`).replace(/\bnpm ci\b/g, 'true')}\n`;
  }

  private written(text: string): string {
    return text.replaceAll(`localhost:${this.port}`, WRITTEN);
  }
}

/** Links to what is installed, except the packages of this project: those are the ones of the copy. */
function linkModules(source: string, copy: string): void {
  mkdirSync(copy);
  cpSync(join(source, '.bin'), join(copy, '.bin'), { recursive: true, verbatimSymlinks: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const from = join(source, entry.name);
    const target = entry.isSymbolicLink() ? readlinkSync(from) : from;
    if (entry.name !== '.bin') symlinkSync(target, join(copy, entry.name));
  }
}

/** Of what the caller has set, only what programs are found by. */
const environment = (port: number, home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  PORT: String(port),
  NO_COLOR: '1',
});
