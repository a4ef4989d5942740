#!/usr/bin/env node
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createClient, type TeamspacesClient } from 'teamspaces-client';
import { scopeOf } from './scope.js';
import { createServer, version } from './server.js';

const HELP = `Usage: teamspaces-mcp [options]

An MCP server: tools with which a model reads and changes teamspaces workspaces. An MCP client starts it
and talks to it on standard input and output.

Options:
  --version   show the version
  -h, --help  show this help

Environment:
  TEAMSPACES_URL    address of the service, with http:// or https:// (default: http://localhost:3000)
  TEAMSPACES_TOKEN  bearer token, required; with the scope teamspaces:read, there are no tools that change
                    something`;

/** The options; null if the arguments are wrong, which it reports. */
function options(): { help?: boolean; version?: boolean } | null {
  try {
    const flags = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
    return parseArgs({ options: flags }).values;
  } catch (error) {
    fail(`${(error as Error).message}\nRun "teamspaces-mcp --help" for its usage.`, 2);
    return null;
  }
}

/** Reports a problem. The process ends by itself, after a pipe has taken all of the message. */
function fail(message: string, status: number): void {
  console.error(message);
  process.exitCode = status;
}

function serve(): void {
  const { TEAMSPACES_TOKEN: token, TEAMSPACES_URL } = process.env;
  if (!token) {
    fail('TEAMSPACES_TOKEN is not set: it is the bearer token for the service.', 1);
    return;
  }
  const client = clientAt(TEAMSPACES_URL || 'http://localhost:3000', token);
  if (client === null) return;
  const scope = scopeOf(token);
  const caller = { client, scope, turn: () => setImmediate(), onDefect: console.error };
  serveStdio(() => createServer(caller), { onerror: ({ message }) => console.error(message) });
}

/** A client of the service; null if the address is not valid, which it reports. */
function clientAt(baseUrl: string, token: string): TeamspacesClient | null {
  try {
    // A model waits for the response: report a longer wait instead.
    return createClient({ baseUrl, token, retry: { longestWait: 10_000 } });
  } catch (error) {
    fail(`${(error as Error).message.replace('baseUrl', 'TEAMSPACES_URL')}.`, 1);
    return null;
  }
}

const given = options();
if (given?.help) console.log(HELP);
else if (given?.version) console.log(version);
else if (given) serve();
