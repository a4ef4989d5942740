import { seed, spacesOf } from './seed.js';
import { startServer, tokensFor } from './servers.js';
/** Pages whose ids the load knows; more would only make the job longer. */
const KNOWN_PAGES = 1_000;
/** A seeded database, and a server on a copy of it for each name. */
export class Field {
    databases;
    template;
    servers;
    urls;
    constructor(databases, template, servers, urls) {
        this.databases = databases;
        this.template = template;
        this.servers = servers;
        this.urls = urls;
    }
    static async prepare(databases, names, shapes, otherTeams) {
        const template = await databases.create();
        await seed(template, { shapes: distinct(shapes), otherTeams });
        const servers = [];
        const urls = [];
        for (const name of names) {
            const url = await databases.copy(template);
            urls.push(url);
            servers.push(await startServer(name, url));
        }
        return new Field(databases, template, servers, urls);
    }
    /** Runs rounds of an operation, the servers in turn, and compares them. */
    async compare(loader, operation, options, seedOffset = 0) {
        const servers = this.servers.filter(({ name }) => operation.servers?.includes(name) ?? true);
        const results = new Map(servers.map(({ name }) => [name, []]));
        await this.databases.checkpoint();
        for (let round = 0; round <= options.rounds; round++) {
            const job = await this.job(operation, round, options, seedOffset);
            // Each round begins with another one of them.
            for (const [n] of servers.entries()) {
                const server = servers[(round + n) % servers.length];
                const result = await loader.run({ ...job, port: server.port, pid: server.pid });
                if (round > 0)
                    results.get(server.name)?.push(result);
            }
        }
        return compared(operation, results);
    }
    async job(operation, round, { seconds }, seedOffset) {
        const most = operation.requestsPerSecond;
        const spaces = await spacesOf(this.template, operation.shapes(round), KNOWN_PAGES);
        const scenario = operation.scenario(spaces);
        return {
            tokens: tokensFor(scenario),
            connections: operation.connections,
            scenario,
            ...(most === undefined ? { seconds } : { requests: Math.ceil(most * seconds) }),
            seed: 1 + round + seedOffset,
        };
    }
    async close() {
        for (const server of this.servers)
            await server.stop();
        for (const url of [...this.urls, this.template])
            await this.databases.drop(url);
    }
}
/** All that the operations work on, over all rounds. */
export const shapesOf = (operations, rounds) => operations.flatMap(({ shapes }) => Array.from({ length: rounds + 1 }, (_, round) => shapes(round)).flat());
function distinct(shapes) {
    return [...new Map(shapes.map((shape) => [`${shape.team}/${shape.workspace}`, shape])).values()];
}
function compared(operation, results) {
    const servers = {};
    for (const [name, rounds] of results) {
        servers[name] = {
            rate: median(rounds.map(({ requests, seconds }) => requests / seconds)),
            p50: median(rounds.map(({ p50 }) => p50)),
            p99: median(rounds.map(({ p99 }) => p99)),
            cpu: medianOf(rounds.map(({ cpu }) => cpu)),
            errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
            lastError: rounds.findLast(({ lastError }) => lastError)?.lastError ?? '',
        };
    }
    const value = ({ requests, seconds, p50 }) => operation.compares === 'rate' ? requests / seconds : p50;
    const ratio = (baseline) => {
        const service = results.get('service');
        const other = results.get(baseline);
        if (!service || !other)
            return null;
        return median(service.map((result, n) => value(result) / value(other[n])));
    };
    return { operation, servers, ratios: { light: ratio('light'), fair: ratio('fair') } };
}
/** null if it is unknown of one of them. */
const medianOf = (values) => {
    const known = values.filter((value) => value !== null);
    return known.length < values.length ? null : median(known);
};
export function median(values) {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = sorted.length >> 1;
    const upper = sorted[middle] ?? 0;
    return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2;
}
