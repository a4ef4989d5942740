import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../config/config.module.js';
import {
  MAX_READ_STALL,
  MAX_UNREAD,
  MIN_READ_RATE,
  MIN_READ_STALL,
  READ_WINDOW,
} from './limits.js';

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
    if (waiting > MAX_UNREAD) makeRoom(connections, waiting - MAX_UNREAD, now);
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
  if (now - reading.lastProgress >= MAX_READ_STALL) return true;
  reading.waited += elapsed;
  if (reading.waited < READ_WINDOW) return false;
  const isSlow = taken - reading.takenBefore < (reading.waited / 1000) * MIN_READ_RATE;
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
    if (now - lastProgress >= MIN_READ_STALL) of.stalled.push(connection);
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
