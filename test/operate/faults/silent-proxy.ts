import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Forwards connections, and can fall silent: nothing is refused, and nothing gets through. */
export interface SilentProxy {
  port: number;
  fallSilent(): void;
  /** Forwards again, also what has come meanwhile. */
  goOn(): void;
  stop(): Promise<void>;
}

export async function startSilentProxy(targetPort: number): Promise<SilentProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let isSilent = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const pair: [Socket, Socket] = [client, target];
    pairs.add(pair);
    for (const [from, to] of [pair, [target, client]] as const) {
      from.on('data', (chunk) => to.write(chunk));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => pairs.delete(pair));
      if (isSilent) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    fallSilent() {
      isSilent = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    goOn() {
      isSilent = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    async stop() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
