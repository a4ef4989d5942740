import { resolve } from 'node:path';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import { WorkspaceNotFoundError } from 'teamspaces-markdown';
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
  /** Whether the command's flag was given. */
  flag: boolean;
}

/** The folder's path: npm runs scripts in the project's folder, wherever it was called. */
export const pathOf = (folder: string): string => resolve(process.env.INIT_CWD ?? '.', folder);

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

/** The same error; if the service does not find a workspace, one that lists those that there are. */
export async function explained(error: unknown, target: Target): Promise<unknown> {
  if (!(error instanceof WorkspaceNotFoundError)) return error;
  const sentence = await alternatives(target).catch(() => null);
  return sentence === null ? error : new Error(sentence);
}

/** A sentence that names what is missing, the team or the workspace; null: neither. */
async function alternatives({ url, token, team, workspace }: Target): Promise<string | null> {
  const api = createClient({ baseUrl: url, token, retry: { attempts: 1 } });
  const teams = (await api.GET('/teams')).map(({ meta }) => meta.slug);
  if (!teams.includes(team)) {
    return `There is no team "${team}" that this token may see: ${inWords(teams)}.`;
  }
  const params = { path: { team_slug: team } };
  const found = await api.GET('/teams/{team_slug}/workspaces', { params });
  const workspaces = found.map(({ meta }) => meta.slug);
  if (workspaces.includes(workspace)) return null;
  return `There is no workspace "${workspace}" in ${team} that this token may see: ${inWords(workspaces)}.`;
}

/** `there is a, b, or c` */
const inWords = (slugs: readonly string[]): string =>
  `there is ${new Intl.ListFormat('en', { type: 'disjunction' }).format(slugs) || 'none'}`;
