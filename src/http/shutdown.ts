import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';

/**
 * Milliseconds after the last sign of life within which a connection may carry a request that is on
 * its way: it gets its answer, and learns from `Connection: close` that it was the last one.
 */
const ON_ITS_WAY = 200;
/** Milliseconds in which a request that has begun to arrive must have arrived. */
const ARRIVAL = 2_000;
/** Milliseconds in which everything must be answered. */
const DEADLINE = 8_000;

/** What is known of a connection. */
interface Connection {
  /** The latest response on it, finished or not. */
  response: ServerResponse | null;
  /** When its latest request came, or it was opened. */
  since: number;
}

/**
 * Ends the service without cutting anyone off. app.close() calls it first: it makes the service not
 * ready, goes on accepting for SHUTDOWN_DELAY_MS, stops listening, lets requests in flight finish
 * and closes every connection behind its last answer. It takes 8 seconds at most beyond the delay.
 */
@Injectable()
export class Shutdown implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('shutdown');
  private readonly connections = new Map<Socket, Connection>();
  private closing = false;
  private lastClosed: (() => void) | null = null;
  /** True from the first moment: the service is not ready any more. */
  begun = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { response: null, since: performance.now() });
      socket.once('close', () => this.forget(socket));
    });
    // Before Fastify's own listener, which may answer at once.
    server.prependListener('request', (request, response) => this.arrived(request, response));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.begun = true;
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    if (!server.listening) return;
    await sleep(this.config.shutdownDelayMs);
    // One turn more, so that connections which wait to be accepted are.
    await nextTurn();
    this.closing = true;
    // Not HttpServer's close(): it would destroy connections that a request is on its way to.
    Server.prototype.close.call(server);
    await this.drain();
  }

  private arrived({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(socket);
    if (connection === undefined) return;
    const { response: earlier } = connection;
    connection.response = response;
    connection.since = performance.now();
    if (!this.closing) return;
    // Pipelined: the earlier answer is not the last one any more.
    if (earlier !== null && !earlier.headersSent) earlier.shouldKeepAlive = true;
    endAfter(socket, response);
  }

  private async drain(): Promise<void> {
    for (const [socket, { response }] of this.connections) {
      if (isUnanswered(response)) endAfter(socket, response);
    }
    const closed = new Promise<void>((resolve) => {
      this.lastClosed = resolve;
      if (this.connections.size === 0) resolve();
    });
    const start = performance.now();
    for (const at of [0, ON_ITS_WAY, ARRIVAL, DEADLINE]) {
      const wait = at - (performance.now() - start);
      const isOver = await Promise.race([
        closed.then(() => true),
        sleep(Math.max(0, wait), false, { ref: false }),
      ]);
      if (isOver || this.connections.size === 0) return;
      this.closeThoseThatWait(performance.now() - start);
    }
    this.logger.warn(`requests were cut off: ${this.connections.size}`);
  }

  /** @param elapsed milliseconds since the service stopped listening */
  private closeThoseThatWait(elapsed: number): void {
    const now = performance.now();
    for (const [socket, { response, since }] of this.connections) {
      const isIdle = !isUnanswered(response) && now - since >= ON_ITS_WAY;
      const isIncomplete = elapsed >= ARRIVAL && response?.req.complete === false;
      if (isIdle || isIncomplete || elapsed >= DEADLINE) socket.destroy();
    }
  }

  private forget(socket: Socket): void {
    this.connections.delete(socket);
    if (this.connections.size === 0) this.lastClosed?.();
  }
}

const isUnanswered = (response: ServerResponse | null): response is ServerResponse =>
  response !== null && !response.writableFinished && !response.destroyed;

/** Closes the connection behind this answer, and says so in it where its head is not out yet. */
function endAfter(socket: Socket, response: ServerResponse): void {
  if (response.headersSent) response.once('finish', () => socket.destroySoon());
  else response.shouldKeepAlive = false;
}
