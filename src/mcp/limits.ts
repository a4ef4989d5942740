// What a call of a tool is bound by, beside what bounds every request. Durations are in milliseconds.

const MIB = 1024 * 1024;

/** In which a message gets its response, however many requests its tool sends. */
export const MAX_CALL_TIME = 30_000;
/** Bytes of a response of the API that a tool is given. */
export const MAX_TOOL_RESPONSE = MIB;
