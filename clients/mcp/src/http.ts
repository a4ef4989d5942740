import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { type Caller, createServer } from './server.js';

export { InterruptedError } from './errors.js';
export type { Caller } from './server.js';

const INVALID_REQUEST = -32_600;
const METHOD_NOT_FOUND = -32_601;
const SERVER_ERROR = -32_000;

/** Serves the revision of 2026-07-28. The server of a request comes with it. */
const modern = createMcpHandler(({ authInfo }) => serverOf(authInfo?.extra), { legacy: 'reject' });

const serverOf = (extra: Record<string, unknown> | undefined): McpServer =>
  (extra as { server: McpServer }).server;

/**
 * Responds to a request over streamable HTTP, in both revisions of the protocol, without sessions: nothing is kept
 * between two requests. All responses are JSON, so that there is no stream for clients to open.
 *
 * @param request its method and headers; its body is not read
 * @param message the body, parsed; undefined: there is none
 */
export async function respondTo(
  request: Request,
  message: unknown,
  caller: Caller,
): Promise<Response> {
  if (request.method !== 'POST') {
    return problem(405, SERVER_ERROR, 'Send messages with POST: there is no stream.', {
      allow: 'POST',
    });
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return problem(400, INVALID_REQUEST, 'The body must be one message: a JSON object.');
  }
  if ('method' in message && message.method === 'subscriptions/listen') {
    return problem(404, METHOD_NOT_FOUND, 'There are no subscriptions: call read_changes.');
  }
  const server = createServer(caller, calledBy(message));
  if (!(await isLegacyRequest(request, message))) {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { server } };
    return modern.fetch(request, { parsedBody: message, authInfo });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** The tool that a message calls; undefined: it asks for something else. */
function calledBy(message: { method?: unknown; params?: unknown }): string | undefined {
  if (message.method !== 'tools/call') return undefined;
  const { name } = (message.params ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

/** A response to what is no message that a server could handle. */
function problem(status: number, code: number, message: string, headers = {}): Response {
  const body = { jsonrpc: '2.0', id: null, error: { code, message } };
  return Response.json(body, { status, headers });
}
