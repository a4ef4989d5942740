#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from 'teamspaces-client';
import { mayWrite } from './scope.js';
import { createServer, version } from './server.js';

const HELP = `Usage: teamspaces-mcp [options]

An MCP server: tools with which a model reads and changes teamspaces workspaces. An MCP client starts it
and talks to it on standard input and output.

Options:
  --version   show the version
  -h, --help  show this help

Environment:
  TEAMSPACES_URL    address of the service (default: http://localhost:3000)
  TEAMSPACES_TOKEN  bearer token, required; with the scope teamspaces:read, there are no tools that change
                    something`;

/** Ends the process if the arguments are wrong. */
function options(): { help?: boolean; version?: boolean } {
  try {
    const flags = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
    return parseArgs({ options: flags }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\nRun "teamspaces-mcp --help" for its usage.`);
    process.exit(2);
  }
}

async function serve(): Promise<void> {
  const { TEAMSPACES_TOKEN: token, TEAMSPACES_URL } = process.env;
  if (!token) {
    console.error('TEAMSPACES_TOKEN is not set: it is the bearer token for the service.');
    process.exit(1);
  }
  const client = createClient({
    baseUrl: TEAMSPACES_URL || 'http://localhost:3000',
    token,
    // A model waits for the response: report a longer wait instead.
    retry: { longestWait: 10_000 },
  });
  await createServer(client, { readOnly: !mayWrite(token) }).connect(new StdioServerTransport());
}

const given = options();
if (given.help) console.log(HELP);
else if (given.version) console.log(version);
else await serve();
