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
import { BackgroundJob } from '../database/background-job.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
/** Milliseconds between two rounds. */
const INTERVAL = 10 * 60_000;
/** Keys that one statement deletes, at most. */
const PORTION = 1000;
/** Deletes expired keys: they count as absent anyway, and concurrent rounds skip each other's rows. */
let ExpiredKeys = class ExpiredKeys extends BackgroundJob {
    keys;
    constructor(keys) {
        super('idempotency', 'keys were not cleared', INTERVAL);
        this.keys = keys;
    }
    /** Deletes in portions, so that no transaction is long. */
    async runRound() {
        while (!this.isOver && (await this.keys.deleteExpired(PORTION)) === PORTION)
            ;
    }
};
ExpiredKeys = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [IdempotencyKeysRepository])
], ExpiredKeys);
export { ExpiredKeys };
//# sourceMappingURL=expired-keys.js.map