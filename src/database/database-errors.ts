interface DriverCause {
  kind?: string;
  originalCode?: string;
  constraint?: { index?: string; foreignKey?: string; fields?: string[] };
}

/**
 * The driver's own account of a failure. Prisma 7 carries it under different roofs: in
 * `meta.driverAdapterError.cause` of a known error, and in `cause` of a raw DriverAdapterError.
 */
function driverCause(error: unknown): DriverCause {
  if (typeof error !== 'object' || error === null) return {};
  const { meta, cause } = error as {
    meta?: { driverAdapterError?: { cause?: DriverCause } };
    cause?: DriverCause;
  };
  return meta?.driverAdapterError?.cause ?? cause ?? {};
}

/** SQLSTATE classes that say «try again»: serialization failure, deadlock. */
const TRY_AGAIN = new Set(['40001', '40P01']);

/** True when running the same transaction again may succeed. */
export function isTransient(error: unknown): boolean {
  const cause = driverCause(error);
  const code = (error as { code?: unknown } | null)?.code;
  return (
    code === 'P2034' ||
    TRY_AGAIN.has(String(code)) ||
    cause.kind === 'TransactionWriteConflict' ||
    TRY_AGAIN.has(cause.originalCode ?? '')
  );
}

/** The name of the constraint that a write ran into, or null when it was something else. */
export function violatedConstraint(error: unknown): string | null {
  const direct = (error as { constraint?: unknown } | null)?.constraint;
  if (typeof direct === 'string') return direct;
  const { constraint } = driverCause(error);
  return constraint?.index ?? constraint?.foreignKey ?? constraint?.fields?.join(',') ?? null;
}
