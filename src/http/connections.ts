import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';

/** A connection that a client holds open. */
export class Connection {
  /** The request that arrived last, answered or not. */
  latest: IncomingMessage | null = null;
  /** How the client takes what is sent to it: kept by slow-readers.ts. */
  readonly reading = {
    /** Whom the latest response is for; '': nobody known. */
    callerId: '',
    /** Bytes that the system had taken at the last look. */
    taken: 0,
    /** When it took some, or nothing waited. */
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
    response.once('close', () => this.responses.delete(response));
  }
}

/** The open connections of the server: what is known of them is kept here and nowhere else. */
@Injectable()
export class Connections {
  private readonly open = new Map<Duplex, Connection>();

  /** Follows the server from its first connection: to be called before it listens. */
  watch(server: Server): void {
    server.prependListener('connection', (socket: Socket) => {
      this.open.set(socket, new Connection(socket));
      socket.once('close', () => this.open.delete(socket));
    });
    // Before Fastify's own listener, which may answer at once.
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
