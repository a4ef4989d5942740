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
import { createServer } from 'node:http';
import { Inject, Injectable, } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import { listenFailure } from '../config/listen-failure.js';
import { Metrics } from './metrics.js';
/**
 * Serves /metrics on METRICS_PORT, on a listener of its own: the balancer never leads there, and it
 * keeps responding while the service drains.
 */
let MetricsServer = class MetricsServer {
    config;
    metrics;
    server = null;
    constructor(config, metrics) {
        this.config = config;
        this.metrics = metrics;
    }
    /** @throws Error with one sentence that names the setting to change */
    async onApplicationBootstrap() {
        const { metricsPort, host } = this.config;
        if (metricsPort === null)
            return;
        this.metrics.watchProcess();
        const server = createServer((request, response) => {
            if (request.method !== 'GET' || request.url !== '/metrics') {
                response.writeHead(404).end();
                return;
            }
            this.metrics.read().then((text) => response.writeHead(200, { 'content-type': this.metrics.contentType }).end(text), () => response.writeHead(500).end());
        });
        this.server = server;
        await new Promise((resolve, reject) => {
            const fail = (error) => reject(listenFailure('METRICS_PORT', metricsPort, host, error));
            server.once('error', fail).listen(metricsPort, host, resolve);
        });
    }
    onApplicationShutdown() {
        this.server?.close();
        this.server?.closeAllConnections();
    }
};
MetricsServer = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __metadata("design:paramtypes", [Object, Metrics])
], MetricsServer);
export { MetricsServer };
//# sourceMappingURL=metrics-server.js.map