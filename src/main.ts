import { createApp } from './app.js';
import { provideDefaults } from './cli/defaults.js';
import { printWelcome } from './cli/welcome.js';
import { loadConfig } from './config/config.js';
import { applyMigrations } from './database/migrations.js';

/** The process: configuration, database, listen, shut down. */
async function main(): Promise<void> {
  const given = loadConfig(process.env);
  const { config, stop } = await provideDefaults(given);
  try {
    // In production the migrations are deployed on their own: npm run migrate.
    if (!config.production) await applyMigrations(config.databaseUrl);
    const app = await createApp(config);
    await app.listen(config.port, config.host);
    printWelcome(given, config);
    await signalled();
    await app.close();
  } finally {
    await stop();
  }
}

/** Resolves at the first SIGINT or SIGTERM; the second one ends the process at once. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
