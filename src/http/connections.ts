import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { onClose } from './response-closed.js';

/** A connection that a client holds open. */
export class Connection {
  /** The latest request, whether it has a response or not. */
  latest: IncomingMessage | null = null;
  /** How fast the client reads: maintained by slow-readers.ts. */
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
    onClose(response, () => this.responses.delete(response));
  }
}

/** The open connections of the server, and the state of each. */
@Injectable()
export class Connections {
  private readonly open = new Map<Duplex, Connection>();

  /** Tracks the server from its first connection: call it before the server listens. */
  watch(server: Server): void {
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
