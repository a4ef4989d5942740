/** Signals that end a command, and the status that a shell expects of it then. */
const STATUS = { SIGINT: 130, SIGTERM: 143 };
/** Ends the command with a status; all output has been printed. */
export class Ended extends Error {
    status;
    constructor(status) {
        super(`ended with ${status}`);
        this.status = status;
    }
}
let interrupted;
/** Rejects with Ended at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function interruption() {
    interrupted ??= listen();
    return interrupted;
}
/** The same as an AbortSignal: aborted with Ended as its reason. */
export function interruptionSignal() {
    const controller = new AbortController();
    interruption().catch((reason) => controller.abort(reason));
    return controller.signal;
}
function listen() {
    const signalled = new Promise((_, reject) => {
        for (const signal of ['SIGINT', 'SIGTERM']) {
            process.once(signal, () => reject(new Ended(STATUS[signal])));
        }
    });
    signalled.catch(() => undefined);
    return signalled;
}
//# sourceMappingURL=interruption.js.map