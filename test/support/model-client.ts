import { setImmediate } from 'node:timers/promises';
import {
  type CallToolResult,
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { scopeOf } from '../../clients/mcp/src/scope.js';
import { createServer } from '../../clients/mcp/src/server.js';
import { createClient, type TeamspacesClient } from '../../clients/typescript/src/client.js';

/** How a model's client reaches the tools: a server of its own, or the endpoint of the service. */
export type Entry = 'a server of its own' | 'the endpoint';

interface Service {
  url: string;
}

/** A model's client, which calls the service with this token. */
export async function modelClient(
  entry: Entry,
  { url }: Service,
  token: string,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> {
  if (entry === 'a server of its own') {
    return ownServer(createClient({ baseUrl: url, token, retry: { attempts: 1 } }), token);
  }
  const client = new Client({ name: 'test', version: '1' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return client;
}

/** A client of a server that this process runs, as the program on standard input and output does. */
export async function ownServer(service: TeamspacesClient, token = ''): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  const onDefect = (error: unknown) => {
    throw error;
  };
  const scope = scopeOf(token);
  const server = createServer({ client: service, scope, turn: () => setImmediate(), onDefect });
  await Promise.all([server.connect(there), client.connect(here)]);
  return client;
}

/** The result of a tool, which says the same as its text; an error of the tool is thrown. */
export async function callTool(client: Client, name: string, input: object = {}): Promise<Result> {
  const result = await client.callTool({ name, arguments: { ...input } });
  const text = textOf(result);
  if (result.isError) throw new Error(text);
  expect(JSON.parse(text)).toEqual(result.structuredContent);
  return result.structuredContent as unknown as Result;
}

/** An item in a result. */
interface ItemResult {
  id: string;
  title: string;
  name: string;
  snippet?: string;
  children: [ItemResult, ...ItemResult[]];
}

/** What results have: each tool returns some of it. */
export interface Result extends ItemResult {
  slug: string;
  etag: string;
  content: unknown;
  cursor: string;
  complete: boolean;
  more: boolean;
  items: [ItemResult, ItemResult, ...ItemResult[]];
  teams: object[];
  workspaces: object[];
  changes: { id: string }[];
  deletions: { name: string }[];
  versions: object[];
  ids: Record<string, string>;
}

/** What a client without structured content reads. */
export function textOf({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : '';
}
