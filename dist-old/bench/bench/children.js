import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
/** Ends a process when the one that started it is gone, however it went. */
const FOLLOW_PARENT = `data:text/javascript,process.once('disconnect',()=>process.exit());process.channel.unref()`;
const children = new Set();
process.once('exit', () => {
    for (const child of children)
        child.kill('SIGKILL');
});
/** The package's folder; this file runs from dist/bench/bench. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');
/** The service and its command line, as `npm run build` makes them. */
export const SERVICE = join(ROOT, 'dist', 'main.js');
const CLI = join(ROOT, 'dist', 'cli.js');
/** A file of this folder, as it was built. */
export const built = (file) => join(dirname(fileURLToPath(import.meta.url)), `${file}.js`);
/**
 * Starts a script of ours, with `env` and little else of the environment. It dies with this
 * process.
 */
export function startNode(script, env, args = []) {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, script, ...args], {
        cwd: ROOT,
        env: { PATH, HOME, ...env },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
}
/** Ends a child, at once, and waits for it. */
export async function stopChild(child) {
    if (child.exitCode !== null || child.signalCode !== null)
        return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
}
/** Runs a command of the service to its end. @throws Error where that is not 0 */
export async function runCommand(command, env) {
    const [code] = await once(startNode(CLI, env, [command]), 'exit');
    if (code !== 0)
        throw new Error(`${command} ended with ${code}`);
}
/** A port that nobody listens on. */
export async function freePort() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    server.close();
    await once(server, 'close');
    if (address === null || typeof address === 'string')
        throw new Error('no port');
    return address.port;
}
