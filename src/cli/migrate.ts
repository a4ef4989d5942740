import { loadConfig } from '../config/config.js';
import { describeDatabase } from '../database/connection.js';
import { applyMigrations } from '../database/migrations.js';

/** `npm run migrate`: what a deployment runs before the new version of the service starts. */
async function main(): Promise<void> {
  // Alone: a job that migrates has no need of the other settings.
  const { databaseUrl } = loadConfig({ DATABASE_URL: process.env.DATABASE_URL });
  if (databaseUrl === null) {
    throw new Error('Set DATABASE_URL to the database to migrate (the embedded one needs none).');
  }
  console.log(`Migrating the database ${describeDatabase(databaseUrl)}.`);
  const names = await applyMigrations(databaseUrl);
  if (names.length === 0) console.log('The database is up to date; there was nothing to apply.');
  for (const name of names) console.log(`Applied ${name}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
