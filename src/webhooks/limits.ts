// What a team may have of webhooks, and what their receivers may take. Durations are in milliseconds.

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** Webhooks that a team can have. */
export const MAX_WEBHOOKS = 20;
/** Characters of a URL, in its normal form. */
export const MAX_URL = 2048;
/** Deliveries that are kept of a webhook, the newest. */
export const MAX_DELIVERIES = 100;
/** Workspaces that a webhook can name. */
export const MAX_WORKSPACES = 100;

// Deliveries at once.

/** Deliveries of a process. */
export const MAX_AT_ONCE = 64;
/** Deliveries of a team. */
export const MAX_OF_TEAM = 2;
/** Deliveries of one maker, unless this many are left to others. */
export const MAX_OF_MAKER = 4;
export const LEFT_TO_OTHERS = 32;
/**
 * Names that the system looks up, in all and for one maker or team: getaddrinfo() cannot be cancelled, and
 * holds a thread of the pool that verifies tokens, too.
 */
export const MAX_LOOKUPS = 2;
export const MAX_LOOKUPS_EACH = 1;

// One attempt.

/** For a whole attempt: names, connection, and the head of the response. */
export const MAX_ATTEMPT = 15 * SECOND;
/** To connect, TLS included. */
export const MAX_CONNECT = 5 * SECOND;
/** Bytes that are read of all that a receiver sends: TLS, informational responses, headers, body. */
export const MAX_RECEIVED = 64 * 1024;

// Between attempts.

/** Between two messages, or attempts, about the same workspace or team. */
export const MIN_PAUSE = 5 * SECOND;
/** For which a receiver may ask by Retry-After. */
export const MAX_RETRY_AFTER = HOUR;
/** Without success after which a webhook is disabled. */
export const MAX_FAILING = 5 * 24 * HOUR;
