import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { refusesSessions } from '../../database/database-errors.js';
import { connectionOptions } from '../../database/pools.js';
import { TIMEOUT } from './finding.js';

const BACKEND = { name: 'doctor.backend', text: 'SELECT pg_backend_pid() AS backend' };

/**
 * Connects as the service does: with its startup parameters and with prepared statements, on two
 * connections, since a pooler in transaction mode confuses their statements.
 * @returns why the service cannot work with this database, or null
 */
export async function serviceProblem(config: Config): Promise<string | null> {
  const clients: pg.Client[] = [];
  const open = async (): Promise<pg.Client> => {
    const { Client, onConnect, ...options } = connectionOptions(config);
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
