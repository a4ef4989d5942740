import { NoResponseError } from './errors.js';

/** How the client tries again. */
export interface RetryOptions {
  /** Tries in all, the first one included; 1 turns retries off. Default 4. */
  attempts?: number;
  /** The longest wait between two tries, in milliseconds: who is told to wait longer gets the error. Default 60,000. */
  longestWait?: number;
  /** Told before each wait: what went wrong, and how many milliseconds it takes. */
  onRetry?: (reason: string, wait: number) => void;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Statuses that guarantee that nothing was done, as does 409 with Retry-After: any request may be sent again.
 * 503 comes from the balancer, while no instance is ready.
 */
const REFUSED = new Set([429, 503]);
/** Statuses after which it is unknown whether something was done. 502 and 504 come from the balancer. */
const UNKNOWN = new Set([500, 502, 504]);

/**
 * A fetch that tries again: after 429, 503 and 409 with Retry-After every request, after a lost connection or another
 * failure of the server only those that may run twice. Waits as long as Retry-After says, else
 * twice as long each time. A response counts once all of it is there: one that breaks off is lost.
 *
 * @throws NoResponseError there was none; what a signal of the request gives as its reason
 */
export function retrying(fetch: Fetch, options: RetryOptions = {}): Fetch {
  const { attempts = 4, longestWait = 60_000, onRetry } = options;
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const last = attempt >= attempts;
      const outcome = await settle(fetch(last ? request : request.clone()).then(whole), request);
      const wait = waitAfter(outcome, request, attempt);
      if (last || wait === null || wait > longestWait) {
        if ('error' in outcome) throw outcome.error;
        return outcome.response;
      }
      onRetry?.(reasonOf(outcome, request), wait);
      await pause(wait, request.signal);
    }
  };
}

type Outcome = { response: Response } | { error: unknown };

const settle = (response: Promise<Response>, { url, signal }: Request): Promise<Outcome> =>
  response.then(
    (response) => ({ response }),
    (error: unknown) => ({ error: signal.aborted ? error : new NoResponseError(url, error) }),
  );

/** The same response with its body read. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  // Some statuses forbid a body.
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

const reasonOf = (outcome: Outcome, { url }: Request): string =>
  'error' in outcome
    ? (outcome.error as Error).message
    : `${new URL(url).origin} returned status ${outcome.response.status}`;

/** Milliseconds until the next try; null: this outcome stands. */
function waitAfter(outcome: Outcome, request: Request, attempt: number): number | null {
  // Half of it by chance, so that clients which failed together do not come back together.
  const backoff = 200 * 2 ** attempt * (0.5 + Math.random() / 2);
  if ('error' in outcome) return !request.signal.aborted && mayRunTwice(request) ? backoff : null;
  const { status, headers } = outcome.response;
  const told = retryAfter(headers.get('retry-after'), Date.now());
  // A conflict with Retry-After: nothing has happened, since others are changing the same data right now.
  if (REFUSED.has(status) || (status === 409 && told !== null)) return told ?? backoff;
  return UNKNOWN.has(status) && mayRunTwice(request) ? (told ?? backoff) : null;
}

/**
 * A POST or PATCH may where it carries an Idempotency-Key. A change under If-Match may not: if the
 * first one went through, the second would return 409, because the item has changed. Nor may a DELETE:
 * the second would return 404.
 */
function mayRunTwice({ method, headers }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  if (method === 'POST' || method === 'PATCH') return headers.has('idempotency-key');
  return method === 'PUT' && !headers.has('if-match');
}

/**
 * Milliseconds that a Retry-After asks for, in seconds or as a date.
 * @param now Unix epoch milliseconds
 * @returns null where there is none that can be read
 */
export function retryAfter(header: string | null, now: number): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Resolves after `ms`; rejects with the reason of the signal when that comes first. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
