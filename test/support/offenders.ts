import { inspect, stripVTControlCharacters } from 'node:util';
import pLimit from 'p-limit';

/**
 * Checks every row of a table of inputs.
 * @param check throws for a row that it finds wrong, as `expect` does
 * @param options.atOnce how many rows are checked at the same time: 1 unless they wait and are independent
 * @returns the rows that are wrong, each with what was expected and received: `toEqual([])`
 */
export async function offenders<const Row>(
  rows: readonly Row[],
  check: (row: Row) => unknown,
  { atOnce = 1 } = {},
): Promise<string[]> {
  const limit = pLimit(atOnce);
  const problems = rows.map((row) => limit(() => problemOf(row, check)));
  return (await Promise.all(problems)).filter((problem) => problem !== null);
}

async function problemOf<Row>(row: Row, check: (row: Row) => unknown): Promise<string | null> {
  try {
    await check(row);
    return null;
  } catch (error) {
    return `${shown(row)}: ${stripVTControlCharacters(String(error))}`;
  }
}

const shown = (row: unknown): string =>
  inspect(row, { depth: 4, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 80 }).slice(
    0,
    300,
  );
