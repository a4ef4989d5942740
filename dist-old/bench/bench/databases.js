import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/development/embedded-postgres.js';
import { runCommand } from './children.js';
/** Databases of this run, on the PostgreSQL of BENCH_DATABASE_URL or on an embedded one. */
export class Databases {
    adminUrl;
    leave;
    names = new Set();
    creating = Promise.resolve();
    isClosed = false;
    constructor(adminUrl, leave) {
        this.adminUrl = adminUrl;
        this.leave = leave;
    }
    static async connect(given) {
        if (given)
            return new Databases(given, async () => undefined);
        const dataDir = mkdtempSync(join(tmpdir(), 'teamspaces-bench-'));
        const { url, stop } = await startEmbeddedPostgres({ dataDir });
        return new Databases(url, async () => {
            await stop();
            rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
        });
    }
    /** A database with all migrations. */
    async create() {
        const url = await this.add('template0');
        await runCommand('migrate', { DATABASE_URL: url });
        return url;
    }
    /** A copy of a database that nobody is connected to. */
    copy(url) {
        return this.add(nameOf(url));
    }
    async drop(url) {
        await this.administer(`DROP DATABASE IF EXISTS ${nameOf(url)} WITH (FORCE)`);
        this.names.delete(nameOf(url));
    }
    /** Drops what this run has created, and stops the server if it is ours. */
    async close() {
        this.isClosed = true;
        await this.creating.catch(() => undefined);
        for (const name of this.names) {
            await this.administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        }
        this.names.clear();
        await this.leave();
    }
    /** Writes out what is changed, so that it does not happen while something is measured. */
    async checkpoint() {
        await this.administer('CHECKPOINT').catch(() => undefined);
    }
    async version() {
        const { rows } = await this.administer('SHOW server_version');
        return String(rows[0]?.server_version);
    }
    async add(template) {
        if (this.isClosed)
            throw new Error('The benchmark is over');
        const name = `teamspaces_bench_${randomBytes(4).toString('hex')}`;
        this.names.add(name);
        this.creating = this.administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
        await this.creating;
        const url = new URL(this.adminUrl);
        url.pathname = `/${name}`;
        return url.href;
    }
    administer(sql) {
        return withClient(this.adminUrl, (client) => client.query(sql));
    }
}
const nameOf = (url) => new URL(url).pathname.slice(1);
export async function withClient(url, work) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
        return await work(client);
    }
    finally {
        await client.end();
    }
}
