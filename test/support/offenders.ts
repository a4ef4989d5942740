import { inspect, stripVTControlCharacters } from 'node:util';

/**
 * Checks every row of a table of inputs, one after another.
 * @param check throws for a row that it finds wrong, as `expect` does
 * @returns the rows that are wrong, each with what was expected and received: `toEqual([])`
 */
export async function offenders<const Row>(
  rows: readonly Row[],
  check: (row: Row) => unknown,
): Promise<string[]> {
  const found: string[] = [];
  for (const row of rows) {
    try {
      await check(row);
    } catch (error) {
      found.push(`${shown(row)}: ${stripVTControlCharacters(String(error))}`);
    }
  }
  return found;
}

const shown = (row: unknown): string =>
  inspect(row, { depth: 4, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 80 }).slice(
    0,
    300,
  );
