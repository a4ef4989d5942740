import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { built, stopChild } from './children.js';

/** A way to a database on which each packet takes a while. */
export interface SlowNetwork {
  /** The address of the database through it. */
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts a process that forwards connections to a database.
 *
 * @param delay milliseconds that each packet takes, each way
 */
export async function startSlowNetwork(databaseUrl: string, delay: number): Promise<SlowNetwork> {
  const target = new URL(databaseUrl);
  const child = fork(built('slow-network'), [
    target.hostname,
    target.port || '5432',
    String(delay),
  ]);
  const [port] = await once(child, 'message');
  target.hostname = '127.0.0.1';
  target.port = String(port);
  return { url: target.href, stop: () => stopChild(child) };
}

/** Forwards each packet `delay` milliseconds after its arrival, in order. */
function forward(from: Socket, to: Socket, delay: number): void {
  from.setNoDelay(true);
  from.on('data', (packet) => setTimeout(() => to.write(packet), delay));
  from.on('close', () => setTimeout(() => to.destroy(), delay));
  from.on('error', () => undefined);
}

/** The process itself: `slow-network HOST PORT DELAY`, which sends its port and ends with its parent. */
async function main([host = '', port = '', delay = '']: string[]): Promise<void> {
  const server = createServer((client) => {
    const database = connect(Number(port), host);
    forward(client, database, Number(delay));
    forward(database, client, Number(delay));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : null);
  process.once('disconnect', () => process.exit());
}

if (process.argv[1] === built('slow-network')) await main(process.argv.slice(2));
