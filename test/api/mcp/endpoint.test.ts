import { tokenOf } from '../../support/app.js';
import { message, send, statelessMessage } from '../../support/mcp.js';
import { scene } from '../../support/scene.js';

const at = scene({ env: { CORS_ORIGINS: 'https://app.example.com', RATE_LIMIT_PER_MINUTE: '0' } });

const CLIENT = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
/** Sends as Ada. */
const ask = (body: string | object, headers: Record<string, string> = {}) =>
  send(at.url, body, { token: tokenOf(at.ada.person), headers });
const rpcError = (code: number, text: RegExp) => ({
  ...{ jsonrpc: '2.0', id: null },
  error: expect.objectContaining({ code, message: expect.stringMatching(text) }),
});

describe('a client of 2025-11-25', () => {
  test('begins without a session', async () => {
    const { status, headers, body } = await ask(message('initialize', CLIENT));
    expect([status, headers.get('content-type'), headers.get('mcp-session-id')]).toEqual([
      ...[200, expect.stringMatching(/^application\/json\b/), null],
    ]);
    expect(body.result).toMatchObject({
      ...{ protocolVersion: '2025-11-25', serverInfo: { name: 'teamspaces' } },
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    });
    const { status: accepted, body: nothing } = await ask(
      message('notifications/initialized', undefined, null),
    );
    expect([accepted, nothing]).toEqual([202, null]);
  });

  test('needs no beginning: each message stands for itself', async () => {
    const { status, body } = await ask(message('tools/list'));
    expect([status, body.result.tools.length]).toEqual([200, expect.any(Number)]);
  });

  test('finds no stream, and no session to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const authorization = `Bearer ${tokenOf(at.ada.person)}`;
      const headers = { authorization, accept: 'text/event-stream' };
      const response = await fetch(`${at.url}/mcp`, { method, headers });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await response.json()).toEqual(rpcError(-32_000, /POST/));
    }
  });
});

describe('a client of 2026-07-28', () => {
  test('discovers the service, and calls a tool', async () => {
    const discover = statelessMessage('server/discover');
    const { body } = await ask(discover.body, discover.headers);
    expect(body.result).toMatchObject({ supportedVersions: ['2026-07-28'] });
    const list = statelessMessage('tools/call', { name: 'list_teams', arguments: {} });
    const { status, headers, body: called } = await ask(list.body, list.headers);
    expect([status, headers.get('content-type')]).toEqual([
      ...[200, expect.stringMatching(/^application\/json\b/)],
    ]);
    expect(called.result.structuredContent).toEqual({ teams: [] });
  });

  test('is refused if the headers say something else than the message', async () => {
    const { body, headers } = statelessMessage('tools/call', { name: 'list_teams' });
    const { status, body: refused } = await ask(body, { ...headers, 'mcp-name': 'delete_item' });
    expect([status, refused.error.code]).toEqual([400, expect.any(Number)]);
  });

  test('is told which revisions there are', async () => {
    const { body } = statelessMessage('tools/list');
    const key = 'io.modelcontextprotocol/protocolVersion';
    (body.params as { _meta: Record<string, unknown> })._meta[key] = '2030-01-01';
    const { status, body: refused } = await ask(body, { 'mcp-protocol-version': '2030-01-01' });
    expect([status, refused.error.data]).toMatchObject([400, { supported: ['2026-07-28'] }]);
  });

  test('cannot subscribe: there is no stream', async () => {
    const { body, headers } = statelessMessage('subscriptions/listen', { notifications: {} });
    const { status, body: refused } = await ask(body, headers);
    expect([status, refused]).toEqual([404, { ...rpcError(-32_601, /read_changes/), id: 1 }]);
  });
});

describe('what is no message', () => {
  test.each([
    ['a batch', [message('ping')]],
    ['an empty batch', []],
    ['a string', '"ping"'],
    ['null', 'null'],
    ['no body', ''],
    ['an object that is no message', '{}'],
    ['a text that is not JSON', '{"jsonrpc"'],
    ['an object that is nested too deep', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`],
  ])('%s is 400, with an error of JSON-RPC', async (_, body) => {
    const { status, body: refused } = await ask(body);
    expect([status, refused]).toMatchObject([
      ...[
        400,
        { jsonrpc: '2.0', error: { code: expect.any(Number), message: expect.any(String) } },
      ],
    ]);
  });

  test('a content of more than 1 MiB is refused before it is built', async () => {
    const content = { text: 'x'.repeat(1024 * 1024) };
    const params = { name: 'create_item', arguments: { content } };
    const { status, body } = await ask(message('tools/call', params));
    expect([status, body]).toEqual([400, rpcError(-32_600, /must be at most 1 MiB/)]);
  });

  test('the code tells a text that is not JSON from JSON that is no message', async () => {
    expect((await ask('{"jsonrpc"')).body.error.code).toBe(-32_700);
    expect((await ask('[]')).body.error.code).toBe(-32_600);
  });

  test('an unknown method, or a tool that is none, is an error of the message', async () => {
    expect((await ask(message('nothing/there'))).body.error.code).toBe(-32_601);
    for (const name of ['nothing', '__proto__', 'constructor', 'toString']) {
      const { status, body } = await ask(message('tools/call', { name, arguments: {} }));
      expect([status, body.id]).toEqual([200, 1]);
      expect(body.error?.message ?? body.result.content[0]?.text).toMatch(/not found|disabled/);
    }
  });

  test('another media type is refused; a client gets JSON, whatever it accepts', async () => {
    expect((await ask('{}', { 'content-type': 'text/plain' })).status).toBe(400);
    for (const accept of ['application/json', '*/*', 'text/html']) {
      expect((await ask(message('ping'), { accept })).status).toBe(200);
    }
  });
});

describe('a web page', () => {
  const from = (origin: string) => ask(message('ping'), { origin });

  test('of a foreign origin is refused, whoever calls', async () => {
    for (const origin of ['https://evil.example.com', 'null', 'http://localhost:1']) {
      const { status, body } = await from(origin);
      expect([status, body]).toEqual([403, rpcError(-32_000, /CORS_ORIGINS/)]);
    }
    const unknown = await send(at.url, message('ping'), { headers: { origin: 'https://evil.io' } });
    expect(unknown.status).toBe(403);
    // Elsewhere, browsers keep the response from such pages.
    const headers = { origin: 'https://evil.example.com' };
    expect((await fetch(`${at.url}/teams`, { headers })).status).toBe(401);
  });

  test('of the service itself, or of an origin in CORS_ORIGINS, may call', async () => {
    const { status, headers } = await from('https://app.example.com');
    expect([status, headers.get('access-control-allow-origin')]).toEqual([
      ...[200, 'https://app.example.com'],
    ]);
    const preflight = await fetch(`${at.url}/mcp`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,mcp-protocol-version',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'mcp-protocol-version',
    );
  });
});

test('the document of the API does not describe the endpoint', async () => {
  const { paths } = (await (await fetch(`${at.url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths).filter((path) => /mcp|well-known/.test(path))).toEqual([]);
});
