import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Config } from '../config/config.js';
import { CLOCK, type Clock, CONFIG } from '../config/config.module.js';
import { yieldToEventLoop } from '../event-loop.js';
import { Connections } from './connections.js';

/**
 * Idle connections stay open for requests that are already on their way: those get their responses,
 * with `Connection: close`. After this many milliseconds without a request, idle connections are
 * closed: soon if the service was idle, later if it was busy, and after MAX_QUIET at the
 * latest.
 */
const QUIET = 150;
const QUIET_WHEN_BUSY = 1_000;
/** Milliseconds after a request in which the service counts as busy. */
const BUSY = 200;
const MAX_QUIET = 3_000;
/** Milliseconds in which a partly received request must arrive completely. */
const ARRIVAL = 2_000;
/** Milliseconds in which every request must get its response. */
const DRAIN_DEADLINE = 8_000;
/** Milliseconds between two checks. */
const DRAIN_STEP = 50;

/**
 * Ends the service without cutting anyone off. app.close() calls it first: it makes the service not
 * ready, keeps accepting connections for SHUTDOWN_DELAY_MS, stops listening, lets requests in
 * flight finish and closes every connection after its last response. It takes 8 seconds at most
 * beyond the delay.
 */
@Injectable()
export class Shutdown implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('shutdown');
  private closing = false;
  private lastArrival = Number.NEGATIVE_INFINITY;
  /** True from the start of the shutdown: the service is no longer ready. */
  begun = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly host: HttpAdapterHost,
    private readonly connections: Connections,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    // Before Fastify's own listener, which may respond at once, and before Connections adds it.
    server.prependListener('request', (request, response) => this.arrived(request, response));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.begun = true;
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    if (!server.listening) return;
    await sleep(this.config.shutdownDelayMs);
    // One more turn, so that waiting connections are accepted.
    await yieldToEventLoop();
    this.closing = true;
    // Not HttpServer's close(): it would destroy connections on which a request is on its way.
    Server.prototype.close.call(server);
    await this.drain();
  }

  private arrived({ socket }: IncomingMessage, response: ServerResponse): void {
    this.lastArrival = this.clock.now();
    if (!this.closing) return;
    // Pipelined: the earlier response is no longer the last one.
    const earlier = this.connections.get(socket)?.unsent.at(-1);
    if (earlier && !earlier.headersSent) earlier.shouldKeepAlive = true;
    endAfter(response);
  }

  private async drain(): Promise<void> {
    let wasBusy = this.clock.now() - this.lastArrival < BUSY;
    for (const { unsent } of this.connections.all()) {
      const last = unsent.at(-1);
      if (!last) continue;
      wasBusy = true;
      endAfter(last);
    }
    const start = this.clock.now();
    while (this.connections.size > 0) {
      await sleep(DRAIN_STEP);
      // Requests that arrived meanwhile are read before anything is closed.
      await yieldToEventLoop();
      const elapsed = this.clock.now() - start;
      if (elapsed >= DRAIN_DEADLINE) {
        this.logger.warn(`connections were cut off: ${this.connections.size}`);
      }
      const quiet = this.clock.now() - Math.max(start, this.lastArrival);
      const isQuiet = quiet >= (wasBusy ? QUIET_WHEN_BUSY : QUIET) || elapsed >= MAX_QUIET;
      this.closeThoseThatWait(isQuiet, elapsed);
    }
  }

  /** @param elapsed milliseconds since the service stopped listening */
  private closeThoseThatWait(isQuiet: boolean, elapsed: number): void {
    for (const { socket, latest, unsent } of this.connections.all()) {
      const isIdle = isQuiet && unsent.length === 0;
      const isIncomplete = elapsed >= ARRIVAL && latest?.complete === false;
      if (isIdle || isIncomplete || elapsed >= DRAIN_DEADLINE) socket.destroy();
    }
  }
}

/**
 * Closes the connection after this response, with `Connection: close` in its head. If the head was
 * already sent, another request may be on its way, and the connection is closed as an idle one.
 */
function endAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
