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
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import { BackgroundJob } from '../../database/background-job.js';
import { Metrics } from '../../observability/metrics.js';
import { AuditPurgeRepository } from './audit-purge.repository.js';
/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Entries that one transaction removes, at most. */
const PORTION = 1000;
/** Removes entries of audit logs that are older than AUDIT_TTL_SECONDS. */
let AuditPurge = class AuditPurge extends BackgroundJob {
    config;
    entries;
    removed;
    constructor(config, entries, metrics) {
        super('audit', 'audit logs were not purged', INTERVAL);
        this.config = config;
        this.entries = entries;
        this.removed = metrics.counter('teamspaces_audit_purged_total', 'Entries of audit logs that this instance has removed.');
    }
    /** Removes all that is too old, in portions. */
    async runRound() {
        while (!this.isOver) {
            const removed = await this.entries.removePortion(this.config.auditTtlSeconds, PORTION);
            if (removed === null)
                return;
            this.removed.inc(removed);
        }
    }
};
AuditPurge = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __metadata("design:paramtypes", [Object, AuditPurgeRepository,
        Metrics])
], AuditPurge);
export { AuditPurge };
//# sourceMappingURL=audit-purge.js.map