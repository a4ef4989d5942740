import { NoResponseError, TeamspacesError } from 'teamspaces-client';

/** A problem with a call that the model can solve; the message is one sentence for it. */
export class CallError extends Error {}

/** Why a request of a tool was given up. */
export class InterruptedError extends Error {
  /**
   * @param why `too large`: its response, which was a success; `too late`: it had no response in time
   * @param isRead false: the request changes something
   */
  constructor(
    readonly why: 'too large' | 'too late',
    private readonly isRead: boolean,
  ) {
    super(`the request was given up: ${why}`);
  }

  /** For the model. @param instead how to read what is too large */
  sentence(instead: string): string {
    if (this.why === 'too large') {
      return this.isRead
        ? `The response has more than 1 MiB: ${instead}.`
        : 'The change was made, but its response has more than 1 MiB and is not shown.';
    }
    return this.isRead
      ? 'The call took longer than 30 seconds: ask for less, or try again later.'
      : 'The call took longer than 30 seconds, and the change may have happened: read the data again before you repeat the call.';
  }
}

/**
 * A problem with a call, for the model.
 * @param instead how to read what is too large: a sentence that follows a colon
 * @returns null: the error is a defect
 */
export function problemOf(error: unknown, instead = 'ask for less'): string | null {
  if (error instanceof CallError) return error.message;
  if (error instanceof NoResponseError) {
    const { cause } = error;
    return cause instanceof InterruptedError ? cause.sentence(instead) : error.message;
  }
  if (!(error instanceof TeamspacesError)) return null;
  const { code, status, requestId } = error;
  const message = UNKNOWN.test(error.message) ? UNKNOWN_OUTCOME : error.message;
  const id = status >= 500 && requestId !== null ? ` (X-Request-Id: ${requestId})` : '';
  // The only list that is the body of a request.
  const inCall = message.replaceAll(/\bbody\[/g, 'operations[');
  return `${code ?? `status ${status}`}: ${inCall}${id}`;
}

/** A change that was not confirmed in time. The service then names the key of the request, which a model does not have. */
const UNKNOWN = /^the outcome of this change is unknown\b/;
const UNKNOWN_OUTCOME =
  'the change may have happened, since it was not confirmed in time: read the data again before you repeat the call';

/** True for the error of a request whose response was given up because it is too large. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof NoResponseError &&
  error.cause instanceof InterruptedError &&
  error.cause.why === 'too large';
