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
import { PrismaPg } from '@prisma/adapter-pg';
import { CONFIG } from '../config/config.module.js';
import { PrismaClient } from '../generated/prisma/client.js';
import { wasLost } from './database-errors.js';
import { divide } from './division.js';
import { LargeReads, PORTION } from './large-reads.js';
import { PipelinedTransaction } from './pipelined-transaction.js';
import { connectPools } from './pools.js';
import { Retries, withRetry } from './retry.js';
import { SharedCommits } from './shared-commits.js';
import { statementName } from './statement-names.js';
import { TIMEOUTS } from './timeouts.js';
const CITUS = {
    name: 'database.citus',
    text: "SELECT extname FROM pg_extension WHERE extname = 'citus'",
};
/** Runs statements and transactions. Repositories and the tree writer are the only users. */
let Database = class Database {
    pools;
    commits;
    prisma;
    /** Reads of many rows, and of any number. */
    large;
    /** Transactions that were run again. */
    retries = new Retries();
    constructor(config) {
        const division = divide(config.databasePoolSize);
        this.pools = connectPools(config, division);
        this.commits = new SharedCommits(this.pools.writers);
        const { databasePreparedStatements: hasSession } = config;
        this.large = new LargeReads(this.pools.general, division, hasSession);
        const statementNameGenerator = ({ sql }) => statementName(sql);
        const adapter = new PrismaPg(this.pools.general.pool, { statementNameGenerator });
        this.prisma = new PrismaClient({ adapter });
    }
    /**
     * Runs one prepared statement outside a transaction: a single round trip, shared with others where
     * it only reads a few rows; one a portion if it returns `many` rows.
     * @param by on whose behalf, if it returns `many` rows or `writes`
     */
    async query({ name, text, many = false, writes = false }, values, by = { purpose: name }) {
        const { general, reads } = this.pools;
        const query = { name, text, values };
        const portioned = many ? { ...query, rows: PORTION } : query;
        const alone = async () => (await general.use(by, () => general.pool.query(portioned))).rows;
        if (writes)
            return alone();
        const start = performance.now();
        try {
            return many ? await alone() : (await reads.query(query)).rows;
        }
        catch (error) {
            // The connection was dropped: reading again does no harm.
            if (!mayAskAgain(error, start))
                throw error;
            return alone();
        }
    }
    /** Reads by Prisma's models, outside a transaction. */
    models(by, read) {
        return this.pools.general.use(by, () => read(this.prisma));
    }
    /**
     * Runs statements that only read a few rows, one behind the other, in one message; each sees what
     * is committed when its turn comes.
     */
    async read(statements) {
        const queries = statements.map(([{ name, text }, values]) => ({ name, text, values }));
        const start = performance.now();
        const results = await this.pools.reads.queryAll(queries).catch((error) => {
            // The shared connection was dropped: reading again does no harm.
            if (!mayAskAgain(error, start))
                throw error;
            return this.pools.reads.queryAll(queries);
        });
        return results.map(({ rows }) => rows);
    }
    /** True on Citus, which takes fewer kinds of statements; asked once. */
    isDistributed() {
        this.distributed ??= this.query(CITUS, []).then(({ length }) => length > 0, (error) => {
            this.distributed = null;
            throw error;
        });
        return this.distributed;
    }
    distributed = null;
    /**
     * Runs one statement that writes rows of a team, as a transaction of its own; where connections are
     * scarce, in one commit with those of other teams.
     * @throws DomainError internal_server_error where nobody can know whether it was committed
     */
    write(by, statement) {
        return this.commits.write(by, statement);
    }
    /**
     * Runs `work` in a READ COMMITTED transaction and commits it, again from the start where the
     * database asked for it (deadlock, serialization failure), at most eight times. `work` must have no
     * other effects than those on `tx`.
     * @param by on whose behalf
     * @throws DomainError internal_server_error where nobody can know whether it was committed
     */
    transaction(work, by) {
        const attempt = async (tx) => {
            const result = await work(tx);
            await tx.commit();
            return result;
        };
        return withRetry(this.retries, () => this.begin(this.pools.general, by, attempt));
    }
    /**
     * Runs `work` in a transaction of few messages, on a connection of the tree's writers; once. What
     * `work` does not commit is undone.
     * @param by on whose behalf
     */
    pipelined(by, work) {
        return this.begin(this.pools.writers, by, work);
    }
    async begin(pool, by, work) {
        const client = (await pool.connect(by));
        const { pipeline } = client;
        // For the time of the transaction: what else uses a connection of this pool may not be pipelined.
        client.pipeline = true;
        const tx = new PipelinedTransaction(client);
        try {
            return await work(tx);
        }
        finally {
            const broken = await tx.close();
            client.pipeline = pipeline;
            client.release(broken);
        }
    }
    /** How busy the pools are: `pipelined` is that of the tree's writers. */
    poolStatus() {
        return { general: this.pools.general.status(), pipelined: this.pools.writers.status() };
    }
    async onApplicationShutdown() {
        await this.prisma.$disconnect();
        const { reads, writers, general } = this.pools;
        await Promise.all([reads.end(), writers.pool.end(), general.pool.end()]);
    }
};
Database = __decorate([
    Injectable(),
    __param(0, Inject(CONFIG)),
    __metadata("design:paramtypes", [Object])
], Database);
export { Database };
const mayAskAgain = (error, start) => wasLost(error) && performance.now() - start < TIMEOUTS.again;
//# sourceMappingURL=database.js.map