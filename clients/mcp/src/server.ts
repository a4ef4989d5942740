import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { TeamspacesClient } from 'teamspaces-client';
import { Items } from './items.js';
import { addPages } from './pages.js';
import { addReadTools } from './read-tools.js';
import { addWriteTools } from './write-tools.js';

/** Of the package. */
export const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const INSTRUCTIONS = `Teams own workspaces; a workspace holds an ordered tree of collections (folders) and
pages. Tools name a workspace by the slugs of its team and its own: call list_teams and list_workspaces
to find them. Items are named by id, in any workspace: call search to find them by title, or by their text with "in": "all",
in a workspace or a whole team; read_tree to see what is there. Read a page before you change it: the change is refused if somebody
else has changed the page since.`;

/**
 * An MCP server with the tools for a caller.
 *
 * @param client calls the service with the caller's token
 * @param options.readOnly without the tools that change something
 */
export function createServer(client: TeamspacesClient, { readOnly }: { readOnly: boolean }) {
  const server = new McpServer({ name: 'teamspaces', version }, { instructions: INSTRUCTIONS });
  const items = new Items();
  addPages(server, client, items);
  addReadTools(server, client, items);
  if (!readOnly) addWriteTools(server, client, items);
  return server;
}
