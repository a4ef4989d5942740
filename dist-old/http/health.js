var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Catch, Controller, Get, Header, Injectable, Logger, Module, ServiceUnavailableException, UseFilters, } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheckService, HealthIndicatorService, TerminusModule, } from '@nestjs/terminus';
import { Public } from '../auth/token.guard.js';
import { Connections } from './connections.js';
import { HealthRepository } from './health.repository.js';
import { Shutdown } from './shutdown.js';
/** Timeout of the database check, and how long its result is cached, in milliseconds. */
const TIMEOUTS = 2_000;
const REMEMBERED = 500;
/** Liveness and readiness. */
let HealthService = class HealthService {
    checks;
    indicators;
    repository;
    shutdown;
    logger = new Logger('health');
    /** undefined: not known yet. Once true, it stays true. */
    isMigrated;
    constructor(checks, indicators, repository, shutdown) {
        this.checks = checks;
        this.indicators = indicators;
        this.repository = repository;
        this.shutdown = shutdown;
    }
    /** Reports at the start that tables are too old, before the first probe. */
    async onApplicationBootstrap() {
        await this.migrations();
    }
    /** Checks only that the process responds: a restart would not bring a database back. */
    live() {
        return this.checks.check([]);
    }
    /** @throws ServiceUnavailableException while shutting down, without a database, or on old tables */
    ready() {
        return this.checks.check([
            () => this.accepting(),
            () => this.database(),
            () => this.migrations(),
        ]);
    }
    accepting() {
        const indicator = this.indicators.check('accepting');
        return this.shutdown.begun ? indicator.down('shutting down') : indicator.up();
    }
    /** Probes are not limited: the database is queried at most twice a second. */
    async database() {
        return this.indicators
            .check('database')
            .attempt(() => this.repository.ping().catch((error) => {
            this.logger.warn('the database does not respond', error);
            throw new Error('unreachable');
        }))
            .withTimeout(TIMEOUTS)
            .cacheFor(REMEMBERED);
    }
    /** Outside production they are applied at the start. Newer tables are fine: a rollback. */
    async migrations() {
        const indicator = this.indicators.check('migrations');
        if (this.isMigrated)
            return indicator.up();
        return indicator
            .attempt(async () => {
            if (!(await this.areMigrated()))
                throw new Error('missing');
        })
            .withTimeout(TIMEOUTS)
            .cacheFor(REMEMBERED);
    }
    /** Logs each change once. */
    async areMigrated() {
        const missing = await this.repository.missingMigrations();
        const before = this.isMigrated;
        this.isMigrated = missing.length === 0;
        if (before === undefined && !this.isMigrated) {
            this.logger.error(`not ready: the tables of the database are older than this version needs (${missing.join(', ')}): run teamspaces migrate`);
        }
        if (before === false && this.isMigrated)
            this.logger.log('ready: the database was migrated');
        return this.isMigrated;
    }
};
HealthService = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [HealthCheckService,
        HealthIndicatorService,
        HealthRepository,
        Shutdown])
], HealthService);
/** Probes are not operations of the API: 503 is sent without the usual error body. */
let UnavailableFilter = class UnavailableFilter {
    catch(exception, host) {
        const reply = host.switchToHttp().getResponse();
        reply.status(exception.getStatus()).send(exception.getResponse());
    }
};
UnavailableFilter = __decorate([
    Catch(ServiceUnavailableException)
], UnavailableFilter);
/** For balancers and orchestrators: 200 or 503. */
let HealthController = class HealthController {
    health;
    constructor(health) {
        this.health = health;
    }
    live() {
        return this.health.live();
    }
    ready() {
        return this.health.ready();
    }
};
__decorate([
    Public(),
    Get('live'),
    Header('cache-control', 'no-store'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], HealthController.prototype, "live", null);
__decorate([
    Public(),
    Get('ready'),
    Header('cache-control', 'no-store'),
    __metadata("design:type", Function),
    __metadata("design:paramtypes", []),
    __metadata("design:returntype", void 0)
], HealthController.prototype, "ready", null);
HealthController = __decorate([
    ApiExcludeController(),
    UseFilters(UnavailableFilter),
    Controller('health'),
    __metadata("design:paramtypes", [HealthService])
], HealthController);
/** Liveness, readiness and shutdown. */
let HealthModule = class HealthModule {
};
HealthModule = __decorate([
    Module({
        // A failed check is not an error of the service: HealthService logs the reason.
        imports: [TerminusModule.forRoot({ logger: false })],
        controllers: [HealthController],
        providers: [HealthRepository, HealthService, Connections, Shutdown],
    })
], HealthModule);
export { HealthModule };
//# sourceMappingURL=health.js.map