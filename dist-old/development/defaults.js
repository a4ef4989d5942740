import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { developmentSecret } from './token.js';
/**
 * The database of DATABASE_URL, otherwise the embedded PostgreSQL, which is started if necessary.
 * @throws Error with one sentence if DATA_DIR cannot hold it, or it does not start
 */
export async function provideDatabase(config) {
    const { databaseUrl, dataDir } = config;
    if (databaseUrl !== null)
        return { databaseUrl, stop: async () => undefined };
    assertWritable(dataDir);
    const { url, stop } = await startEmbeddedPostgres({ dataDir });
    return { databaseUrl: url, stop };
}
/**
 * The secret that tokens are signed with: AUTH_JWT_SECRET, otherwise one that is created once in
 * DATA_DIR. null with a key set: its provider signs the tokens.
 * @throws Error with one sentence if DATA_DIR cannot hold it
 */
export async function provideSecret(config) {
    const { jwtSecret, jwksUrl, dataDir } = config;
    if (jwtSecret !== null || jwksUrl !== null)
        return jwtSecret;
    assertWritable(dataDir);
    return developmentSecret(dataDir);
}
/** Creates DATA_DIR if it does not exist. @throws Error with one sentence if it is not writable */
export function assertWritable(dataDir) {
    try {
        makeFolder(resolve(dataDir));
        accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    catch (error) {
        const { code } = error;
        throw new Error(`DATA_DIR: the folder ${resolve(dataDir)} cannot be created or written to (${code}): set ` +
            'DATA_DIR to a writable folder.');
    }
}
/**
 * Creates a folder and its missing parents. Node's own `recursive` never ends in /proc: the system
 * reports ENOENT there although the parent exists, and Node creates the parent again and again.
 */
function makeFolder(folder) {
    const above = dirname(folder);
    if (!existsSync(above))
        makeFolder(above);
    try {
        mkdirSync(folder);
    }
    catch (error) {
        if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
            throw error;
    }
}
//# sourceMappingURL=defaults.js.map