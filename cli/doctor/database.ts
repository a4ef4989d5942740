import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { refusesSessions } from '@teamspaces/pg-lanes/driver-errors';
import { connectionOptions } from '@teamspaces/pg-lanes/service-client';
import type pg from 'pg';
import type { Config } from 'teamspaces-service/config/config';
import { connect, describeDatabase } from 'teamspaces-service/database/connection';
import { addressOf } from 'teamspaces-service/database/database';
import { OLDEST_POSTGRES } from 'teamspaces-service/database/migrations';
import { compare } from './clock.js';
import { type Finding, fail, ok, TIMEOUT, warn } from './finding.js';
import type { Examined } from './services.js';
import { examineTables } from './tables.js';

const UNKNOWN = fail('migrations', 'They cannot be checked without the database.');

/** Connection, version, connection limit, tables and clock. */
export async function examineDatabase(config: Config, production: boolean): Promise<Examined> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return examineAt(databaseUrl, config, production);
  // In production the check of the configuration reports it.
  if (production) return { findings: [UNKNOWN], clocks: [] };
  const { assertWritable, provideDatabase } = await import('teamspaces-service/development/start');
  try {
    assertWritable(dataDir);
    if (!existsSync(join(dataDir, 'postgres'))) {
      const says = `The embedded PostgreSQL in ${resolve(dataDir)} does not exist yet: npm start creates and migrates it.`;
      return { findings: [ok('database', says)], clocks: [] };
    }
    const { databaseUrl: url, stop } = await provideDatabase(config);
    return await examineAt(url, config, production).finally(stop);
  } catch (error) {
    return unreachable(error);
  }
}

function unreachable(error: unknown): Examined {
  const [says = ''] = (error as Error).message.split('\n');
  return { findings: [fail('database', says), UNKNOWN], clocks: [] };
}

async function examineAt(
  databaseUrl: string,
  config: Config,
  production: boolean,
): Promise<Examined> {
  let client: pg.Client;
  try {
    client = await connect(databaseUrl, 'doctor');
  } catch (error) {
    return unreachable(error);
  }
  try {
    const sent = Date.now();
    const { rows } = await client.query<Server>(SERVER);
    const received = Date.now();
    const server = rows[0] as Server;
    const problem = problemOf(server) ?? (await serviceProblem({ ...config, databaseUrl }));
    const place = `${describeDatabase(databaseUrl)}, PostgreSQL ${server.version}`;
    return {
      findings: [
        problem === null
          ? connectionFinding(place, server.connections, config.databasePoolSize)
          : fail('database', `${place}: ${problem}.`),
        ...(await examineTables(client, config, production)),
      ],
      clocks: [compare('the database', { sent, received, said: server.now.getTime() })],
    };
  } finally {
    await client.end();
  }
}

interface Server {
  now: Date;
  version: string;
  connections: number;
  isStandby: boolean;
  isReadOnly: boolean;
}

const SERVER = `
  SELECT clock_timestamp() AS now, current_setting('server_version') AS version,
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int AS connections,
    pg_is_in_recovery() AS "isStandby",
    current_setting('default_transaction_read_only')::boolean AS "isReadOnly"`;

/** Why the service cannot work with this server, or null. */
function problemOf({ version, isStandby, isReadOnly }: Server): string | null {
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES) {
    return `the service requires ${OLDEST_POSTGRES} or later`;
  }
  if (isStandby) {
    return 'it is a standby, which refuses writes: set DATABASE_URL to the primary, or promote it';
  }
  if (isReadOnly) {
    return 'it refuses writes, since default_transaction_read_only is on: turn it off for the server, the database and the role';
  }
  return null;
}

/**
 * Connects as the service does: with its startup parameters and with prepared statements, on two
 * connections, since a pooler in transaction mode confuses their statements.
 * @returns why the service cannot work with this database, or null
 */
async function serviceProblem(config: Config): Promise<string | null> {
  const clients: pg.Client[] = [];
  const open = async (): Promise<pg.Client> => {
    const { Client, onConnect, ...options } = connectionOptions(addressOf(config));
    const client = new Client({ ...options, query_timeout: TIMEOUT });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    await onConnect?.(client);
    return client;
  };
  try {
    const [first, second] = [await open(), await open()];
    await first.query(BACKEND);
    // A pooler in transaction mode hands the connection to PostgreSQL that `first` has used to `second`,
    // and another one to `first`.
    await second.query('BEGIN');
    await second.query(BACKEND);
    await first.query(BACKEND);
    return null;
  } catch (error) {
    const { message } = error as Error;
    return refusesSessions(error)
      ? `it refuses what the service sends (${message}), as a pooler does: set DATABASE_PREPARED_STATEMENTS=off (docs/deploy.md#pgbouncer)`
      : `a connection of the service does not work: ${message}`;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

const BACKEND = { name: 'doctor.backend', text: 'SELECT pg_backend_pid() AS backend' };

function connectionFinding(place: string, connections: number, wanted: number): Finding {
  if (connections >= wanted) {
    return ok('database', `${place}; at most ${connections} connections for all processes.`);
  }
  return warn(
    'database',
    `${place} allows ${connections} connections, and DATABASE_POOL_SIZE is ${wanted}: lower it, or raise max_connections.`,
  );
}
