/** Signals that end a command, and the status that a shell expects of it then. */
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Ends the command with a status; all output has been printed. */
export class Ended extends Error {
  constructor(readonly status: number) {
    super(`ended with ${status}`);
  }
}

let interrupted: Promise<never> | undefined;

/** Rejects with Ended at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function interruption(): Promise<never> {
  interrupted ??= listen();
  return interrupted;
}

/** The same as an AbortSignal: aborted with Ended as its reason. */
export function interruptionSignal(): AbortSignal {
  const controller = new AbortController();
  interruption().catch((reason) => controller.abort(reason));
  return controller.signal;
}

function listen(): Promise<never> {
  const signalled = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Ended(STATUS[signal])));
    }
  });
  signalled.catch(() => undefined);
  return signalled;
}
