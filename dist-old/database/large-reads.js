import { DomainError } from '../errors/domain-error.js';
import { GateTimeout } from './fair-gate.js';
import { streamRows } from './row-stream.js';
import { TIMEOUTS } from './timeouts.js';
/** Rows of a portion: a few milliseconds of reading. */
export const PORTION = 500;
/** Reads of many rows, and of any number: their readers may stop before the end. */
export class LargeReads {
    general;
    division;
    hasSession;
    constructor(general, division, 
    /** False behind a pooler: statements have no names. */
    hasSession) {
        this.general = general;
        this.division = division;
        this.hasSession = hasSession;
    }
    /** The rows of one prepared statement, for a reader that takes them at once. */
    async *portions([statement, values], by) {
        const { name, text } = statement;
        const query = { ...(this.hasSession && { name }), text, values, rows: PORTION };
        yield* releasing(await this.general.connect(by), (client) => streamRows(client, query));
    }
    /**
     * The rows of a statement for a caller's response, as fast as the caller takes them, however long
     * that is; the statement has no name, since it is planned in no time beside what it reads.
     * @throws DomainError rate_limit_exceeded: as many are under way as may be, of all or of this
     *   caller, for five seconds
     */
    async *forCaller(callerId, [{ text }, values]) {
        yield* releasing(await this.connectFor(callerId), async function* (client) {
            await client.query(BEGIN);
            yield* streamRows(client, { text, values });
            await client.query('COMMIT');
        });
    }
    async connectFor(callerId) {
        const { streams, streamsEach } = this.division;
        const queue = `streams ${callerId}`;
        const bounds = [
            { key: 'streams', most: streams },
            { key: queue, most: streamsEach },
        ];
        try {
            return await this.general.connectWithin(queue, bounds, TIMEOUTS.stream);
        }
        catch (error) {
            if (!(error instanceof GateTimeout))
                throw error;
            throw new DomainError('rate_limit_exceeded', 'too many responses of more than 8 MiB are being sent: read those that are under way to their end, then try again', { cause: error, retryAfterSeconds: 5 });
        }
    }
}
/** Gives a connection back; where it was not read to the end, it is closed. */
async function* releasing(client, read) {
    let isWhole = false;
    try {
        yield* read(client);
        isWhole = true;
    }
    finally {
        client.release(!isWhole);
    }
}
/**
 * In one message, and for this transaction alone, so that a pooler does not pass the setting on: a slow
 * reader is closed by the service (http/slow-readers.ts), not by PostgreSQL.
 */
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 0';
//# sourceMappingURL=large-reads.js.map