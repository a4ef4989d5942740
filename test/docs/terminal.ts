import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../operate/process.js';
import { build } from '../support/build.js';
import { freshClone } from './clone.js';

/** What a block of commands has printed; `failed` where one of them did not end with 0. */
export interface Printed {
  out: string;
  err: string;
  failed: boolean;
}

/** The address that pages write; the port is another one here. */
const WRITTEN = 'localhost:3000';

/**
 * Terminals in a copy of the project as it is after `npm ci`, with an environment that has nothing of
 * ours in it. Variables and functions of one block are there in the next one of its page: each page has a
 * terminal of its own.
 */
export class Terminal {
  private readonly folder = mkdtempSync(join(tmpdir(), 'teamspaces-pages-'));
  private readonly inBackground: ChildProcess[] = [];
  private count = 0;
  private heard = '';
  private page = '';
  private shell: ChildProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly clone: string,
  ) {}

  static async open(): Promise<Terminal> {
    await build();
    const port = await freePort();
    return new Terminal(port, freshClone());
  }

  /** Opens the terminal of a page, unless it is open. A variable that the page does not set fails there. */
  private shellOf(page: string): ChildProcess {
    if (this.shell && this.page === page) return this.shell;
    this.shell?.kill('SIGKILL');
    const shell = spawn('bash', ['--noprofile', '--norc', '-u'], {
      cwd: this.clone,
      env: environment(this.clone),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.heard += text;
    });
    [this.shell, this.page] = [shell, page];
    return shell;
  }

  /** Runs commands of a page and waits for their end. */
  async run(page: string, text: string): Promise<Printed> {
    const shell = this.shellOf(page);
    const file = join(this.folder, `${++this.count}.sh`);
    writeFileSync(file, this.here(text));
    const [out, err] = [`${file}.out`, `${file}.err`];
    const end = `END-${this.count}-`;
    // Any command that fails counts, not only the last one.
    const line = `FAILED=; trap 'FAILED=1' ERR; source ${file} </dev/null >${out} 2>${err}; trap - ERR; echo ${end}$FAILED`;
    shell.stdin?.write(`${line}\n`);
    while (!new RegExp(`${end}1?\n`).test(this.heard)) {
      if (shell.exitCode !== null) {
        throw new Error(`the shell has ended:\n${readFileSync(err, 'utf8')}`);
      }
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
      env: { ...environment(this.clone), PORT: String(this.port) },
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
    this.shell?.kill('SIGKILL');
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

/** Of what the caller has set, only what programs are found by. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: home,
  NO_COLOR: '1',
});
