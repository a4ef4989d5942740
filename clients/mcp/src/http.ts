import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { parseText } from './arguments.js';
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
    const response = problem(405, SERVER_ERROR, 'Send messages with POST: there is no stream.');
    response.headers.set('allow', 'POST');
    return response;
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return problem(400, INVALID_REQUEST, 'The body must be one message: a JSON object.');
  }
  const { method, id } = message as Message;
  if (method === 'subscriptions/listen') {
    return problem(404, METHOD_NOT_FOUND, 'There are no subscriptions: call read_changes.', id);
  }
  const server = createServer(caller, prepareCall(message));
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

/** What a body may have, of which only the type is known. */
interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/**
 * Turns the arguments of a call that are null, or the JSON text of an object, into what the protocol knows.
 * @returns the name of the tool; undefined: the message asks for something else
 */
function prepareCall({ method, params }: Message): string | undefined {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return undefined;
  const call = params as { name?: unknown; arguments?: unknown };
  if (call.arguments === null) call.arguments = {};
  if (typeof call.arguments === 'string') call.arguments = parseText(call.arguments);
  return typeof call.name === 'string' ? call.name : undefined;
}

/** A response to what no server handles. @param id of the request, if it can be known */
function problem(status: number, code: number, message: string, id?: unknown): Response {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', id: known, error: { code, message } }, { status });
}
