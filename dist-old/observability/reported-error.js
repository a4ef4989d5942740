/** Deeper causes are omitted. */
const DEEPEST = 4;
/**
 * An error as it may be logged: named fields only. PostgreSQL puts whole rows into `detail`, and
 * Prisma puts arguments into its messages; neither may carry content into the log.
 */
export function reportedError(thrown, depth = 0) {
    if (!(thrown instanceof Error))
        return { type: typeof thrown, message: String(thrown) };
    const { code, constraint } = thrown;
    const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line));
    return {
        type: thrown.name,
        message: messageOf(thrown),
        ...(typeof code === 'string' && { code }),
        ...(typeof constraint === 'string' && { constraint }),
        ...(frames && frames.length > 0 && { stack: frames.map((line) => line.trim()).join('\n') }),
        ...(thrown.cause !== undefined &&
            depth < DEEPEST && { cause: reportedError(thrown.cause, depth + 1) }),
    };
}
/**
 * The same without the frames: refusals are frequent, and their place in the code is not
 * informative.
 */
export function reportedCause(thrown) {
    const { stack: _, ...rest } = reportedError(thrown);
    return rest;
}
/** Prisma quotes the call with its arguments first; the last line is the error. */
function messageOf({ name, message }) {
    if (!name.startsWith('PrismaClient'))
        return message;
    return message.trim().split('\n').at(-1)?.trim() ?? '';
}
//# sourceMappingURL=reported-error.js.map