import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * Starts a service host (service-host.js) for each of jest's workers that asks for one. Lives in
 * jest's main process; workers ask by HTTP at the address in `TEST_SERVICE_HOSTS`.
 * @param folder the transpiled sources
 */
export async function serveHosts(folder: string): Promise<{ url: string; stop(): void }> {
  const children: ChildProcess[] = [];
  const hosts = new Map<string, Promise<number>>();
  const server: Server = createServer((request, response) => {
    const worker = request.url ?? '';
    let host = hosts.get(worker);
    if (!host) {
      const child = fork(join(import.meta.dirname, 'service-host.js'), [folder], {
        // Not jest's own flags.
        env: { ...process.env, NODE_OPTIONS: '' },
        execArgv: [],
      });
      children.push(child);
      host = once(child, 'message').then(([{ port }]) => port as number);
      hosts.set(worker, host);
    }
    void host.then((port) => response.end(String(port)));
  });
  // As in service-host.js.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      for (const child of children) child.disconnect();
      server.close();
      server.closeAllConnections();
    },
  };
}
