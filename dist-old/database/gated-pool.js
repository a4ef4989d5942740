import { FairGate } from './fair-gate.js';
import { TIMEOUTS } from './timeouts.js';
/** A pool whose connections no team and no caller holds all of: see division.ts. */
export class GatedPool {
    pool;
    each;
    gate;
    /**
     * @param name what it is called in the log
     * @param each connections that one team may hold at a time, and one caller
     */
    constructor(pool, name, each) {
        this.pool = pool;
        this.each = each;
        this.gate = new FairGate(pool.options.max, name);
    }
    /**
     * Runs work that takes one connection of the pool at a time.
     * @throws GateTimeout after eight seconds
     */
    async use(by, work) {
        const leave = await this.enter(by);
        try {
            return await work();
        }
        finally {
            leave();
        }
    }
    /** A connection; released by its own release(). @throws GateTimeout after eight seconds */
    async connect(by) {
        return this.connectAfter(await this.enter(by));
    }
    /** A connection held under bounds of the caller's own. @throws GateTimeout after `timeout` ms */
    async connectWithin(queue, bounds, timeout = TIMEOUTS.pool) {
        return this.connectAfter(await this.gate.enter(queue, bounds, timeout));
    }
    /** True where this one may hold one connection more. */
    hasRoomFor(by) {
        return this.gate.hasRoomFor(this.boundsOf(by));
    }
    /** Counts a connection that is held already for this one. @returns a function that releases them */
    hold(by) {
        return this.gate.hold(this.boundsOf(by));
    }
    status() {
        const { totalCount: total, idleCount: idle, waitingCount } = this.pool;
        return { total, idle, waiting: waitingCount + this.gate.waiting };
    }
    enter(by) {
        const { callerId, teamId, purpose = '' } = by;
        return this.gate.enter(callerId ?? teamId ?? purpose, this.boundsOf(by), TIMEOUTS.pool);
    }
    async connectAfter(leave) {
        const client = await this.pool.connect().catch((error) => {
            leave();
            throw error;
        });
        const { release } = client;
        client.release = (error) => {
            // As it was: the pool gives the same client out again.
            client.release = release;
            release.call(client, error);
            leave();
        };
        return client;
    }
    boundsOf(by) {
        return Object.entries(by).map(([kind, id]) => ({ key: `${kind} ${id}`, most: this.each }));
    }
}
//# sourceMappingURL=gated-pool.js.map