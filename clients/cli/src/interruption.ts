import { setImmediate } from 'node:timers/promises';
import { warn } from './print.js';

/** Signals that end a command, and the status that a shell expects of it then. */
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** The status of a program whose output nobody reads any more, as that of SIGPIPE, which Node ignores. */
const BROKEN_PIPE = 141;

/** Ends the command with a status; all output has been printed. */
export class Ended extends Error {
  constructor(readonly status: number) {
    super(`ended with ${status}`);
  }
}

let interrupted: Promise<never> | undefined;
let interrupt: (reason: Error) => void = () => undefined;

/**
 * Rejects with Ended at the first SIGINT or SIGTERM, and if output cannot be written. The second signal ends the process
 * at once.
 */
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
    interrupt = reject;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Ended(STATUS[signal])));
    }
  });
  signalled.catch(() => undefined);
  return signalled;
}

/**
 * Runs the command line as this process, which ends after all output was written, however slow its reader; after an
 * interruption, at once. If output cannot be written, the command is interrupted: quietly, if the reader went away
 * (`| head`).
 * @param run returns the exit status
 */
export async function runProcess(run: () => Promise<number>): Promise<never> {
  const streams = [process.stdout, process.stderr];
  for (const stream of streams) stream.on('error', onOutputError);
  const status = await run();
  // From here on, a signal ends the process at once.
  for (const signal of Object.keys(STATUS)) process.removeAllListeners(signal);
  // A file reports its errors in the next turn.
  await setImmediate();
  for (const stream of streams) if (status < 128) await written(stream);
  process.exit(process.exitCode ?? status);
}

const written = async (stream: NodeJS.WriteStream): Promise<void> => {
  if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
};

/** A command that does not listen for interruptions has nothing to clean up. */
function onOutputError({ code, message }: NodeJS.ErrnoException): void {
  // What is printed later fails, too.
  if (process.exitCode !== undefined) return;
  const status = code === 'EPIPE' ? BROKEN_PIPE : 1;
  process.exitCode = status;
  if (code !== 'EPIPE') warn(`The output could not be written: ${message}.`);
  if (!interrupted) process.exit();
  interrupt(new Ended(status));
}
