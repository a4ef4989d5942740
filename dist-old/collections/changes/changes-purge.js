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
import { ChangesPurgeRepository } from './changes-purge.repository.js';
/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Rows that one transaction removes, at most, beside the rest of their version. */
const PORTION = 1000;
/**
 * Removes changes from the log that are older than CHANGES_TTL_SECONDS; cursors from before them are
 * refused.
 */
let ChangesPurge = class ChangesPurge extends BackgroundJob {
    config;
    changes;
    removed;
    constructor(config, changes, metrics) {
        super('changes', 'changes were not purged', INTERVAL);
        this.config = config;
        this.changes = changes;
        this.removed = metrics.counter('teamspaces_changes_purged_total', 'Rows of the log of changes that this instance has removed.');
    }
    /** Removes all that is too old, in portions. */
    async runRound() {
        while (!this.isOver) {
            const rows = await this.changes.removePortion(this.config.changesTtlSeconds, PORTION);
            if (rows === null)
                return;
            this.removed.inc(rows);
        }
    }
};
ChangesPurge = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __metadata("design:paramtypes", [Object, ChangesPurgeRepository,
        Metrics])
], ChangesPurge);
export { ChangesPurge };
//# sourceMappingURL=changes-purge.js.map