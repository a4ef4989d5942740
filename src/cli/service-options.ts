import { Option } from '@commander-js/extra-typings';
import { loadConfig } from '../config/config.js';

/** Options of a client of the service. */
export interface Service {
  /** Without a slash at the end. */
  url: string;
  token: string;
}

/** A workspace and a folder. */
export interface Target extends Service {
  /** Slugs. */
  team: string;
  workspace: string;
  /** As it was given. */
  folder: string;
}

/** Ends the command with a message and status 2. */
interface Complains {
  error(message: string): never;
}

export const tokenOption = (needed: string) =>
  new Option(
    '--token <token>',
    `a token ${needed}; prefer the environment variable: ps shows command lines`,
  ).env('TEAMSPACES_TOKEN');

export const urlOption = () =>
  new Option(
    '--url <address>',
    'the service (default: PUBLIC_URL, or http://localhost:<PORT>)',
  ).env('TEAMSPACES_URL');

/** The options of an import or export. Ends the command if one of them is not valid. */
export function targetOf(
  command: Complains,
  folder: string,
  options: {
    team: string;
    workspace: string;
    token?: string | undefined;
    url?: string | undefined;
  },
): Target {
  const { team, workspace } = options;
  return { team, workspace, folder, ...serviceOf(command, options) };
}

/** The service that the options name, and the token. Ends the command where one of them cannot be. */
export function serviceOf(
  command: Complains,
  { token, url }: { token?: string | undefined; url?: string | undefined },
): Service {
  if (!token) {
    return command.error('error: set TEAMSPACES_TOKEN to a token, or use --token');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return command.error(
      'error: TEAMSPACES_TOKEN (--token) must be one word, as the identity provider gave it',
    );
  }
  return { token, url: addressOf(command, url) };
}

/** The address of the service. Ends the command if it is not valid. */
export function addressOf(command: Complains, given: string | undefined): string {
  // Nothing else of the service's configuration concerns its clients.
  const { PORT, PUBLIC_URL } = process.env;
  const url = (given || loadConfig({ PORT, PUBLIC_URL }).publicUrl).replace(/\/+$/, '');
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  return command.error(
    'error: TEAMSPACES_URL (--url) must be the address of a service, such as http://localhost:3000',
  );
}
