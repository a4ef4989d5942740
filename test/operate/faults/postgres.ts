import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chooseRunner,
  findPostgresBinaries,
  giveTo,
  type PostgresBinaries,
  type PostgresRunner,
} from '@teamspaces/local-postgres/postgres-binaries';
import { applyMigrations } from '../../../src/database/migrations.js';
import { describeWith } from '../../support/programs.js';
import { sql } from '../../support/sql.js';
import { freePort } from '../process.js';

/** Without fsync: it outlives the end of its processes, not that of the machine. */
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];

/** A PostgreSQL of the test's own, with the migrations, that it may stop and start as it likes. */
export class PostgresServer {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly home: string,
    private readonly port: number,
    private readonly settings: string[],
    private readonly binaries: PostgresBinaries,
    private readonly runner: PostgresRunner,
  ) {}

  static async create(...settings: string[]): Promise<PostgresServer> {
    const home = mkdtempSync(join(tmpdir(), 'teamspaces-faults-'));
    try {
      const binaries = findPostgresBinaries();
      const runner = chooseRunner(binaries, home);
      const server = new PostgresServer(home, await freePort(), settings, binaries, runner);
      await server.initialize();
      await server.start();
      await applyMigrations(server.url);
      return server;
    } catch (error) {
      rmSync(home, { recursive: true, force: true });
      throw error;
    }
  }

  get url(): string {
    return `postgresql://teamspaces@127.0.0.1:${this.port}/postgres`;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const options = [...SETTINGS, ...this.settings].flatMap((setting) => ['-c', setting]);
    const args = ['-D', join(this.home, 'data'), '-p', String(this.port), ...options];
    const child = this.runner.start(this.binaries.postgres, args, { stdio: 'ignore' });
    this.child = child;
    while (!(await this.isUp())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      await sleep(20);
    }
  }

  /** `fast` ends the sessions and writes everything down; `immediate` does neither. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  /** Stops it and starts it again as a hot standby, which follows nobody, until `promote()`. */
  async demote(): Promise<void> {
    await this.stop('fast');
    const signal = join(this.home, 'data', 'standby.signal');
    writeFileSync(signal, '');
    giveTo(this.runner.owner, signal);
    await this.start();
  }

  /** Resolves when it accepts changes again. */
  async promote(): Promise<void> {
    await sql(this.url, 'SELECT pg_promote()');
  }

  async remove(): Promise<void> {
    await this.stop('immediate');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  private async initialize(): Promise<void> {
    const data = join(this.home, 'data');
    mkdirSync(data, { mode: 0o700 });
    giveTo(this.runner.owner, this.home);
    giveTo(this.runner.owner, data);
    const args = ['-D', data, '-U', 'teamspaces', '--auth=trust', '-E', 'UTF8', '--locale=C'];
    const child = this.runner.start(this.binaries.initdb, [...args, '--no-sync'], {
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`initdb ended with status ${code}`);
  }

  private isUp(): Promise<boolean> {
    return sql(this.url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  }
}

/** `describe` if the PostgreSQL that npm has installed runs on this machine. */
export const describeWithServer = describeWith('PostgreSQL from npm', findServer());

function findServer(): string | null {
  try {
    const binaries = findPostgresBinaries();
    chooseRunner(binaries, tmpdir());
    return binaries.postgres;
  } catch {
    return null;
  }
}
