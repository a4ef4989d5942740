import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connect, describeDatabase } from '../../database/connection.js';
import { inspectHistory, NewerHistory } from '../../database/migration-history.js';
import { OLDEST_POSTGRES, readMigrations } from '../../database/migrations.js';
import { compare } from './clock.js';
const check = 'database';
const UNKNOWN = {
    level: 'fail',
    check: 'migrations',
    says: 'They cannot be checked without the database.',
};
/** Connection, version, connection limit, migrations and clock. */
export async function examineDatabase(config, production) {
    const { databaseUrl, dataDir } = config;
    if (databaseUrl !== null)
        return examineAt(databaseUrl, config, production);
    // In production the check of the configuration reports it.
    if (production)
        return { findings: [UNKNOWN], clocks: [] };
    const { assertWritable, provideDatabase } = await import('../../development/defaults.js');
    try {
        assertWritable(dataDir);
        if (!existsSync(join(dataDir, 'postgres'))) {
            const says = `The embedded PostgreSQL in ${resolve(dataDir)} does not exist yet: npm start creates and migrates it.`;
            return { findings: [{ level: 'ok', check, says }], clocks: [] };
        }
        const { databaseUrl: url, stop } = await provideDatabase(config);
        return await examineAt(url, config, production).finally(stop);
    }
    catch (error) {
        const says = error.message.split('\n')[0] ?? '';
        return { findings: [{ level: 'fail', check, says }, UNKNOWN], clocks: [] };
    }
}
async function examineAt(databaseUrl, { databasePoolSize }, production) {
    let client;
    try {
        client = await connect(databaseUrl, 'doctor');
    }
    catch (error) {
        return {
            findings: [{ level: 'fail', check, says: error.message }, UNKNOWN],
            clocks: [],
        };
    }
    try {
        const sent = Date.now();
        const { rows } = await client.query(`SELECT clock_timestamp() AS now, current_setting('server_version') AS version,
         current_setting('max_connections')::int
           - current_setting('superuser_reserved_connections')::int AS max`);
        const received = Date.now();
        const { now, version, max } = rows[0];
        const place = `${describeDatabase(databaseUrl)}, PostgreSQL ${version}`;
        return {
            findings: [
                findingOf(place, Number.parseInt(version, 10), max, databasePoolSize),
                await examineMigrations(client, production),
            ],
            clocks: [compare('the database', { sent, received, said: now.getTime() })],
        };
    }
    finally {
        await client.end();
    }
}
function findingOf(place, version, max, wanted) {
    if (version < OLDEST_POSTGRES) {
        const says = `${place}: the service requires ${OLDEST_POSTGRES} or later.`;
        return { level: 'fail', check, says };
    }
    if (max < wanted) {
        const says = `${place} allows ${max} connections, and DATABASE_POOL_SIZE is ${wanted}: lower it, or raise max_connections.`;
        return { level: 'warn', check, says };
    }
    return { level: 'ok', check, says: `${place}; at most ${max} connections for all processes.` };
}
async function examineMigrations(client, production) {
    const migrations = readMigrations();
    try {
        const { length } = await inspectHistory(client, migrations);
        if (length === 0) {
            return { level: 'ok', check: 'migrations', says: `All ${migrations.length} are applied.` };
        }
        const pending = `${length} of ${migrations.length} are not applied`;
        return production
            ? { level: 'fail', check: 'migrations', says: `${pending}: run teamspaces migrate.` }
            : { level: 'warn', check: 'migrations', says: `${pending}: the next start applies them.` };
    }
    catch (error) {
        if (error instanceof NewerHistory && error.pending.length === 0 && production) {
            const says = `All ${migrations.length} are applied, and ${error.names.join(', ')} of a newer version: this version works with them after a rollback (docs/upgrade.md#rollback), but its migrate rejects them.`;
            return { level: 'warn', check: 'migrations', says };
        }
        return { level: 'fail', check: 'migrations', says: error.message };
    }
}
//# sourceMappingURL=database.js.map