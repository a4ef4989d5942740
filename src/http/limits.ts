// What every request and response is bound by, whatever its endpoint. Durations are in milliseconds.

const KIB = 1024;
const MIB = 1024 * KIB;

/** In which a request, and its headers, must arrive. */
export const REQUEST_TIMEOUT = 60_000;
export const HEADERS_TIMEOUT = 15_000;
/** Until a request that has arrived gets a response; less than ten seconds. */
export const DEADLINE = 9_000;

// Bodies.

/** Largest request body, and what one without a Content-Length counts as. */
export const MAX_BODY_BYTES = 2 * MIB;
/** Bytes that the bodies in receipt of one caller announce at most, and those of all callers. */
export const MAX_BODIES_OF_CALLER = 16 * MIB;
export const MAX_BODIES_OF_ALL = 96 * MIB;
/** A body of at most so many bytes is never rejected or cut because of the bodies of others. */
export const SMALL_BODY = 64 * KIB;
/** Without a byte after which a body may be cut to make room. */
export const MIN_BODY_STALL = 1_000;
/** Window over which a body must arrive with so many bytes a second. */
export const BODY_WINDOW = 10_000;
export const MIN_BODY_RATE = 16 * KIB;
/** Bytes of a rejected body that Node discards, to continue with the next request on the connection. */
export const MAX_DISCARDED = 64 * KIB;

// Responses.

/** Elements of a page that a request can ask for. */
export const MAX_PAGE = 1000;
/** Elements that are held for one response, about 2 MiB of JSON; more are streamed. */
export const MAX_HELD = 5000;
/** That a connection may read nothing while bytes wait for it. */
export const MAX_READ_STALL = 30_000;
/** Window over which a connection must read so many bytes a second. */
export const READ_WINDOW = 60_000;
export const MIN_READ_RATE = 16 * KIB;
/** Waiting bytes of all callers together, after which the caller with the most loses connections. */
export const MAX_UNREAD = 96 * MIB;
/** Without a read after which such a connection may be closed. */
export const MIN_READ_STALL = 1_000;
