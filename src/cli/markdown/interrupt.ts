/** Signals that end a command, and the status a shell expects of it then. */
const STATUS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Says `last` and ends the process when it is interrupted. */
export function endOnInterrupt(last: string): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error(`\n${last}`);
      process.exit(STATUS[signal]);
    });
  }
}
