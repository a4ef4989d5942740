/** One line of the examination. */
export interface Finding {
  /** `warn`: the service works, but not as it should. */
  level: 'ok' | 'warn' | 'fail';
  /** What was looked at, in a word or two. */
  check: string;
  /** A sentence about what was found and what to do; never a secret. */
  says: string;
}

/** Milliseconds that each check waits for an answer. */
export const TIMEOUT = 5_000;

/** An address without user, password and query. */
export function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** What went wrong, by its code where it has one: a message may hold more than is to be shown. */
export function reasonOf(error: unknown): string {
  const { code, name, cause, errors } = error as {
    code?: unknown;
    name?: unknown;
    cause?: unknown;
    errors?: unknown[];
  };
  if (typeof code === 'string' || typeof code === 'number') return String(code);
  const inner = cause ?? errors?.[0];
  if (inner !== undefined) return reasonOf(inner);
  return name === 'TimeoutError' ? 'it does not answer' : String(name ?? 'unknown reason');
}
