import { interruption } from 'teamspaces';
import { type Config, isProduction, loadConfig } from 'teamspaces-service/config/config';
import { checkConnection } from 'teamspaces-service/database/connection';
import type { Database } from 'teamspaces-service/database/database';

/** A configuration with a database. */
export type WithDatabase = Config & { databaseUrl: string };

/**
 * Runs `work` on the database of DATABASE_URL, otherwise on the embedded one, which is started if
 * it does not run. Settings that concern neither the database nor teams are ignored.
 * @throws Error with one sentence if the database is not available, or is empty; Ended at a signal
 */
export async function withDatabase<T>(work: (config: WithDatabase) => Promise<T>): Promise<T> {
  const given = loadConfig(
    Object.fromEntries(Object.entries(process.env).filter(concernsCommands)),
  );
  if (given.databaseUrl === null && isProduction(process.env)) {
    throw new Error(
      'DATABASE_URL must be set in production: the embedded PostgreSQL is for development.',
    );
  }
  const interrupted = interruption();
  const { databaseUrl, stop } = await provide(given);
  try {
    await checkConnection(databaseUrl);
    return await Promise.race([work({ ...given, databaseUrl }), interrupted]);
  } catch (error) {
    throw explained(error);
  } finally {
    await stop();
  }
}

/**
 * The same, with the connections of the service: for its transactions.
 * @param options.hasNoTimeouts statements and locks may take any time
 */
export const withPools = <T>(
  work: (database: Database, config: WithDatabase) => Promise<T>,
  options: { hasNoTimeouts?: true } = {},
): Promise<T> =>
  withDatabase(async (config) => {
    const { Database } = await import('teamspaces-service/database/database');
    const database = new Database({ ...config, ...options });
    try {
      return await work(database, config);
    } finally {
      await database.onApplicationShutdown();
    }
  });

export const noTeam = (slug: string): Error =>
  new Error(`There is no team with the slug "${slug}".`);

/** Variables of the database, of the plans' limits and of the trash. */
const concernsCommands = ([variable]: [string, unknown]): boolean =>
  variable.startsWith('DATABASE_') ||
  ['DATA_DIR', 'PLAN_LIMITS', 'TRASH_TTL_SECONDS'].includes(variable);

async function provide(config: Config): Promise<{ databaseUrl: string; stop(): Promise<void> }> {
  const { databaseUrl } = config;
  if (databaseUrl !== null) return { databaseUrl, stop: async () => undefined };
  // Loaded only if it is needed, which is never in production.
  const { provideDatabase } = await import('teamspaces-service/development/start');
  return provideDatabase(config);
}

/** PostgreSQL's code, and Prisma's. */
const UNDEFINED_TABLE = ['42P01', 'P2021'];

/** The same error, or an instruction if the database has no tables yet. */
function explained(error: unknown): unknown {
  if (!UNDEFINED_TABLE.includes(String((error as { code?: unknown }).code))) return error;
  return new Error('The database is empty: start the service, or run teamspaces migrate, first.');
}
