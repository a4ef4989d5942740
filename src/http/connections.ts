import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { CLOCK, type Clock, CONFIG } from '../config/config.module.js';
import { yieldToEventLoop } from '../event-loop.js';

/** A connection that a client holds open. */
export class Connection {
  /** The latest request, whether it has a response or not. */
  latest: IncomingMessage | null = null;
  /** How fast the client reads: maintained by closeSlowReaders(). */
  readonly reading = {
    /** The caller of the latest response; '': unknown. */
    callerId: '',
    /** Bytes that the system had accepted at the last check. */
    taken: 0,
    /** When it accepted some, or nothing waited. */
    lastProgress: 0,
    /** Milliseconds that something has waited in this window, and bytes taken before it. */
    waited: 0,
    takenBefore: 0,
  };
  private readonly responses = new Set<ServerResponse>();

  constructor(readonly socket: Socket) {}

  /** Responses that are not sent completely, in the order of their requests (pipelining). */
  get unsent(): ServerResponse[] {
    return [...this.responses].filter(
      ({ writableFinished, destroyed }) => !writableFinished && !destroyed,
    );
  }

  add(request: IncomingMessage, response: ServerResponse): void {
    this.latest = request;
    this.responses.add(response);
    // Of a stream, Fastify, Nest and this service listen 12 times for the end, and Node warns from 11 on.
    response.setMaxListeners(16);
    response.once('close', () => this.responses.delete(response));
  }
}

/** The open connections of the server, and the state of each. */
@Injectable()
export class Connections {
  private readonly open = new Map<Duplex, Connection>();

  /** Tracks the server from its first connection: call it before the server listens. */
  watch(server: HttpServer): void {
    server.prependListener('connection', (socket: Socket) => {
      this.open.set(socket, new Connection(socket));
      socket.once('close', () => this.open.delete(socket));
    });
    // Before Fastify's own listener, which may respond at once.
    server.prependListener('request', (request, response) =>
      this.get(request.socket)?.add(request, response),
    );
  }

  get size(): number {
    return this.open.size;
  }

  get(socket: Duplex): Connection | undefined {
    return this.open.get(socket);
  }

  all(): IterableIterator<Connection> {
    return this.open.values();
  }
}

/** Milliseconds that a connection may read nothing while bytes wait for it. */
const MAX_STALL = 30_000;
/** Window in milliseconds over which a connection must read this many bytes a second. */
const RATE_WINDOW = 60_000;
const MIN_RATE = 16 * 1024;
/** Waiting bytes of all callers together, after which the caller with the most loses connections. */
const MAX_WAITING = 96 * 1024 * 1024;
/** Milliseconds without a read after which such a connection may be closed. */
const MIN_STALL = 1_000;
/** Milliseconds between two checks. */
const CHECK_STEP = 1_000;

/** Part of Node that its types omit: how many written bytes the system has not accepted. */
interface Handle {
  bytesWritten: number;
  writeQueueSize: number;
}

/**
 * Closes connections that do not read: waiting bytes take memory, and a large response holds a
 * connection to the database. All responses on all connections, whatever they are.
 *
 * - No byte read for 30 seconds while some wait, or less than 16 KiB a second over a minute.
 * - More than 96 MiB wait in all: of the caller with the most, the connections that have read nothing
 *   for longest. Callers without a token count as one.
 */
export function closeSlowReaders(
  fastify: FastifyInstance,
  connections: Connections,
  clock: Clock,
): void {
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    const connection = connections.get(reply.raw.socket as Socket);
    if (connection) connection.reading.callerId = request.user?.id ?? '';
    done();
  });
  let lastLook = clock.now();
  const timer = setInterval(() => {
    const now = clock.now();
    let waiting = 0;
    for (const connection of connections.all()) {
      if (isTooSlow(connection, now, now - lastLook)) connection.socket.destroy();
      else waiting += waitingFor(connection);
    }
    lastLook = now;
    if (waiting > MAX_WAITING) makeRoom(connections, waiting - MAX_WAITING, now);
  }, CHECK_STEP).unref();
  fastify.server.once('close', () => clearInterval(timer));
}

function isTooSlow({ socket, reading }: Connection, now: number, elapsed: number): boolean {
  const taken = takenBy(socket);
  if (taken !== reading.taken || !waits(socket)) {
    reading.taken = taken;
    reading.lastProgress = now;
  }
  if (!waits(socket)) return false;
  if (now - reading.lastProgress >= MAX_STALL) return true;
  reading.waited += elapsed;
  if (reading.waited < RATE_WINDOW) return false;
  const isSlow = taken - reading.takenBefore < (reading.waited / 1000) * MIN_RATE;
  reading.waited = 0;
  reading.takenBefore = taken;
  return isSlow;
}

/** Closes stalled connections until this many fewer bytes wait. */
function makeRoom(connections: Connections, excess: number, now: number): void {
  const byCaller = new Map<string, { bytes: number; stalled: Connection[] }>();
  for (const connection of connections.all()) {
    const { callerId, lastProgress } = connection.reading;
    const of = byCaller.get(callerId) ?? { bytes: 0, stalled: [] };
    byCaller.set(callerId, of);
    of.bytes += waitingFor(connection);
    if (now - lastProgress >= MIN_STALL) of.stalled.push(connection);
  }
  const [most] = [...byCaller.values()].sort((a, b) => b.bytes - a.bytes);
  let left = excess;
  const longestFirst =
    most?.stalled.sort((a, b) => a.reading.lastProgress - b.reading.lastProgress) ?? [];
  for (const connection of longestFirst) {
    if (left <= 0) return;
    left -= waitingFor(connection);
    connection.socket.destroy();
  }
}

/** Bytes that wait for a connection, in its socket and in responses that have not reached it yet. */
function waitingFor({ socket, unsent }: Connection): number {
  let bytes = socket.writableLength;
  for (const response of unsent) if (response.socket === null) bytes += response.writableLength;
  return bytes;
}

const waits = (socket: Socket): boolean =>
  socket.writableLength > 0 || (handleOf(socket)?.writeQueueSize ?? 0) > 0;

function takenBy(socket: Socket): number {
  const handle = handleOf(socket);
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten;
}

const handleOf = (socket: Socket): Handle | undefined =>
  (socket as unknown as { _handle?: Handle | null })._handle ?? undefined;

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
