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

/** Codes of connections that were made and then lost: the service may be restarting. */
const LOST: unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'];

/**
 * A client that retries for minutes, after one request without retries that finds the service.
 * @throws Error there is no connection to the address of the service
 */
export async function connect({ url, token }: Target): Promise<TeamspacesClient> {
  await fetch(`${url}/health/live`).catch(({ cause }: { cause?: Reason }) => {
    if (cause && !LOST.includes(cause.code)) throw new Error(withoutConnection(url, cause));
  });
  return createClient({
    ...{ baseUrl: url, token },
    retry: {
      ...TIMEOUT,
      onRetry: (reason, wait) => warn(`  ${reason}; trying again in ${Math.ceil(wait / 1000)} s`),
    },
  });
}

/** Why fetch has no connection. */
type Reason = Error & { code?: string };

function withoutConnection(url: string, { code, message }: Reason): string {
  const reason = code ?? message;
  if (reason === 'ECONNREFUSED')
    return `There is no service at ${url}: start it, or set TEAMSPACES_URL.`;
  if (reason === 'ENOTFOUND')
    return `The host of ${url} is unknown (ENOTFOUND): check TEAMSPACES_URL (--url).`;
  if (reason === 'EAI_AGAIN')
    return `The host of ${url} could not be looked up (EAI_AGAIN): check your network and TEAMSPACES_URL (--url).`;
  if (/SELF_SIGNED|UNABLE_TO_/.test(reason))
    return `The certificate of ${url} is not trusted (${reason}): check TEAMSPACES_URL (--url), or name the file of your certificate authority in NODE_EXTRA_CA_CERTS.`;
  return `There is no connection to ${url} (${reason}): check TEAMSPACES_URL (--url).`;
}
