/** A message of a model's client, over HTTP. */
export interface Message {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

/** The response to a message: it has a result or an error. */
interface MessageResponse {
  id: unknown;
  result: {
    tools: { name: string }[];
    content: { text: string }[];
    structuredContent: unknown;
    isError?: boolean;
  };
  error: { code: number; message: string; data: { code: string } };
}

/** What a message gets; `body` is null if it has no response. */
export interface McpResponse {
  status: number;
  headers: Headers;
  body: MessageResponse;
}

interface Options {
  token?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export const ACCEPTED = 'application/json, text/event-stream';

/** Sends what is to be a message, whatever it is, as clients of 2025-11-25 do. */
export async function send(
  url: string,
  body: string | object,
  { token = null, headers = {}, signal }: Options = {},
): Promise<McpResponse> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ accept: ACCEPTED, 'content-type': 'application/json' },
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return { ...partsOf(response), body: text === '' ? null : JSON.parse(text) };
}

const partsOf = ({ status, headers }: Response) => ({ status, headers });

/** A message of 2025-11-25. */
export const message = (method: string, params?: object, id: number | null = 1) => ({
  ...{ jsonrpc: '2.0', method },
  ...(id !== null && { id }),
  ...(params && { params }),
});

/** A message of 2026-07-28, and the headers that repeat a part of it. */
export function statelessMessage(method: string, params: Record<string, unknown> = {}) {
  const prefix = 'io.modelcontextprotocol/';
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: { name: 'test', version: '1' },
    [`${prefix}clientCapabilities`]: {},
  };
  const headers = {
    ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
    ...(params.name !== undefined && { 'mcp-name': String(params.name) }),
  };
  return { body: message(method, { ...params, _meta }), headers };
}

/** Calls a tool. @returns the response to the message, and what the tool says in it */
export async function call(
  url: string,
  token: string,
  name: string,
  input: object,
  more: Options = {},
) {
  const params = { name, arguments: input };
  const response = await send(url, message('tools/call', params), { token, ...more });
  const { result } = response.body ?? {};
  return { ...response, isError: result?.isError === true, text: `${result?.content?.[0]?.text}` };
}
