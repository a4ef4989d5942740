import { developmentSecret } from '../auth/development-token.js';
import type { Config } from '../config/config.js';
import { startEmbeddedPostgres } from '../database/embedded-postgres.js';

/** A configuration whose database and keys are there. */
export type CompleteConfig = Config & { databaseUrl: string };

/**
 * Provides what the environment left out: the embedded PostgreSQL and a secret, both kept in
 * DATA_DIR. `stop` ends what was started here.
 */
export async function provideDefaults(
  config: Config,
): Promise<{ config: CompleteConfig; stop: () => Promise<void> }> {
  const hasKeys = config.jwtSecret !== null || config.jwksUrl !== null;
  const jwtSecret = hasKeys ? config.jwtSecret : await developmentSecret(config.dataDir);
  if (config.databaseUrl !== null) {
    const { databaseUrl } = config;
    return { config: { ...config, databaseUrl, jwtSecret }, stop: async () => undefined };
  }
  const { url, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir });
  return { config: { ...config, databaseUrl: url, jwtSecret }, stop };
}

const UNDEFINED_TABLE = '42P01';

/** The same error, or what to do where the database has no tables yet. */
export function explained(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) return error;
  return new Error('The database is empty: start the service, or run npm run migrate, first.');
}
