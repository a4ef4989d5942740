/** Signals that end a command, and the status that a shell expects of it then. */
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Somebody wants the command to end. */
export class Interrupted extends Error {
  constructor(readonly status: number) {
    super('interrupted');
  }
}

/** Rejects with Interrupted at the first SIGINT or SIGTERM; the second one ends the process at once. */
export function interruption(): Promise<never> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Interrupted(STATUS[signal])));
    }
  });
  interrupted.catch(() => undefined);
  return interrupted;
}

/** Ends the process after a failure: with a sentence and 1, or as a shell expects it. */
export function exitAfter(error: unknown): never {
  if (error instanceof Interrupted) process.exit(error.status);
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
