import { textOf } from '../print.js';

/** A record as the database returns it. */
export type Row = Record<string, unknown>;

/** A table with a heading, its columns as wide as their longest value. */
export function inColumns(rows: readonly Row[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  const widths = names.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  const lineOf = (line: readonly string[]) =>
    line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return cells.map((line) => lineOf(line).trimEnd());
}

/** A line for each field; a list has a line for each of its elements. */
export function inLines(row: Row): string[] {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return `${name.padEnd(width)}  ${textOf(value)}`.trimEnd();
    const lines = value.map((element: Row) => Object.values(element).map(textOf).join('  '));
    const [first = '', ...rest] = lines;
    const head = `${name.padEnd(width)}  ${first}`.trimEnd();
    return [head, ...rest.map((line) => `${' '.repeat(width)}  ${line}`)];
  });
}
