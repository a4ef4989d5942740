import { resolve } from 'node:path';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import { warn } from './print.js';
import type { Service, Target } from './service-options.js';

/** Long enough for a restart of the service, and for a Retry-After of an hour. */
const TIMEOUT = { attempts: 10, longestWait: 3_600_000 };

/** The folder's path: npm runs scripts in the project's folder, wherever it was called. */
export const pathOf = ({ folder }: Target): string => resolve(process.env.INIT_CWD ?? '.', folder);

/** For people: `acme/docs at http://localhost:3000`. */
export const placeOf = ({ team, workspace, url }: Target): string =>
  `${team}/${workspace} at ${url}`;

/**
 * Fails at once if the service does not run: the client would retry for minutes.
 * @throws Error nothing listens at the address of the service
 */
export async function assertService({ url }: Service): Promise<void> {
  await fetch(`${url}/health/live`).catch(({ cause }: Error & { cause?: { code?: string } }) => {
    if (cause?.code !== 'ECONNREFUSED') return;
    throw new Error(`There is no service at ${url}: start it, or set TEAMSPACES_URL.`);
  });
}

export const clientOf = ({ url, token }: Service): TeamspacesClient =>
  createClient({
    ...{ baseUrl: url, token },
    retry: {
      ...TIMEOUT,
      onRetry: (reason, wait) => warn(`  ${reason}; trying again in ${Math.ceil(wait / 1000)} s`),
    },
  });
