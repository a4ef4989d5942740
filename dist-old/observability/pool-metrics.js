var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { RETRY_REASONS } from '../database/database-errors.js';
import { Metrics } from './metrics.js';
/**
 * Metrics of each connection pool (open, in use, waiting callers), and of retried transactions.
 */
let PoolMetrics = class PoolMetrics {
    constructor(database, metrics) {
        const show = (name, help, of) => metrics.gauge(`teamspaces_database_connections_${name}`, help, 'pool', () => Object.entries(database.poolStatus()).map(([pool, status]) => [pool, of(status)]));
        show('in_use', 'Connections to PostgreSQL in use.', ({ total, idle }) => total - idle);
        show('open', 'Open connections to PostgreSQL.', ({ total }) => total);
        show('waiting', 'Callers waiting for a connection.', ({ waiting }) => waiting);
        const retries = metrics.counter('teamspaces_transaction_retries_total', 'Retried transactions, by reason.', ['reason']);
        for (const reason of RETRY_REASONS)
            retries.inc({ reason }, 0);
        database.retries.countBy((reason) => retries.inc({ reason }));
    }
};
PoolMetrics = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database, Metrics])
], PoolMetrics);
export { PoolMetrics };
//# sourceMappingURL=pool-metrics.js.map