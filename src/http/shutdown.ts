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
import { CLOCK, type Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';

/**
 * Idle connections are kept for requests that are on their way already: those get their answers, and
 * `Connection: close` tells their callers that they were the last ones. When none has come for so
 * many milliseconds, idle connections are closed: soon where the service had nothing to do, later
 * where it was busy, and after so many at the latest.
 */
const QUIET = 150;
const QUIET_WHEN_BUSY = 1_000;
/** Milliseconds after a request in which the service counts as busy. */
const BUSY = 200;
const LONGEST_QUIET = 3_000;
/** Milliseconds in which a request that has begun to arrive must be there. */
const ARRIVAL = 2_000;
/** Milliseconds in which everything must be answered. */
const DEADLINE = 8_000;
/** Milliseconds between two looks. */
const STEP = 50;

/**
 * Ends the service without cutting anyone off. app.close() calls it first: it makes the service not
 * ready, goes on accepting for SHUTDOWN_DELAY_MS, stops listening, lets requests in flight finish
 * and closes every connection behind its last answer. It takes 8 seconds at most beyond the delay.
 */
@Injectable()
export class Shutdown implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('shutdown');
  /** Every connection, with the latest response on it, finished or not. */
  private readonly connections = new Map<Socket, ServerResponse | null>();
  private closing = false;
  private lastArrival = Number.NEGATIVE_INFINITY;
  private lastClosed: (() => void) | null = null;
  /** True from the first moment: the service is not ready any more. */
  begun = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly host: HttpAdapterHost,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, null);
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
    const earlier = this.connections.get(socket);
    this.connections.set(socket, response);
    this.lastArrival = this.clock.now();
    if (!this.closing) return;
    // Pipelined: the earlier answer is not the last one any more.
    if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
    endAfter(response);
  }

  private async drain(): Promise<void> {
    let wasBusy = this.clock.now() - this.lastArrival < BUSY;
    for (const response of this.connections.values()) {
      if (!isUnanswered(response)) continue;
      wasBusy = true;
      endAfter(response);
    }
    const closed = new Promise<void>((resolve) => {
      this.lastClosed = resolve;
    });
    const start = this.clock.now();
    while (this.connections.size > 0) {
      await Promise.race([closed, sleep(STEP, undefined, { ref: false })]);
      // What has arrived meanwhile is read before anything is closed.
      await nextTurn();
      const elapsed = this.clock.now() - start;
      if (elapsed >= DEADLINE) {
        this.logger.warn(`connections were cut off: ${this.connections.size}`);
      }
      const quiet = this.clock.now() - Math.max(start, this.lastArrival);
      const isQuiet = quiet >= (wasBusy ? QUIET_WHEN_BUSY : QUIET) || elapsed >= LONGEST_QUIET;
      this.closeThoseThatWait(isQuiet, elapsed);
    }
  }

  /** @param elapsed milliseconds since the service stopped listening */
  private closeThoseThatWait(isQuiet: boolean, elapsed: number): void {
    for (const [socket, response] of this.connections) {
      const isIdle = isQuiet && !isUnanswered(response);
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

/**
 * Closes the connection after this response, which says so in its head. Where the head is out
 * already, nobody was told: another request may be on its way, and the connection is closed as an
 * idle one.
 */
function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
