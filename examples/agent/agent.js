// What an agent does in a workspace: it asks for the tools, and calls some of them. Node only, no packages.
//
//   TEAMSPACES_TOKEN=… node examples/agent/agent.js
//
// It requires the demo (npx teamspaces demo) and the token of Cleo, which the demo prints.
const { TEAMSPACES_TOKEN: token, TEAMSPACES_URL: base = 'http://localhost:3000' } = process.env;
if (!token) {
  console.error('Usage: TEAMSPACES_TOKEN=… node agent.js');
  process.exit(2);
}

const REVISION = '2026-07-28';
let requests = 0;

/** Sends a request of the protocol. There is no session: each request says all that the service must know. */
async function send(method, params = {}) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'agent-example', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const body = { jsonrpc: '2.0', id: ++requests, method, params: { ...params, _meta } };
  const response = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${response.status}: ${error.message}`);
  return result;
}

/** Calls a tool. A refusal is a result, too: a model reads it, and tries something else. */
async function call(name, args) {
  const {
    isError = false,
    content,
    structuredContent,
  } = await send('tools/call', {
    name,
    arguments: args,
  });
  console.log(`\n> ${name} ${JSON.stringify(args)}`);
  if (isError) console.log(content[0].text);
  return { isError, text: content[0].text, ...structuredContent };
}

// With a model, this list goes to its API: each tool has a name, a description and the JSON schema of its arguments.
// The model chooses the calls that follow here, and reads the text of each result.
const { tools } = await send('tools/list');
console.log(`${tools.length} tools, such as ${tools[0].name}: ${tools[0].description}`);

const { teams } = await call('list_teams', {});
const team = teams[0].slug;
console.log(teams.map(({ name, role }) => `${name} (${role})`).join('\n'));

const { workspaces } = await call('list_workspaces', { team });
console.log(workspaces.map(({ name, slug }) => `${name} (${slug})`).join('\n'));

// The question of a person: what do we know about tram tracks?
const { items } = await call('search', { team, query: '"tram tracks"', in: 'all' });
console.log(items.map(({ title, workspace }) => `${title} (${workspace})`).join('\n'));
console.log(items[0].snippet.match(/[^.]*\*\*.*?\*\*/)[0].trim());

// A title that only one item has will do in place of an id.
const source = await call('read_page', { id: items[0].title, team });
console.log(source.content.markdown.split('\n')[0]);

const page = { kind: 'page', title: 'Tram tracks', content: { markdown: `See ${source.title}.` } };
const created = await call('create_item', { team, workspace: 'product', ...page });
console.log(`created, with the slug ${created.slug}`);

// Somebody else is faster: the agent's change is refused, since its etag is not the current one any more.
await call('update_item', { id: created.id, content: { markdown: 'Wide tyres help.' } });
const operations = [{ op: 'add', path: '/source', value: source.title }];
await call('patch_page', { id: created.id, etag: created.etag, operations });
const { etag } = await call('read_page', { id: created.id });
const patched = await call('patch_page', { id: created.id, etag, operations });
console.log(JSON.stringify(patched.content));

// The agent can do what Cleo can do, and no more: she is not a member of this workspace.
await call('read_tree', { team, workspace: 'leadership' });

// Nothing is deleted for good.
const deleted = await call('delete_item', { id: created.id });
console.log(deleted.message);
