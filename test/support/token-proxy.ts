import { createServer, request } from 'node:http';

/**
 * Stands before a service for programs that cannot send a token: passes each request on with this one, and
 * all else as it came.
 */
export async function startTokenProxy(
  port: number,
  target: string,
  token: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port: targetPort } = new URL(target);
  const server = createServer((incoming, response) => {
    const { method, url: path, rawHeaders } = incoming;
    const headers = [...rawHeaders, 'Authorization', `Bearer ${token}`];
    const options = { hostname, port: targetPort, method, path, headers, setHost: false };
    const outgoing = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
