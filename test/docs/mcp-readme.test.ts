import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { signToken } from '../../clients/cli/src/token.js';
import { SECRET, somebody, startService, type TestService, tokenOf } from '../support/app.js';
import { ended } from '../support/command.js';
import { aFolder, removeFolders } from '../support/folders.js';
import { install } from '../support/packages.js';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await removeFolders();
  await service.stop();
});

interface Server {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The servers of the configurations in the README. */
function configurations(): Server[] {
  const readme = readFileSync('clients/mcp/README.md', 'utf8');
  return [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => {
    const { mcpServers, servers } = JSON.parse(`${text}`);
    return (mcpServers ?? servers).teamspaces;
  });
}

test('the packed server runs as the README configures it', async () => {
  const folder = await aFolder();
  await install('teamspaces-client', 'clients/typescript', folder);
  await install('teamspaces-mcp', 'clients/mcp', folder);
  const main = join(folder, 'node_modules/teamspaces-mcp/dist/main.js');
  expect(configurations()).toHaveLength(2);
  for (const { command, args, env } of configurations()) {
    expect([command, ...args]).toEqual(['npx', '-y', 'teamspaces-mcp']);
    expect(env.TEAMSPACES_URL).toBe('http://localhost:3000');
    const transport = new StdioClientTransport({
      // What npx starts, if the package is installed.
      command: process.execPath,
      args: [main],
      env: { ...env, TEAMSPACES_URL: service.url, TEAMSPACES_TOKEN: tokenOf(somebody()) },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const result = await client.callTool({ name: 'list_teams', arguments: {} });
    expect(result.structuredContent).toEqual({ teams: [] });
    await client.close();
  }
  const programWith = (env: object, ...args: string[]) =>
    ended('node', [main, ...args], { env: { PATH: process.env.PATH, ...env } });
  const program = (...args: string[]) => programWith({}, ...args);
  expect(await program('--help')).toEqual({
    ...{ status: 0, output: expect.stringMatching(/^Usage: teamspaces-mcp \[options\]\n/) },
  });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await program('--version')).toEqual({ status: 0, output: `${version}\n` });
  expect(await program('--hlep')).toEqual({
    ...{ status: 2, output: expect.stringMatching(/--hlep.*\nRun "teamspaces-mcp --help"/) },
  });
  expect(await program()).toEqual({
    ...{ status: 1, output: expect.stringMatching(/^TEAMSPACES_TOKEN is not set/) },
  });
  const env = { TEAMSPACES_TOKEN: 'x', TEAMSPACES_URL: 'localhost:3000' };
  expect(await programWith(env)).toEqual({
    status: 1,
    output:
      'TEAMSPACES_URL must be an address that begins with http:// or https:// and has no query, such as https://teamspaces.example.com; it is "localhost:3000".\n',
  });
}, 240_000);

test('the README names every tool, each under the scope that a token needs', async () => {
  const readme = readFileSync('clients/mcp/README.md', 'utf8');
  const tables = [...readme.matchAll(/^### `(teamspaces:\w+)`$([\s\S]*?)(?=^##)/gm)];
  expect(tables.map(([, scope]) => scope)).toEqual([
    ...['teamspaces:read', 'teamspaces:write', 'teamspaces:manage'],
  ]);
  const named: string[] = [];
  for (const [, scope, text = ''] of tables) {
    for (const [row] of text.matchAll(/^\|(.*?)\|/gm)) {
      named.push(...[...row.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}`));
    }
    const token = signToken(SECRET, somebody(), { scope });
    expect([scope, [...named].sort()]).toEqual([scope, await toolsFor(token)]);
  }
});

/** The names of the tools that the service offers a token, in alphabetical order. */
async function toolsFor(token: string): Promise<string[]> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', service.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name).sort();
}
