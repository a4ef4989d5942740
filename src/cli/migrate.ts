import { applyMigrations } from '../database/migrations.js';

/** `npm run migrate`: what a deployment runs before the new version of the service starts. */
async function main(): Promise<void> {
  const url = process.env.DATABASE_URL?.trim();
  if (!url) {
    throw new Error('Set DATABASE_URL to the database to migrate (the embedded one needs none).');
  }
  const names = await applyMigrations(url);
  if (names.length === 0) console.log('The database is up to date; there was nothing to apply.');
  for (const name of names) console.log(`Applied ${name}`);
}

main().catch((error: unknown) => {
  const { message, code } = error as Error & { code?: string };
  console.error(`The migration did not succeed: ${message || code || String(error)}`);
  process.exitCode = 1;
});
