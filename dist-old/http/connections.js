var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
import { Injectable } from '@nestjs/common';
/** A connection that a client holds open. */
export class Connection {
    socket;
    /** The latest request, whether it has a response or not. */
    latest = null;
    /** How fast the client reads: maintained by slow-readers.ts. */
    reading = {
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
    responses = new Set();
    constructor(socket) {
        this.socket = socket;
    }
    /** Responses that are not sent completely, in the order of their requests (pipelining). */
    get unsent() {
        return [...this.responses].filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed);
    }
    add(request, response) {
        this.latest = request;
        this.responses.add(response);
        response.once('close', () => this.responses.delete(response));
    }
}
/** The open connections of the server, and the state of each. */
let Connections = class Connections {
    open = new Map();
    /** Tracks the server from its first connection: call it before the server listens. */
    watch(server) {
        server.prependListener('connection', (socket) => {
            this.open.set(socket, new Connection(socket));
            socket.once('close', () => this.open.delete(socket));
        });
        // Before Fastify's own listener, which may respond at once.
        server.prependListener('request', (request, response) => this.get(request.socket)?.add(request, response));
    }
    get size() {
        return this.open.size;
    }
    get(socket) {
        return this.open.get(socket);
    }
    all() {
        return this.open.values();
    }
};
Connections = __decorate([
    Injectable()
], Connections);
export { Connections };
//# sourceMappingURL=connections.js.map