import { resolve } from 'node:path';
import { describeDatabase } from '../database/connection.js';
import { applyMigrations } from '../database/migrations.js';
import { provideDatabase, provideSecret } from './defaults.js';
import { developmentToken, welcome } from './welcome.js';
/**
 * Provides what the environment does not configure (the embedded PostgreSQL and a secret, both in
 * DATA_DIR), and migrates the database; logs which one.
 * @throws Error with one sentence that names the setting to change
 */
export async function startDevelopment(given) {
    const jwtSecret = await provideSecret(given);
    const { databaseUrl, stop } = await provideDatabase(given);
    try {
        const database = given.databaseUrl === null
            ? `the embedded PostgreSQL in ${resolve(given.dataDir)}`
            : `the database ${describeDatabase(databaseUrl)} (DATABASE_URL)`;
        console.log(`Migrating ${database}.`);
        const names = await applyMigrations(databaseUrl);
        for (const name of names)
            console.log(`Applied ${name}`);
    }
    catch (error) {
        await stop();
        throw error;
    }
    const config = { ...given, databaseUrl, jwtSecret };
    const token = developmentToken(given, config);
    return { config, welcome: welcome(config, token), token, stop };
}
//# sourceMappingURL=start.js.map