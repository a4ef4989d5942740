/** The result of one check. */
export interface Finding {
  /** `warn`: the service works, but not as it should. */
  level: 'ok' | 'warn' | 'fail';
  /** The checked part, in a word or two. */
  check: string;
  /** A sentence with the result and what to do; never a secret. */
  says: string;
}

const at =
  (level: Finding['level']) =>
  (check: string, says: string): Finding => ({ level, check, says });
export const ok = at('ok');
export const warn = at('warn');
export const fail = at('fail');

/** Milliseconds that each check waits for a response. */
export const TIMEOUT = 5_000;

/** An address without user, password and query. */
export function addressOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The code of an error if it has one: a message may hold secrets. */
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
  return name === 'TimeoutError' ? 'it does not respond' : String(name ?? 'unknown reason');
}
