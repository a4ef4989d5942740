import pg from 'pg';

const TIMEOUT_MS = 10_000;

/** What a failure to connect means, by the code of the system or of PostgreSQL. */
const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  EHOSTUNREACH: 'there is no way to the host',
  ETIMEDOUT: 'the host does not answer',
};

/** The database of an address in words, without its password. */
export function describeDatabase(databaseUrl: string): string {
  const { database, host, port } = new pg.Client({ connectionString: databaseUrl });
  return `"${database}" at ${host}${host.startsWith('/') ? '' : `:${port}`}`;
}

/**
 * Opens a connection of its own, outside the service's pool; the caller ends it.
 * @throws Error with one sentence that names DATABASE_URL, the host and the database.
 */
export async function connect(databaseUrl: string, purpose: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: TIMEOUT_MS,
    application_name: `teamspaces ${purpose}`,
  });
  // A connection that breaks fails its next statement; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new Error(
      `DATABASE_URL: there is no connection to the database ${describeDatabase(databaseUrl)}: ${reasonOf(error)}.`,
    );
  }
}

/**
 * Connects once, so that a wrong address fails the start and not the first request.
 * @throws Error as connect() does
 */
export async function checkConnection(databaseUrl: string): Promise<void> {
  const client = await connect(databaseUrl, 'start');
  await client.end();
}

/** Where a host has several addresses, the message is empty and the code is there. */
function reasonOf(error: unknown): string {
  const { code = '', message } = error as Error & { code?: string };
  const reason = REASONS[code];
  return reason ? `${reason} (${code})` : message || code;
}
