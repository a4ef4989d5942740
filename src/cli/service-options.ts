import { Option } from '@commander-js/extra-typings';
import { loadConfig } from '../config/config.js';

/** What a client of the service needs to know. */
export interface Service {
  /** Without a slash at the end. */
  url: string;
  token: string;
}

/** A workspace, and the folder on the other side. */
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
    `a token ${needed}; better in the environment, as a command line shows in ps`,
  ).env('TEAMSPACES_TOKEN');

export const urlOption = () =>
  new Option(
    '--url <address>',
    'the service (default: PUBLIC_URL, or http://localhost:<PORT>)',
  ).env('TEAMSPACES_URL');

/** What the options of an import or export say. Ends the command where one of them cannot be. */
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
  const { team, workspace, token, url } = options;
  if (!token) {
    return command.error('error: set TEAMSPACES_TOKEN to a token, or give one with --token');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return command.error(
      'error: TEAMSPACES_TOKEN (--token) must be one word, as the identity provider gave it',
    );
  }
  return { team, workspace, folder, token, url: addressOf(command, url) };
}

/** The address of the service. Ends the command where it is none. */
export function addressOf(command: Complains, given: string | undefined): string {
  // Nothing else of the service's configuration concerns its clients.
  const { PORT, PUBLIC_URL } = process.env;
  const url = (given || loadConfig({ PORT, PUBLIC_URL }).publicUrl).replace(/\/+$/, '');
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  return command.error(
    'error: TEAMSPACES_URL (--url) must be the address of a service, such as http://localhost:3000',
  );
}
