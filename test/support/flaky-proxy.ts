import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request: it is lost, its response is lost, it is put off (429), or all is well. */
export type Fate = 'lost' | 'response lost' | 'put off' | 'well';

export interface FlakyProxy {
  url: string;
  /** The bodies of the responses that were lost. */
  lost: string[];
  stop(): Promise<void>;
}

/** Headers of responses that come through. */
const PASSED = new Set(['content-type', 'etag', 'link', 'idempotent-replayed']);

/** Stands between a client and the service at `target`; `fateOf` decides over each request. */
export async function startFlakyProxy(
  target: string,
  fateOf: (request: IncomingMessage) => Fate,
): Promise<FlakyProxy> {
  const lost: string[] = [];
  const server = createServer(async (request, response) => {
    const fate = fateOf(request);
    if (fate === 'lost') return void request.socket.destroy();
    if (fate === 'put off') {
      const error = { code: 'rate_limit_exceeded', message: 'too many' };
      response.writeHead(429, { 'retry-after': '0' }).end(JSON.stringify({ error }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = 'GET', url, headers } = request;
    const { authorization = '', 'content-type': type, 'idempotency-key': key } = headers;
    const match = headers['if-match'];
    const upstream = await fetch(`${target}${url}`, {
      method,
      headers: {
        authorization,
        ...(type && { 'content-type': type }),
        ...(key && { 'idempotency-key': String(key) }),
        ...(match && { 'if-match': match }),
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = await upstream.text();
    if (fate === 'response lost') {
      lost.push(body);
      return void request.socket.destroy();
    }
    const passed = [...upstream.headers].filter(([name]) => PASSED.has(name));
    response.writeHead(upstream.status, Object.fromEntries(passed)).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    lost,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
