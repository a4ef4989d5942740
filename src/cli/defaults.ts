import type { Config } from '../config/config.js';

/** A configuration whose database is there. */
export type WithDatabase = Config & { databaseUrl: string };

/**
 * Provides the embedded PostgreSQL where no DATABASE_URL is given. `stop` ends what was started
 * here.
 */
export async function provideDefaults(
  config: Config,
): Promise<{ config: WithDatabase; stop: () => Promise<void> }> {
  if (config.databaseUrl !== null) {
    const { databaseUrl } = config;
    return { config: { ...config, databaseUrl }, stop: async () => undefined };
  }
  // Loaded only when it is needed, which in production it never is.
  const { provideDatabase } = await import('../development/defaults.js');
  const { databaseUrl, stop } = await provideDatabase(config);
  return { config: { ...config, databaseUrl }, stop };
}

const UNDEFINED_TABLE = '42P01';

/** The same error, or what to do where the database has no tables yet. */
export function explained(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  // Prisma has the code of PostgreSQL in its message only.
  if (code !== UNDEFINED_TABLE && !String(message).includes(`\`${UNDEFINED_TABLE}\``)) return error;
  return new Error('The database is empty: start the service, or run npm run migrate, first.');
}
