import { fork } from 'node:child_process';
import { once } from 'node:events';
import { built } from './children.js';
/** The process that makes the load, kept for all jobs. It ends with this one. */
export class Loader {
    child = fork(built('loader/loader'), { stdio: 'inherit' });
    gone = once(this.child, 'exit').then(() => {
        throw new Error('The loader has ended');
    });
    constructor() {
        this.gone.catch(() => undefined);
    }
    /** @throws Error where a connection fails: the server has died, most likely */
    async run(job) {
        this.child.send(job);
        const [response] = (await Promise.race([once(this.child, 'message'), this.gone]));
        if ('error' in response)
            throw new Error(`The load failed: ${response.error}`);
        return response.result;
    }
    stop() {
        this.child.disconnect();
    }
}
