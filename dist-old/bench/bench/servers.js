import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { signToken } from './baselines/hs256.js';
import { built, freePort, SERVICE, startNode, stopChild } from './children.js';
export const SERVERS = ['service', 'light', 'fair'];
/** Connections to PostgreSQL, for each server. */
const POOL_SIZE = '10';
const PATIENCE_MS = 60_000;
const SECRET = randomBytes(32).toString('base64url');
/** A token of a caller, who is known by this subject. */
export const tokenOf = (subject) => signToken(SECRET, subject);
/** The tokens of all callers of a scenario. */
export function tokensFor(scenario) {
    return Object.fromEntries(callersOf(scenario).map((caller) => [caller, tokenOf(caller)]));
}
function callersOf(scenario) {
    switch (scenario.kind) {
        case 'calls':
            return scenario.calls.map(({ caller }) => caller);
        case 'cycle':
            return scenario.steps.flatMap(({ calls }) => calls.map(({ caller }) => caller));
        default:
            return scenario.spaces.map(({ caller }) => caller);
    }
}
/** Starts the service as in production, or a baseline, on a database; resolves when it responds. */
export async function startServer(name, databaseUrl) {
    const port = await freePort();
    const begin = performance.now();
    const script = name === 'service' ? SERVICE : built(`baselines/${name}`);
    const child = startNode(script, {
        NODE_ENV: 'production',
        DATABASE_URL: databaseUrl,
        DATABASE_POOL_SIZE: POOL_SIZE,
        AUTH_JWT_SECRET: SECRET,
        HOST: '127.0.0.1',
        PORT: String(port),
        RATE_LIMIT_PER_MINUTE: '0',
        // High enough for what the load creates, and still checked.
        TEAMS_PER_OWNER: '1000000',
        LOG_LEVEL: 'fatal',
        SHUTDOWN_DELAY_MS: '0',
    });
    await firstResponse(name, child, port);
    return {
        name,
        port,
        pid: child.pid ?? 0,
        startMs: performance.now() - begin,
        stop: () => stopChild(child),
    };
}
async function firstResponse(name, child, port) {
    const headers = { authorization: `Bearer ${tokenOf('ada')}` };
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(5)) {
        if (child.exitCode !== null)
            throw new Error(`${name} ended with ${child.exitCode}`);
        const response = await fetch(`http://127.0.0.1:${port}/teams`, { headers }).catch(() => null);
        if (response?.status === 200)
            return void (await response.arrayBuffer());
        await response?.arrayBuffer();
    }
    throw new Error(`${name} did not respond within a minute`);
}
