import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import type { TeamspacesClient } from 'teamspaces-client';
import { Items } from './items.js';
import { addPages } from './pages.js';
import { READ_TOOLS } from './read-tools.js';
import { includes, type Scope } from './scope.js';
import type { Tool } from './tool.js';
import { WORKSPACE_TOOLS } from './workspace-tools.js';
import { WRITE_TOOLS } from './write-tools.js';

/** Of the package. */
export const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const INSTRUCTIONS = `Teams own workspaces; a workspace holds an ordered tree of collections (folders) and
pages. Tools name a workspace by the slugs of its team and its own: call list_teams and list_workspaces
to find them. Items are named by id, in any workspace, or by a title that only one of them has: call search to find them
by title, or by their text with "in": "all", in a workspace or a whole team; read_tree to see what is there. Read a page
before you change it, and pass its "etag" with the change: it is refused if somebody else has changed the page since.`;

/** Of all tools, whatever the token allows. */
const TOOLS = [...READ_TOOLS, ...WRITE_TOOLS, ...WORKSPACE_TOOLS];

/** What the server says of itself: its lists do not change while it runs, and nobody has to be told of that. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } };

/** A caller of the tools. */
export interface Caller {
  /** Calls the service with the caller's token. */
  client: TeamspacesClient;
  /** Of the token: tools that it can never use are left out. */
  scope: Scope;
  /** Waits for a turn of the event loop, before more of a call is done: others have theirs before. */
  turn(): Promise<void>;
  /** Told of an error that is neither the caller's nor the service's. */
  onDefect(error: unknown): void;
}

/**
 * An MCP server with the tools for a caller.
 * @param called the only tool that it will be asked for: adding all of them takes longer than most calls. The service
 * says which scope it requires.
 */
export function createServer({ scope, ...caller }: Caller, called?: string): McpServer {
  const server = new McpServer(
    { name: 'teamspaces', version },
    { instructions: INSTRUCTIONS, capabilities: CAPABILITIES },
  );
  const context = { ...caller, items: new Items() };
  const isOffered = (tool: Tool) =>
    called === undefined ? includes(scope, tool.scope) : called === tool.name;
  for (const tool of TOOLS.filter(isOffered)) tool.addTo(server, context);
  if (called === undefined) addPages(server, context);
  return server;
}
