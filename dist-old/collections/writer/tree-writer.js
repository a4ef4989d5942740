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
import { Database } from '../../database/database.js';
import { isTransient, violatedConstraint, wasLost, wasRefused, } from '../../database/database-errors.js';
import { pauseAfter } from '../../database/retry.js';
import { TIMEOUTS } from '../../database/timeouts.js';
import { DomainError } from '../../errors/domain-error.js';
import { isAboutKeys } from '../../idempotency/idempotency-keys.repository.js';
import { BatchQueue } from './batch-queue.js';
import { ChangesRepository } from './changes.repository.js';
import { isExclusive, sizeOf } from './read-set.js';
import { IncompleteSlice } from './sibling-order.js';
import { TreeCommits } from './tree-commits.js';
const BATCH = { most: 100, mostBytes: 4 * 1024 * 1024 };
/** Tries of a single command where the database asks for another one (a deadlock). */
const ATTEMPTS = 5;
/**
 * The one writer of trees. Commands queue by workspace; tree-rules decide them one after the other, on
 * the slice of the tree that they need. How they are committed:
 *
 * | path     | when                                   | messages to the database     | lock               |
 * | -------- | -------------------------------------- | ---------------------------- | ------------------ |
 * | unlocked | a single command that reads few rows   | a read; one statement, which | optimistic: fails  |
 * |          | (isQuick) and has no idempotency key   | is a transaction of its own  | if `tree_stamp` has|
 * |          |                                        |                              | changed            |
 * | shared   | unlocked commands of several teams     | their statements and one     | as unlocked, and   |
 * |          | that wait for a connection             | COMMIT (SharedCommits)       | lock_timeout 100ms |
 * | locked   | any other single command; an unlocked  | 1. BEGIN, lock, read         | the workspace's    |
 * |          | one that failed; each command of a     | 2. write, COMMIT             | row, from the      |
 * |          | batch that was refused                 |                              | first message on   |
 * | together | commands that wait in one queue        | as locked, once for all      | as locked          |
 *
 * The first message locks the workspace's row and gives its tree a new version, reads the slice and
 * looks up the idempotency keys. The second one writes the keys with the responses of the commands that
 * succeeded, updates, inserts, the log of changes and the counters. A long list may need another round
 * trip between them.
 *
 * A command that breaks a rule fails alone. If the database refuses a statement, or more must be read
 * than a batch can, the commands run one by one, locked. A commit whose response was lost is never run
 * again.
 */
let TreeWriter = class TreeWriter {
    database;
    commits;
    changes;
    queue = new BatchQueue({
        ...BATCH,
        // The response is written a second time, under the key.
        sizeOf: ({ command, keyed }) => sizeOf(command) * (keyed === null ? 1 : 2),
        isExclusive: ({ command }) => isExclusive(command),
    }, (batch) => this.runBatch(batch));
    constructor(database, commits, changes) {
        this.database = database;
        this.commits = commits;
        this.changes = changes;
    }
    /**
     * Carries out a command; the caller may write in this workspace.
     * @param keyed stores its response, if it has an idempotency key
     * @throws AlreadySucceeded under that key
     * @throws DomainError not_found, conflict, unprocessable_entity by tree-rules; forbidden: the
     *   plan's limit; internal_server_error: nobody knows whether it was committed
     */
    run(ids, command, keyed = null) {
        return this.queue.add(ids.workspaceId, { ids, command, keyed });
    }
    async runBatch(batch) {
        const [first] = batch;
        const { ids } = first.work;
        const writes = batch.map(({ work }) => work);
        try {
            const outcomes = batch.length > 1
                ? await this.commitTogether(ids, writes)
                : [
                    (await this.commits.unlocked(ids, first.work)) ??
                        (await this.commitOne(ids, first.work)),
                ];
            for (const [n, { resolve, reject }] of batch.entries()) {
                const outcome = outcomes[n];
                if (outcome instanceof Error)
                    reject(outcome);
                else
                    resolve(outcome);
            }
        }
        catch (error) {
            for (const { reject } of batch)
                reject(error);
        }
    }
    async commitTogether(ids, writes) {
        const start = performance.now();
        try {
            return await this.commits.locked(ids, writes).catch((error) => {
                if (!wasLostEarly(error, start))
                    throw error;
                this.database.retries.note(error);
                return this.commits.locked(ids, writes);
            });
        }
        catch (error) {
            const mayPassAlone = error instanceof IncompleteSlice || wasRefused(error) || isAboutKeys(error);
            if (!mayPassAlone)
                throw error;
        }
        const outcomes = [];
        for (const write of writes) {
            outcomes.push(await this.commitOne(ids, write).catch((error) => error));
        }
        return outcomes;
    }
    async commitOne(ids, write) {
        const start = performance.now();
        for (let attempt = 1;; attempt++) {
            try {
                const [outcome] = await this.commits.locked(ids, [write]);
                return outcome;
            }
            catch (error) {
                const isKeyTaken = isAboutKeys(error) && wasRefused(error);
                // The random suffix of a slug.
                const isSlugTaken = violatedConstraint(error) === 'collections_workspace_slug_key';
                const isTaken = isKeyTaken || isSlugTaken;
                const mayPass = isTransient(error) || isTaken || wasLostEarly(error, start);
                if (attempt === ATTEMPTS || !mayPass)
                    throw await this.changes.explain(ids, error);
                this.database.retries.note(error);
                await pauseAfter(attempt);
            }
        }
    }
};
TreeWriter = __decorate([
    Injectable(),
    __metadata("design:paramtypes", [Database,
        TreeCommits,
        ChangesRepository])
], TreeWriter);
export { TreeWriter };
/**
 * A connection that was found dead before a commit was sent on it, and soon after the start: nothing
 * has happened, and the callers have not waited for long.
 */
const wasLostEarly = (error, start) => !(error instanceof DomainError || error instanceof IncompleteSlice) &&
    wasLost(error) &&
    performance.now() - start < TIMEOUTS.again;
//# sourceMappingURL=tree-writer.js.map