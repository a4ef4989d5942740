import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@teamspaces/local-postgres/embedded-postgres';
import pg from 'pg';
import { runCommand } from './children.js';

/** Databases of this run, on the PostgreSQL of BENCH_DATABASE_URL or on an embedded one. */
export class Databases {
  private readonly names = new Set<string>();
  private creating: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  private constructor(
    private readonly adminUrl: string,
    private readonly leave: () => Promise<void>,
  ) {}

  static async connect(given: string | undefined): Promise<Databases> {
    if (given) return new Databases(given, async () => undefined);
    const dataDir = mkdtempSync(join(tmpdir(), 'teamspaces-bench-'));
    const { url, stop } = await startEmbeddedPostgres({ dataDir });
    return new Databases(url, async () => {
      await stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** A database with all migrations. */
  async create(): Promise<string> {
    const url = await this.add('template0');
    await runCommand('migrate', { DATABASE_URL: url });
    return url;
  }

  /** A copy of a database that nobody is connected to. */
  copy(url: string): Promise<string> {
    return this.add(nameOf(url));
  }

  async drop(url: string): Promise<void> {
    await this.administer(`DROP DATABASE IF EXISTS ${nameOf(url)} WITH (FORCE)`);
    this.names.delete(nameOf(url));
  }

  /** Drops what this run has created, and stops the server if it is ours. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.creating.catch(() => undefined);
    for (const name of this.names) {
      await this.administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    this.names.clear();
    await this.leave();
  }

  /** Writes out what is changed, so that it does not happen while something is measured. */
  async checkpoint(): Promise<void> {
    await this.administer('CHECKPOINT').catch(() => undefined);
  }

  /** The processes that serve the clients of a database, where they run on this machine. */
  async backends(url: string): Promise<number[]> {
    const { rows } = await this.administer(
      `SELECT pid FROM pg_stat_activity WHERE datname = '${nameOf(url)}'`,
    );
    return rows.map(({ pid }) => Number(pid));
  }

  async version(): Promise<string> {
    const { rows } = await this.administer('SHOW server_version');
    return String(rows[0]?.server_version);
  }

  private async add(template: string): Promise<string> {
    if (this.isClosed) throw new Error('The benchmark is over');
    const name = `teamspaces_bench_${randomBytes(4).toString('hex')}`;
    this.names.add(name);
    this.creating = this.administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    await this.creating;
    const url = new URL(this.adminUrl);
    url.pathname = `/${name}`;
    return url.href;
  }

  private administer(sql: string): Promise<pg.QueryResult> {
    return withClient(this.adminUrl, (client) => client.query(sql));
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
