/** An error as it is logged. */
export interface ReportedError {
  type: string;
  message: string;
  /** SQLSTATE or Node's code. */
  code?: string;
  constraint?: string;
  /** The frames alone: the message is above. */
  stack?: string;
  cause?: ReportedError;
}

/** Deeper causes are omitted. */
const DEEPEST = 4;

/**
 * An error as it may be logged: named fields only. PostgreSQL puts whole rows into `detail`,
 * which must not carry content into the log.
 */
export function reportedError(thrown: unknown, depth = 0): ReportedError {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { code, constraint } = thrown as { code?: unknown; constraint?: unknown };
  const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: thrown.name,
    message: thrown.message,
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
export function reportedCause(thrown: unknown): ReportedError {
  const { stack: _, ...rest } = reportedError(thrown);
  return rest;
}
