import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../config/config.js';
import { WorkspaceClient } from './workspace-client.js';

/** What `npm run import` and `npm run export` are told. */
export interface Options {
  folder: string;
  /** The folder as it was given. */
  shown: string;
  force: boolean;
  /** For people: `acme/docs at http://localhost:3000`. */
  place: string;
  client: WorkspaceClient;
}

/** @throws Error with `usage`: an option is missing or unknown */
export function readOptions(usage: string, { hasForce = false } = {}): Options {
  const { values, positionals } = parse(usage, hasForce);
  const { team, workspace, token, force = false } = values;
  const [folder, ...more] = positionals;
  if (!team || !workspace || !token || !folder || more.length > 0) throw new Error(usage);
  // Nothing else of the service's configuration concerns its clients.
  const { PORT, PUBLIC_URL } = process.env;
  const url = (values.url ?? loadConfig({ PORT, PUBLIC_URL }).publicUrl).replace(/\/+$/, '');
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new Error('--url must be the address of a service, such as http://localhost:3000.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new Error('--token must be one word, as the identity provider gave it.');
  }
  return {
    // npm runs scripts in the project's folder, wherever it was called.
    folder: resolve(process.env.INIT_CWD ?? '.', folder),
    shown: folder,
    force,
    place: `${team}/${workspace} at ${url}`,
    client: new WorkspaceClient(url, token, team, workspace),
  };
}

function parse(usage: string, hasForce: boolean) {
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      options: { team: text, workspace: text, token: text, url: text, force: { type: 'boolean' } },
      allowPositionals: true,
    });
    if (values.force && !hasForce) throw new Error('There is no option --force.');
    return { values, positionals };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${usage}`);
  }
}
