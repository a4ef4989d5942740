import { Connection } from './connection.js';
import { cpuMicroseconds } from './cpu.js';
import { cyclesOf } from './scenarios.js';
/**
 * The process that makes the load: takes a job, returns its result. Alone, so that what it does
 * is no part of what is measured in the process of the service.
 */
process.on('message', (job) => {
    run(job).then((result) => process.send?.({ result }), (error) => process.send?.({ error: String(error) }));
});
process.once('disconnect', () => process.exit());
async function run(job) {
    const load = new Load(job);
    try {
        for (const cycle of cyclesOf(job)) {
            for (const phase of cycle)
                await load.run(phase);
            if (load.isOver())
                break;
        }
        return load.result();
    }
    finally {
        load.close();
    }
}
class Load {
    job;
    connections;
    latencies = [];
    milliseconds = 0;
    errors = 0;
    lastError = '';
    started = 0;
    fail = () => undefined;
    deadline;
    mostRequests;
    /** Of the server, while requests that count were sent; null: unknown on this system. */
    cpu = 0;
    constructor(job) {
        this.job = job;
        const { seconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY } = job;
        this.connections = Array.from({ length: job.connections }, () => new Connection(job.port, (error) => this.fail(error)));
        this.mostRequests = requests;
        this.deadline = seconds * 1000;
    }
    /** What is counted has taken its time, or its number of requests. */
    isOver() {
        return this.milliseconds >= this.deadline || this.latencies.length >= this.mostRequests;
    }
    /** Sends the requests of a phase over all connections. An endless one stops when the job is over. */
    async run(phase) {
        const before = phase.counts ? cpuMicroseconds(this.job.pid) : null;
        await this.send(phase);
        if (!phase.counts)
            return;
        const after = cpuMicroseconds(this.job.pid);
        this.cpu =
            this.cpu === null || before === null || after === null ? null : this.cpu + after - before;
    }
    send({ next, counts, isEndless }) {
        const begin = performance.now();
        const end = begin + this.deadline - this.milliseconds;
        let open = this.connections.length;
        return new Promise((resolve, reject) => {
            this.fail = reject;
            const stop = () => {
                open -= 1;
                if (open > 0)
                    return;
                if (counts)
                    this.milliseconds += performance.now() - begin;
                resolve();
            };
            const step = (connection) => {
                const sent = performance.now();
                const isDone = isEndless && (sent >= end || this.started >= this.mostRequests);
                const shot = isDone ? null : next();
                if (!shot) {
                    stop();
                    return;
                }
                if (counts)
                    this.started += 1;
                connection.send(shot.request, shot.read !== undefined, (status, body) => {
                    if (counts)
                        this.latencies.push(performance.now() - sent);
                    if (status === 200)
                        shot.read?.(body);
                    else
                        this.refused(shot.request, status);
                    step(connection);
                });
            };
            for (const connection of this.connections)
                step(connection);
        });
    }
    result() {
        const sorted = Float64Array.from(this.latencies).sort();
        const at = (share) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
        return {
            requests: sorted.length,
            seconds: this.milliseconds / 1000,
            p50: at(0.5),
            p99: at(0.99),
            cpu: this.cpu === null ? null : this.cpu / sorted.length,
            errors: this.errors,
            lastError: this.lastError,
        };
    }
    close() {
        for (const connection of this.connections)
            connection.close();
    }
    refused(request, status) {
        this.errors += 1;
        this.lastError = `${status} for ${request.slice(0, request.indexOf(' HTTP'))}`;
    }
}
