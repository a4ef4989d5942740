import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { connect, describeDatabase } from '../../database/connection.js';
import { OLDEST_POSTGRES } from '../../database/migrations.js';
import { examineChanges } from './changes.js';
import { compare, type OtherClock } from './clock.js';
import type { Finding } from './finding.js';
import { serviceProblem } from './service-connection.js';
import { examineTables } from './tables.js';

/** Results of the database's checks, and its clock if it was reachable. */
export interface DatabaseFindings {
  findings: Finding[];
  clocks: OtherClock[];
}

const check = 'database';
const UNKNOWN: Finding = {
  level: 'fail',
  check: 'migrations',
  says: 'They cannot be checked without the database.',
};

/** Connection, version, connection limit, tables and clock. */
export async function examineDatabase(
  config: Config,
  production: boolean,
): Promise<DatabaseFindings> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== null) return examineAt(databaseUrl, config, production);
  // In production the check of the configuration reports it.
  if (production) return { findings: [UNKNOWN], clocks: [] };
  const { assertWritable, provideDatabase } = await import('../../development/start.js');
  try {
    assertWritable(dataDir);
    if (!existsSync(join(dataDir, 'postgres'))) {
      const says = `The embedded PostgreSQL in ${resolve(dataDir)} does not exist yet: npm start creates and migrates it.`;
      return { findings: [{ level: 'ok', check, says }], clocks: [] };
    }
    const { databaseUrl: url, stop } = await provideDatabase(config);
    return await examineAt(url, config, production).finally(stop);
  } catch (error) {
    const says = (error as Error).message.split('\n')[0] ?? '';
    return { findings: [{ level: 'fail', check, says }, UNKNOWN], clocks: [] };
  }
}

async function examineAt(
  databaseUrl: string,
  config: Config,
  production: boolean,
): Promise<DatabaseFindings> {
  let client: pg.Client;
  try {
    client = await connect(databaseUrl, 'doctor');
  } catch (error) {
    return {
      findings: [{ level: 'fail', check, says: (error as Error).message }, UNKNOWN],
      clocks: [],
    };
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
          : { level: 'fail', check, says: `${place}: ${problem}.` },
        ...(await examineTables(client, production)),
        ...(await examineChanges(client, config)),
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

function connectionFinding(place: string, connections: number, wanted: number): Finding {
  if (connections < wanted) {
    const says = `${place} allows ${connections} connections, and DATABASE_POOL_SIZE is ${wanted}: lower it, or raise max_connections.`;
    return { level: 'warn', check, says };
  }
  const says = `${place}; at most ${connections} connections for all processes.`;
  return { level: 'ok', check, says };
}
