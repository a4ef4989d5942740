import { DISCARD_PLANS, shouldDiscardPlans } from './generic-plans.js';
/**
 * Reads of a few rows, many at a time on one connection: a statement leaves without waiting for the
 * answers of those before it, and all that one turn of the event loop asks for leave in one packet,
 * which costs more than all else that Node does for a statement. Each is a transaction of its own.
 * Whatever may wait for a lock, or returns many rows, would hold up those behind it: not here.
 */
export class PipelinedReads {
    connections;
    current = 0;
    isTurnOpen = false;
    /** @param connections that these reads share; each holds a PostgreSQL backend for good */
    constructor(config, connections) {
        this.connections = Array.from({ length: connections }, () => new Connection(config));
    }
    /** Runs statements one behind the other, in one message. */
    queryAll(queries) {
        if (!this.isTurnOpen)
            this.openTurn();
        return this.connections[this.current].queryAll(queries);
    }
    /** All reads of a turn of the event loop take the same connection, those of the next another. */
    openTurn() {
        this.isTurnOpen = true;
        this.current = (this.current + 1) % this.connections.length;
        setImmediate(() => {
            this.isTurnOpen = false;
        });
    }
    /** Runs one statement. */
    async query(query) {
        const [result] = await this.queryAll([query]);
        return result;
    }
    async end() {
        await Promise.all(this.connections.map((connection) => connection.end()));
    }
}
class Connection {
    config;
    client = null;
    connecting = null;
    isCorked = false;
    constructor(config) {
        this.config = config;
    }
    async queryAll(queries) {
        const client = this.client ?? (await this.connect());
        this.cork(client);
        if (shouldDiscardPlans(client, queries.length))
            client.query(DISCARD_PLANS).catch(() => undefined);
        return Promise.all(queries.map((query) => client.query(query)));
    }
    async end() {
        await this.connecting?.catch(() => undefined);
        await this.client?.end();
    }
    /** Holds back what is written until the end of this turn of the event loop. */
    cork({ connection: { stream } }) {
        if (this.isCorked)
            return;
        this.isCorked = true;
        stream.cork();
        setImmediate(() => {
            this.isCorked = false;
            stream.uncork();
        });
    }
    connect() {
        this.connecting ??= this.open().finally(() => {
            this.connecting = null;
        });
        return this.connecting;
    }
    async open() {
        const { Client, onConnect, ...given } = this.config;
        const config = { ...given, pipeline: true };
        const client = new Client(config);
        // A connection that breaks is dropped, and the next read makes another. The listener stays for
        // good: without one, a backend that is killed would end the process.
        const drop = () => {
            if (this.client === client)
                this.client = null;
        };
        client.on('error', drop);
        client.on('end', drop);
        await client.connect();
        try {
            await onConnect?.(client);
        }
        catch (error) {
            void client.end();
            throw error;
        }
        this.client = client;
        return client;
    }
}
//# sourceMappingURL=pipelined-reads.js.map