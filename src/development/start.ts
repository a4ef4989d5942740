import { resolve } from 'node:path';
import type { Config } from '../config/config.js';
import { describeDatabase } from '../database/connection.js';
import { applyMigrations } from '../database/migrations.js';
import { provideDatabase, provideSecret } from './defaults.js';
import { developmentToken, welcome } from './welcome.js';

/** What the process needs to start outside production. */
export interface DevelopmentStart {
  /** With an address for the database and keys. */
  config: Config;
  /** To be shown once the service listens. */
  welcome: string;
  /** To be filled in on the pages of documentation; null: the secret is not ours. */
  token: string | null;
  stop(): Promise<void>;
}

/**
 * Provides what the environment left out (the embedded PostgreSQL and a secret, both kept in
 * DATA_DIR), and migrates the database, saying which one that is.
 * @throws Error with one sentence that names the setting to change
 */
export async function startDevelopment(given: Config): Promise<DevelopmentStart> {
  const jwtSecret = await provideSecret(given);
  const { databaseUrl, stop } = await provideDatabase(given);
  try {
    const database =
      given.databaseUrl === null
        ? `the embedded PostgreSQL in ${resolve(given.dataDir)}`
        : `the database ${describeDatabase(databaseUrl)} (DATABASE_URL)`;
    console.log(`Migrating ${database}.`);
    const names = await applyMigrations(databaseUrl);
    for (const name of names) console.log(`Applied ${name}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const config = { ...given, databaseUrl, jwtSecret };
  const token = developmentToken(given, config);
  return { config, welcome: welcome(config, token), token, stop };
}
