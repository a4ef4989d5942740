import { outcomeUnknown } from '../errors/domain-error.js';
import { wasLost } from './database-errors.js';
import { DISCARD_PLANS, shouldDiscardPlans } from './generic-plans.js';
/** Rows as columns, which a statement takes apart by unnest(). */
export const columns = (rows, names) => names.map((name) => rows.map((row) => row[name]));
/**
 * A READ COMMITTED transaction in as few messages as its work allows: BEGIN leaves with the first
 * statements, COMMIT with the last. The statements of a message run one behind the other, each sees
 * what those before it did; after one that fails the others fail, and COMMIT rolls back.
 */
export class PipelinedTransaction {
    client;
    state = 'fresh';
    queue = [];
    message = null;
    constructor(client) {
        this.client = client;
    }
    /**
     * Reads rows. Queries that are made without waiting for each other, such as those of one
     * `Promise.all()`, leave in one message, in the order of the calls.
     */
    async query(statement, values) {
        const index = this.queue.push({ statement: [statement, values] }) - 1;
        this.message ??= Promise.resolve().then(() => {
            this.message = null;
            return this.send();
        });
        return (await this.message)[index];
    }
    /**
     * Queues a statement whose rows nobody reads: it leaves with the next query, or else with COMMIT.
     * @param explain returns what is thrown if the statement fails: what a constraint means, or the
     *   error itself
     */
    write(statement, values, explain) {
        this.queue.push({ statement: [statement, values], explain });
    }
    /** Runs what is queued, and these statements, in one message. @returns the rows of these */
    run(statements) {
        return Promise.all(statements.map(([statement, values]) => this.query(statement, values)));
    }
    /**
     * Runs what is queued, and these statements, and commits, in one message.
     * @returns the rows of these
     * @throws DomainError internal_server_error where nobody can know whether it was committed
     */
    async commit(statements = []) {
        const rows = await this.run([...statements, COMMIT]);
        this.state = 'committed';
        return rows.slice(0, -1);
    }
    /** Ends what was not committed. @returns what broke the connection, if anything did */
    async close() {
        if (this.state !== 'open')
            return undefined;
        this.queue = [{ statement: ROLLBACK }];
        // After a failed commit the server has rolled back already; this shows that it is still there.
        return this.send().then(() => undefined, (error) => error);
    }
    /** Sends what is queued, in one message. @returns the rows of each statement, without BEGIN's */
    async send() {
        const queue = this.queue.splice(0);
        const isFirst = this.state === 'fresh';
        if (isFirst)
            queue.unshift({ statement: BEGIN });
        this.state = 'open';
        const isCommit = queue.at(-1)?.statement[0] === COMMIT[0];
        const settled = await Promise.allSettled(this.sendAll(queue.map(({ statement }) => statement)));
        const results = settled.map((answer, n) => {
            if (answer.status === 'fulfilled')
                return answer.value;
            // The first failure is the cause of all others.
            const { reason } = answer;
            if (!wasLost(reason))
                throw queue[n]?.explain?.(reason) ?? reason;
            throw isCommit ? outcomeUnknown(reason) : reason;
        });
        if (isCommit && results.at(-1)?.command !== 'COMMIT') {
            throw new Error('the transaction was rolled back');
        }
        return results.slice(isFirst ? 1 : 0).map(({ rows }) => rows);
    }
    sendAll(statements) {
        const { stream } = this.client.connection;
        stream.cork();
        try {
            if (statements[0] === BEGIN && shouldDiscardPlans(this.client, statements.length)) {
                this.client.query(DISCARD_PLANS).catch(() => undefined);
            }
            return statements.map(([{ name, text }, values]) => this.client.query(name === '' ? text : { name, text, values }));
        }
        finally {
            stream.uncork();
        }
    }
}
const BEGIN = [{ name: '', text: 'BEGIN' }, []];
const COMMIT = [{ name: '', text: 'COMMIT' }, []];
const ROLLBACK = [{ name: '', text: 'ROLLBACK' }, []];
//# sourceMappingURL=pipelined-transaction.js.map