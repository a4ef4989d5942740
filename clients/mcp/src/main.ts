#!/usr/bin/env node
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createClient } from 'teamspaces-client';
import { mayWrite } from './scope.js';
import { createServer } from './server.js';

const token = process.env.TEAMSPACES_TOKEN;
if (!token) {
  console.error('TEAMSPACES_TOKEN is not set: it is the bearer token for the service.');
  process.exit(1);
}
const client = createClient({
  baseUrl: process.env.TEAMSPACES_URL ?? 'http://localhost:3000',
  token,
  // A model waits for the response: report a longer wait instead.
  retry: { longestWait: 10_000 },
});
await createServer(client, { readOnly: !mayWrite(token) }).connect(new StdioServerTransport());
