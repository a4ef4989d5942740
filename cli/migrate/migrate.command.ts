import type { Command } from '@commander-js/extra-typings';
import { print } from 'teamspaces';
import { loadConfig } from 'teamspaces-service/config/config';

/** `teamspaces migrate`: a deployment runs it before the new version of the service starts. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('apply pending migrations')
    .description(
      'Applies pending migrations to the database at DATABASE_URL. Run it before a new version of the\n' +
        'service starts. If the database is up to date, it does nothing.',
    )
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgresql://… npx teamspaces migrate')
    .action(migrate);
}

async function migrate(): Promise<void> {
  // Only this setting: a job that migrates requires no others.
  const { databaseUrl } = loadConfig({ DATABASE_URL: process.env.DATABASE_URL });
  if (databaseUrl === null) {
    throw new Error('Set DATABASE_URL to the database to migrate (the embedded one needs none).');
  }
  const { describeDatabase } = await import('teamspaces-service/database/connection');
  const { applyMigrations } = await import('teamspaces-service/database/migrations');
  print(`Migrating the database ${describeDatabase(databaseUrl)}.`);
  const names = await applyMigrations(databaseUrl);
  if (names.length === 0) print('The database is up to date; there was nothing to apply.');
  for (const name of names) print(`Applied ${name}`);
}
