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
import { BackgroundJob } from '../../database/background-job.js';
import { Metrics } from '../../observability/metrics.js';
import { PurgeRequests } from '../../workspaces/trash/purge-requests.js';
import { TrashPurgeRepository } from './trash-purge.repository.js';
/** Milliseconds between two rounds. */
const INTERVAL = 60_000;
/** Items that one transaction removes, at most. */
const PORTION = 500;
/** Teams whose deletions one transaction marks as purged, and deletions of each, at most. */
const TEAMS = 20;
const DELETIONS = 250;
/**
 * Purges the trash: what has expired, what a team's trash has no room for, and what callers have purged.
 * A deletion that is purged is marked first, and is gone for everybody from then on; its rows are
 * removed in short transactions, which nobody waits for.
 */
let TrashPurge = class TrashPurge extends BackgroundJob {
    trash;
    requests;
    removed;
    counted = { restorable: 0, purged: 0 };
    constructor(trash, requests, metrics) {
        super('trash', 'the trash was not purged', INTERVAL);
        this.trash = trash;
        this.requests = requests;
        metrics.gauge('teamspaces_trash_items', 'Items in the trash of all teams, when this instance last looked: restorable, or purged and waiting for their removal.', 'state', () => Object.entries(this.counted));
        this.removed = metrics.counter('teamspaces_trash_purged_items_total', 'Items that this instance has removed from the trash for good.');
    }
    onApplicationBootstrap() {
        this.requests.handleBy(() => this.wake());
        super.onApplicationBootstrap();
    }
    /** Marks what is overdue, and removes all that is marked. */
    async runRound() {
        let teams = TEAMS;
        while (!this.isOver && teams)
            teams = await this.trash.markOverdue(TEAMS, DELETIONS);
        for (;;) {
            const items = this.isOver ? null : await this.trash.removePortion(PORTION);
            if (items === null)
                break;
            this.removed.inc(items);
        }
        if (!this.isOver)
            this.counted = await this.trash.count();
    }
};
TrashPurge = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [TrashPurgeRepository,
        PurgeRequests,
        Metrics])
], TrashPurge);
export { TrashPurge };
//# sourceMappingURL=trash-purge.js.map