var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { Injectable, Logger, } from '@nestjs/common';
import { Metrics } from '../../observability/metrics.js';
import { MOST_WAITING, tooManyWaiting } from './changes.js';
import { TreeStampsRepository } from './tree-stamps.repository.js';
/** Milliseconds between two looks for what other processes have committed. */
const INTERVAL = 1_000;
/** Milliseconds that a wait takes at most while the service stops: its callers go elsewhere. */
const LONGEST_AT_END = 1_000;
/**
 * Those who wait for changes. A commit of this process wakes them at once; what other processes have
 * committed is seen by one statement a second for all workspaces that somebody waits for. No LISTEN:
 * poolers in transaction mode have none. No NOTIFY: it serializes commits.
 */
let ChangeWaiters = class ChangeWaiters {
    stamps;
    logger = new Logger('changes');
    /** By the id of the workspace. */
    listening = new Map();
    /** Of listeners that have not named a workspace yet. */
    hearing = new Set();
    /** How many requests of each caller wait. */
    waiting = new Map();
    timer;
    isLooking = false;
    isOver = false;
    constructor(stamps, metrics) {
        this.stamps = stamps;
        metrics.gauge('teamspaces_changes_waiters', 'Requests that wait for changes, and the workspaces and callers that they are of.', 'of', () => [
            ['requests', this.waiters().length],
            ['workspaces', new Set(this.waiters().map(([id]) => id)).size],
            ['callers', this.waiting.size],
        ]);
    }
    onApplicationBootstrap() {
        this.timer = setInterval(() => void this.look(), INTERVAL).unref();
    }
    /** Before anything else is shut down: whoever waits gets a response at once. */
    onModuleDestroy() {
        this.isOver = true;
        clearInterval(this.timer);
        for (const id of [...this.listening.keys()])
            this.wake(id);
    }
    /** Hears of commits from now on: to be called before the tree is read. */
    listen(callerId) {
        const heard = new Set();
        this.hearing.add(heard);
        const own = { teamId: '', treeStamp: null, isWoken: false, wake: () => undefined };
        let forget = () => void this.hearing.delete(heard);
        let leave;
        return {
            listenTo: ({ id, teamId }) => {
                forget();
                own.teamId = teamId;
                own.isWoken = heard.has(id);
                const all = this.listening.get(id) ?? new Set();
                this.listening.set(id, all.add(own));
                forget = () => {
                    all.delete(own);
                    if (all.size === 0 && this.listening.get(id) === all)
                        this.listening.delete(id);
                };
            },
            wait: async (treeStamp, milliseconds, gone) => {
                if (!own.isWoken && !gone.aborted) {
                    // Until the end: another request must not take its place between two waits.
                    leave ??= this.enter(callerId);
                    own.treeStamp = treeStamp;
                    await this.sleep(own, milliseconds, gone);
                    own.treeStamp = null;
                }
                const { isWoken } = own;
                own.isWoken = false;
                return isWoken && !this.isOver;
            },
            close: () => {
                forget();
                leave?.();
            },
        };
    }
    async sleep(own, milliseconds, gone) {
        const most = this.isOver ? Math.min(milliseconds, LONGEST_AT_END) : milliseconds;
        await new Promise((resolve) => {
            const end = () => {
                clearTimeout(timer);
                gone.removeEventListener('abort', end);
                resolve();
            };
            const timer = setTimeout(end, most);
            own.wake = end;
            gone.addEventListener('abort', end);
        });
    }
    /** Wakes those who wait for changes in a workspace: this process has committed one. */
    wake(workspaceId) {
        for (const heard of this.hearing)
            heard.add(workspaceId);
        for (const one of this.listening.get(workspaceId) ?? [])
            wakeUp(one);
    }
    /** @returns what to call when the wait is over @throws DomainError rate_limit_exceeded */
    enter(callerId) {
        const count = this.waiting.get(callerId) ?? 0;
        if (count === MOST_WAITING)
            throw tooManyWaiting();
        this.waiting.set(callerId, count + 1);
        return () => {
            const left = (this.waiting.get(callerId) ?? 0) - 1;
            if (left > 0)
                this.waiting.set(callerId, left);
            else
                this.waiting.delete(callerId);
        };
    }
    waiters() {
        return [...this.listening].flatMap(([id, all]) => [...all]
            .filter(({ treeStamp }) => treeStamp !== null)
            .map((one) => [id, one]));
    }
    /** Wakes those whose tree has another stamp now, or is gone. */
    async look() {
        const waiters = this.waiters();
        if (this.isLooking || waiters.length === 0)
            return;
        this.isLooking = true;
        try {
            const asked = new Map(waiters.map(([id, { teamId }]) => [id, { id, teamId }]));
            const stamps = await this.stamps.find([...asked.values()]);
            for (const [id, one] of waiters) {
                if (one.treeStamp !== null && one.treeStamp !== stamps.get(id))
                    wakeUp(one);
            }
        }
        catch (error) {
            // The next look is a second away.
            this.logger.warn(`changes of other processes were not seen: ${error.message}`);
        }
        finally {
            this.isLooking = false;
        }
    }
};
ChangeWaiters = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [TreeStampsRepository,
        Metrics])
], ChangeWaiters);
export { ChangeWaiters };
function wakeUp(one) {
    one.isWoken = true;
    one.wake();
}
//# sourceMappingURL=change-waiters.js.map