import { once } from 'node:events';
import { styleText } from 'node:util';

/**
 * Line breaks, what a terminal obeys (escapes), and what it hides or uses to reverse the direction of
 * text. Not the joiner within emoji.
 */
const UNPRINTABLE = /(?:(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu;

/** One line that a terminal shows as it is: names are what people typed. */
export function textOf(value: unknown): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return String(value).replace(UNPRINTABLE, ' ');
}

/** A line, or its parts: those that match are bold if standard output takes colours. */
export type Line = string | readonly { text: string; match: boolean }[];

/** Prints lines: all text on standard output, in one place. */
export function print(...lines: Line[]): void {
  if (lines.length > 0) console.log(lines.map(shownOf).join('\n'));
}

const shownOf = (line: Line): string =>
  typeof line === 'string'
    ? textOf(line)
    : line
        .map(({ text, match }) => (match ? styleText('bold', textOf(text)) : textOf(text)))
        .join('');

/** Prints one line on standard error. */
export function warn(line: string): void {
  console.error(textOf(line));
}

/** Prints a value as JSON, over several lines. */
export function printJson(value: unknown): void {
  console.log(jsonOf(value, 2));
}

/** Prints values as JSON, one on each line. */
export function printJsonLines(values: unknown[]): void {
  if (values.length > 0) console.log(values.map((value) => jsonOf(value)).join('\n'));
}

/** Waits until standard output accepts more: for a command that prints in portions. */
export async function outputDrained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}

/** JSON in which what a terminal obeys or hides is escaped: the same value to a program. */
function jsonOf(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNPRINTABLE, (found) =>
    found.replace(/[^\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/**
 * What the message of an error says, or its code. Line breaks stay, since some messages are lists: see
 * withoutBreaks().
 */
export function messageOf(error: unknown): string {
  const { message, code } = error as Error & { code?: string };
  return (message || code || String(error)).split('\n').map(textOf).join('\n');
}

/** The same error with a message of one line, for errors that name files. */
export function withoutBreaks(error: unknown): unknown {
  if (error instanceof Error) error.message = textOf(error.message);
  return error;
}

/** `1 page`, `2,000 pages`. */
export const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** A record, by the names of its fields. */
export type Row = Record<string, unknown>;

/** Characters of the widest column: a longer value, such as a long title, moves the rest of its row alone. */
const MAX_WIDTH = 60;

/** A table with a heading, its columns as wide as their longest value; no lines if there are no rows. */
export function inColumns(rows: readonly Row[]): string[] {
  const [first] = rows;
  if (!first) return [];
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => textOf(row[name])))];
  const widths = names.map((_, at) =>
    Math.min(MAX_WIDTH, Math.max(...cells.map((line) => line[at]?.length ?? 0))),
  );
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
