import { type Config, isProduction, loadConfig } from '../config/config.js';
import { checkConnection } from '../database/connection.js';
import { interruption } from './interruption.js';

/** A configuration whose database is there. */
export type WithDatabase = Config & { databaseUrl: string };

/**
 * Runs `work` on the database of DATABASE_URL, else on the embedded one, which is started for it
 * where it does not run. Settings of the service that concern neither it nor teams do not matter.
 * @throws Error with one sentence where the database cannot be had, or is empty; Ended at a signal
 */
export async function withDatabase<T>(work: (config: WithDatabase) => Promise<T>): Promise<T> {
  const given = loadConfig(
    Object.fromEntries(Object.entries(process.env).filter(concernsCommands)),
  );
  if (given.databaseUrl === null && isProduction(process.env)) {
    throw new Error(
      'DATABASE_URL must be set in production: the embedded PostgreSQL is for trying.',
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

/** What says how to reach the database, and what a team may hold. */
const concernsCommands = ([variable]: [string, unknown]): boolean =>
  variable.startsWith('DATABASE_') || ['DATA_DIR', 'PLAN_LIMITS'].includes(variable);

async function provide(config: Config): Promise<{ databaseUrl: string; stop(): Promise<void> }> {
  const { databaseUrl } = config;
  if (databaseUrl !== null) return { databaseUrl, stop: async () => undefined };
  // Loaded only when it is needed, which in production it never is.
  const { provideDatabase } = await import('../development/defaults.js');
  return provideDatabase(config);
}

const UNDEFINED_TABLE = '42P01';

/** The same error, or what to do where the database has no tables yet. */
function explained(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // Prisma has the code of PostgreSQL in its message only.
  if (code !== UNDEFINED_TABLE && !String(message).includes(`\`${UNDEFINED_TABLE}\``)) return error;
  return new Error('The database is empty: start the service, or run teamspaces migrate, first.');
}
