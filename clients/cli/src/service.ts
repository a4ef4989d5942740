import { createClient, type TeamspacesClient } from 'teamspaces-client';
import { warn } from './print.js';

/** Long enough for a restart of the service, and for a Retry-After of an hour. */
const TIMEOUT = { attempts: 10, longestWait: 3_600_000 };

/** Where a command works. What the command does not ask for is ''. */
export interface Target {
  /** Without a slash at the end. */
  url: string;
  token: string;
  /** Slugs. */
  team: string;
  workspace: string;
  /** The argument, as it was given. */
  argument: string;
  /** Whether the command's flags were given. */
  flag: boolean;
  otherFlag: boolean;
  /** The command's further options, by their names as attributes; absent: not given. */
  options: Readonly<Record<string, string | boolean | undefined>>;
}

/**
 * A client that retries for minutes, after one request without retries that finds the service.
 * @throws Error nothing listens at the address of the service
 */
export async function connect({ url, token }: Target): Promise<TeamspacesClient> {
  await fetch(`${url}/health/live`).catch(({ cause }: Error & { cause?: { code?: string } }) => {
    if (cause?.code !== 'ECONNREFUSED') return;
    throw new Error(`There is no service at ${url}: start it, or set TEAMSPACES_URL.`);
  });
  return createClient({
    ...{ baseUrl: url, token },
    retry: {
      ...TIMEOUT,
      onRetry: (reason, wait) => warn(`  ${reason}; trying again in ${Math.ceil(wait / 1000)} s`),
    },
  });
}
