import type { Reader } from './database.js';
import { point } from './statements.js';

/** The time by the database's clock: instances share it, while their own may be wrong. */
export async function timeOf(reader: Reader): Promise<Date> {
  const [row] = await reader.query<{ now: Date }>(NOW, []);
  return (row as { now: Date }).now;
}

const NOW = point(1, { name: 'database.now', text: 'SELECT clock_timestamp() AS now' });
