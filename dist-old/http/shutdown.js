var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
var __param = (this && this.__param) || function (paramIndex, decorator) {
    return function (target, key) { decorator(target, key, paramIndex); }
};
import { Server } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger, } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CLOCK } from '../config/clock.js';
import { CONFIG } from '../config/config.module.js';
import { Connections } from './connections.js';
/**
 * Idle connections stay open for requests that are already on their way: those get their responses,
 * with `Connection: close`. After this many milliseconds without a request, idle connections are
 * closed: soon if the service was idle, later if it was busy, and after LONGEST_QUIET at the
 * latest.
 */
const QUIET = 150;
const QUIET_WHEN_BUSY = 1_000;
/** Milliseconds after a request in which the service counts as busy. */
const BUSY = 200;
const LONGEST_QUIET = 3_000;
/** Milliseconds in which a partly received request must arrive completely. */
const ARRIVAL = 2_000;
/** Milliseconds in which every request must get its response. */
const DEADLINE = 8_000;
/** Milliseconds between two checks. */
const STEP = 50;
/**
 * Ends the service without cutting anyone off. app.close() calls it first: it makes the service not
 * ready, keeps accepting connections for SHUTDOWN_DELAY_MS, stops listening, lets requests in
 * flight finish and closes every connection after its last response. It takes 8 seconds at most
 * beyond the delay.
 */
let Shutdown = class Shutdown {
    config;
    host;
    connections;
    clock;
    logger = new Logger('shutdown');
    closing = false;
    lastArrival = Number.NEGATIVE_INFINITY;
    /** True from the start of the shutdown: the service is no longer ready. */
    begun = false;
    constructor(config, host, connections, clock) {
        this.config = config;
        this.host = host;
        this.connections = connections;
        this.clock = clock;
    }
    onApplicationBootstrap() {
        const server = this.host.httpAdapter.getHttpServer();
        // Before Fastify's own listener, which may respond at once, and before Connections adds it.
        server.prependListener('request', (request, response) => this.arrived(request, response));
    }
    async beforeApplicationShutdown() {
        this.begun = true;
        const server = this.host.httpAdapter.getHttpServer();
        if (!server.listening)
            return;
        await sleep(this.config.shutdownDelayMs);
        // One more turn, so that waiting connections are accepted.
        await nextTurn();
        this.closing = true;
        // Not HttpServer's close(): it would destroy connections on which a request is on its way.
        Server.prototype.close.call(server);
        await this.drain();
    }
    arrived({ socket }, response) {
        this.lastArrival = this.clock.now();
        if (!this.closing)
            return;
        // Pipelined: the earlier response is no longer the last one.
        const earlier = this.connections.get(socket)?.unsent.at(-1);
        if (earlier && !earlier.headersSent)
            earlier.shouldKeepAlive = true;
        endAfter(response);
    }
    async drain() {
        let wasBusy = this.clock.now() - this.lastArrival < BUSY;
        for (const { unsent } of this.connections.all()) {
            const last = unsent.at(-1);
            if (!last)
                continue;
            wasBusy = true;
            endAfter(last);
        }
        const start = this.clock.now();
        while (this.connections.size > 0) {
            await sleep(STEP);
            // Requests that arrived meanwhile are read before anything is closed.
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
    closeThoseThatWait(isQuiet, elapsed) {
        for (const { socket, latest, unsent } of this.connections.all()) {
            const isIdle = isQuiet && unsent.length === 0;
            const isIncomplete = elapsed >= ARRIVAL && latest?.complete === false;
            if (isIdle || isIncomplete || elapsed >= DEADLINE)
                socket.destroy();
        }
    }
};
Shutdown = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __param(3, Inject(CLOCK)),
    __metadata("design:paramtypes", [Object, HttpAdapterHost,
        Connections, Object])
], Shutdown);
export { Shutdown };
/**
 * Closes the connection after this response, with `Connection: close` in its head. If the head was
 * already sent, another request may be on its way, and the connection is closed as an idle one.
 */
function endAfter(response) {
    response.shouldKeepAlive = false;
}
//# sourceMappingURL=shutdown.js.map