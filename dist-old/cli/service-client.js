import { resolve } from 'node:path';
import { createClient } from 'teamspaces-client';
/** Long enough for a restart of the service, and for a Retry-After of an hour. */
const TIMEOUT = { attempts: 10, longestWait: 3_600_000 };
/** The folder's path: npm runs scripts in the project's folder, wherever it was called. */
export const pathOf = ({ folder }) => resolve(process.env.INIT_CWD ?? '.', folder);
/** For people: `acme/docs at http://localhost:3000`. */
export const placeOf = ({ team, workspace, url }) => `${team}/${workspace} at ${url}`;
/**
 * Fails at once if the service does not run: the client would retry for minutes.
 * @throws Error nothing listens at the address of the service
 */
export async function assertService({ url }) {
    await fetch(`${url}/health/live`).catch(({ cause }) => {
        if (cause?.code !== 'ECONNREFUSED')
            return;
        throw new Error(`There is no service at ${url}: start it, or set TEAMSPACES_URL.`);
    });
}
export const clientOf = ({ url, token }) => createClient({
    ...{ baseUrl: url, token },
    retry: {
        ...TIMEOUT,
        onRetry: (reason, wait) => console.error(`  ${reason}; trying again in ${Math.ceil(wait / 1000)} s`),
    },
});
//# sourceMappingURL=service-client.js.map