import { point } from '@teamspaces/pg-lanes/statements';
import type { Reader } from './database.js';

/** The time by the database's clock: instances share it, while their own may be wrong. */
export async function timeOf(reader: Reader): Promise<Date> {
  const [row] = await reader.query<{ now: Date }>(NOW, []);
  return (row as { now: Date }).now;
}

const NOW = point(1, { name: 'database.now', text: 'SELECT clock_timestamp() AS now' });

/**
 * SQL for a time as responses have it, ISO 8601 in UTC with milliseconds, without `Z"` at its end. The
 * microsecond keeps the zeros before it. to_char() takes two and a half times as long.
 */
export const jsonTime = (column: string): string =>
  `left(to_json(${column} AT TIME ZONE 'UTC' + interval '1 us')::text, 24)`;
