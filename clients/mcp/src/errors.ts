import { NoResponseError } from 'teamspaces-client';

/** A problem with a call that the model can solve; the message is one sentence for it. */
export class CallError extends Error {}

/** Why whoever sends the requests of a tool gave one up. */
export class InterruptedError extends Error {
  /** @param why `too large`: its response, which was a success; `too late`: it had no response in time */
  constructor(readonly why: 'too large' | 'too late') {
    super(`the request was given up: ${why}`);
  }

  /**
   * For the model.
   * @param isRead false for a tool that changes something
   * @param instead how to read what is too large
   */
  sentence(isRead: boolean, instead = 'ask for less'): string {
    if (this.why === 'too large') {
      return isRead
        ? `The response has more than 1 MiB: ${instead}.`
        : 'The change was made, but its response has more than 1 MiB and is not shown.';
    }
    return isRead
      ? 'The call took longer than 30 seconds: ask for less, or try again later.'
      : 'The call took longer than 30 seconds, and the change may have happened: read the data again before you repeat the call.';
  }
}

/** True for the error of a request whose response was given up because it is too large. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof NoResponseError &&
  error.cause instanceof InterruptedError &&
  error.cause.why === 'too large';
